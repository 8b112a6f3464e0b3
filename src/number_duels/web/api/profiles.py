"""HTTP routes for profiles. A profile keeps a player's name and games, without an account."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StrictBool, StrictStr

from number_duels.web.api.dependencies import (
    LINES,
    PROBLEMS,
    Own,
    Profiles,
    admit_expensive,
    admit_rare,
    client_name,
    json_answer,
    lines_answer,
    require_profile,
    set_profile_cookie,
)
from number_duels.web.api.models import Body, Name, Nothing, TallyFacts
from number_duels.web.request_limits import PROFILE_COST, profile_token
from number_duels.web.service.views import encode


class ProfileName(Body):
    name: Name = ""


class Redeeming(Body):
    """A transfer code. If `merge` is true, this browser's games move to the code's profile."""

    code: Annotated[str, Field(strict=True, min_length=1, max_length=64)]
    merge: StrictBool | None = None


class RecordLines(Body):
    """Lines of record files. Each has one record as JSON."""

    records: Annotated[list[StrictStr], Field(max_length=50)]


class AddedRecords(BaseModel):
    """The number of added games, and by reason the number of games that no profile can have."""

    added: int
    left_out: dict[str, int]


class TransferCode(BaseModel):
    """A code to type in another browser. It works once, within `expires_s` seconds."""

    code: str
    expires_s: int


class GameLine(BaseModel):
    """One of a profile's games. `board` is null if the game is over.

    If `kept` is false, the game was removed and can no longer be opened.
    """

    id: str
    game: str
    title: str
    settings: dict[str, int | str]
    seat: int
    names: list[str]
    opponent: str
    your_turn: bool
    over: bool
    result: str
    reason: str
    updated: str
    board: list[dict[str, object]] | None
    seated: bool
    kept: bool
    against: str
    status: str


class Me(BaseModel):
    """A profile and its games, latest first. `created` is null if the browser has no profile."""

    name: str
    created: str | None
    running: list[GameLine]
    finished: list[GameLine]


class ScoreFacts(BaseModel):
    """The number of games won, drawn and lost.

    `thrown_away_a_game` is the average winning chance lost per game. Turning a certain win into a
    certain loss counts as 1.
    """

    games: int
    won: int
    drawn: int
    lost: int
    thrown_away_a_game: float | None


class TotalFacts(TallyFacts):
    games: int


class GroupFacts(ScoreFacts):
    figures: TotalFacts
    opponents: dict[str, ScoreFacts]


class GameGroupFacts(GroupFacts):
    title: str


class ResultFacts(BaseModel):
    """A finished game. Its `id` is null if the game was removed."""

    started: str
    finished: str
    game: str
    opponent: str
    name: str
    result: Literal["won", "drawn", "lost"]
    thrown_away: float | None
    cost: str | None
    id: str | None
    against: str


class Statistics(ScoreFacts):
    """The statistics of `duels stats --json`, with totals by game, person and month."""

    streak: int
    longest_streak: int
    opponents: dict[str, ScoreFacts]
    people: dict[str, ScoreFacts]
    by_game: dict[str, GameGroupFacts]
    months: dict[str, GroupFacts]
    over_time: list[ResultFacts]
    phases: dict[str, TotalFacts]
    figures: TotalFacts
    left_out: dict[str, int]
    ungraded: dict[str, int]
    waiting: int
    #: In the format of `scene_json`.
    scene: dict[str, object]


me = APIRouter(prefix="/api/me", responses=PROBLEMS)


@me.get("", response_model=Me)
async def look(profiles: Profiles, own: Own, request: Request) -> Response:
    """Return the browser's profile and its games. Without a profile, `created` is null."""
    answer = json_answer(encode(await profiles.about(own)))
    if own is not None:
        set_profile_cookie(request, answer, profile_token(request))
    return answer


@me.post("", response_model=Me)
async def name(body: ProfileName, profiles: Profiles, own: Own, request: Request) -> Response:
    """Create a profile for this browser, or rename its profile."""
    if own is None:
        await admit_expensive(request, "new profiles", PROFILE_COST)
        own, token = await profiles.create(body.name)
    else:
        own, token = await profiles.rename(own, body.name), profile_token(request)
    answer = json_answer(encode(await profiles.about(own)))
    set_profile_cookie(request, answer, token)
    return answer


@me.delete("", status_code=204, response_model=None)
async def forget(profiles: Profiles, own: Own, request: Request, response: Response) -> None:
    """Delete the profile. Its games continue."""
    if own is not None:
        await profiles.forget(own)
    set_profile_cookie(request, response, "")


@me.get("/statistics", response_model=Statistics)
async def statistics(profiles: Profiles, own: Own) -> Response:
    """Return the profile's results and the cost of its mistakes."""
    return json_answer(encode(await profiles.statistics(own)))


@me.get("/records", response_class=Response, responses=LINES)
async def records(profiles: Profiles, own: Own, request: Request) -> Response:
    """Return the records of the profile's stored games as JSON Lines.

    A record contains only what the player may see.
    """
    await admit_rare(request)
    return lines_answer(await profiles.records(own), "number-duels.jsonl")


@me.post("/records")
async def read_records(
    body: RecordLines, profiles: Profiles, own: Own, request: Request
) -> AddedRecords:
    """Add the games of record files to the profile. Skip games that it already has."""
    profile, client = require_profile(own), client_name(request)
    await admit_rare(request)
    read = await profiles.read_records(profile, client, body.records)
    if running := sum(not one.stored.over for one in read.games):
        await admit_expensive(request, "new games", running)
    added = await profiles.add_records(profile, client, read)
    return AddedRecords(added=added, left_out=dict(read.left_out))


@me.post("/code")
async def transfer_code(profiles: Profiles, own: Own, _: Nothing | None = None) -> TransferCode:
    """Create a code that opens this profile in another browser. It works once and expires soon."""
    code = await profiles.new_code(require_profile(own))
    return TransferCode(code=code, expires_s=int(profiles.config.code_time))


@me.post("/redeem", response_model=Me)
async def redeem(body: Redeeming, profiles: Profiles, own: Own, request: Request) -> Response:
    """Open the profile of a transfer code in this browser.

    If `merge` is true, move this browser's games to that profile.
    """
    await admit_rare(request)
    token = await profiles.redeem(body.code, own, body.merge)
    answer = json_answer(encode(await profiles.about(await profiles.find(token))))
    set_profile_cookie(request, answer, token)
    return answer
