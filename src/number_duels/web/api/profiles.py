"""The HTTP interface of a profile: who has this browser, and what they play."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StrictBool

from number_duels.web.api.dependencies import (
    LINES,
    PROBLEMS,
    Own,
    Profiles,
    admit_expensive,
    admit_rare,
    json_answer,
    lines_answer,
    require_profile,
    set_profile_cookie,
)
from number_duels.web.api.models import Body, Name, Nothing, TallyFacts
from number_duels.web.request_limits import PROFILE_COST, profile_token
from number_duels.web.service.views import encode


class ProfileName(Body):
    """What somebody is called in new games."""

    name: Name = ""


class Redeeming(Body):
    """A code; `merge` says whether the games of this browser come along, if it has any."""

    code: Annotated[str, Field(strict=True, min_length=1, max_length=64)]
    merge: StrictBool | None = None


class TransferCode(BaseModel):
    """A code to be typed in another browser, and the seconds in which it works, once."""

    code: str
    expires_s: int


class GameLine(BaseModel):
    """One game of a profile; the board is there while it runs, the game itself while `kept`."""

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
    #: Whether the other seat is taken.
    seated: bool
    kept: bool
    #: Whom one plays against, and how it stands or ended, in words.
    against: str
    status: str


class Me(BaseModel):
    """A profile with its games, the latest first; nobody's is empty, and was never created."""

    name: str
    created: str | None
    running: list[GameLine]
    finished: list[GameLine]


class ScoreFacts(BaseModel):
    """How often somebody won, and the mean of the chances thrown away; 1 is a whole game."""

    games: int
    won: int
    drawn: int
    lost: int
    thrown_away_a_game: float | None


class TotalFacts(TallyFacts):
    """The figures of several games."""

    games: int


class GroupFacts(ScoreFacts):
    """Games that have something in common."""

    figures: TotalFacts
    opponents: dict[str, ScoreFacts]


class GameGroupFacts(GroupFacts):
    """The games with one name."""

    title: str


class ResultFacts(BaseModel):
    """One finished game; its id while it is kept."""

    started: str
    finished: str
    game: str
    opponent: str
    name: str
    result: Literal["won", "drawn", "lost"]
    thrown_away: float | None
    #: The cost as people read it.
    cost: str | None
    id: str | None
    against: str


class Statistics(ScoreFacts):
    """A profile's own record, as `duels stats --json` has it, by game, person and month, too."""

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
    #: Games whose decisions are still to be graded.
    waiting: int
    #: What a page draws, as `scene_json` writes it.
    scene: dict[str, object]


# ---- routes --------------------------------------------------------------------


me = APIRouter(prefix="/api/me", responses=PROBLEMS)


@me.get("", response_model=Me)
async def look(profiles: Profiles, own: Own, request: Request) -> Response:
    """The profile of this browser with its games; `created` is null where there is none."""
    answer = json_answer(encode(await profiles.about(own)))
    if own is not None:
        set_profile_cookie(request, answer, profile_token(request))
    return answer


@me.post("", response_model=Me)
async def name(body: ProfileName, profiles: Profiles, own: Own, request: Request) -> Response:
    """Make a profile for this browser, or give another name to the one that it has."""
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
    """Forget the profile, in all browsers that have it; its games go on."""
    if own is not None:
        await profiles.forget(own)
    set_profile_cookie(request, response, "")


@me.get("/statistics", response_model=Statistics)
async def statistics(profiles: Profiles, own: Own) -> Response:
    """Results and chances thrown away, over time and by game and opponent."""
    return json_answer(encode(await profiles.statistics(own)))


@me.get("/records", response_class=Response, responses=LINES)
async def records(profiles: Profiles, own: Own, request: Request) -> Response:
    """The records of all games that are kept, a JSON object a line, as the caller may see them."""
    await admit_rare(request)
    return lines_answer(await profiles.records(own), "number-duels.jsonl")


@me.post("/code")
async def transfer_code(profiles: Profiles, own: Own, _: Nothing | None = None) -> TransferCode:
    """A code that gives this profile to another browser: once, and not for long."""
    code = await profiles.new_code(require_profile(own))
    return TransferCode(code=code, expires_s=int(profiles.config.code_time))


@me.post("/redeem", response_model=Me)
async def redeem(body: Redeeming, profiles: Profiles, own: Own, request: Request) -> Response:
    """Have the profile of a code in this browser; `merge`: with the games that it has."""
    await admit_rare(request)
    token = await profiles.redeem(body.code, own, body.merge)
    answer = json_answer(encode(await profiles.about(await profiles.find(token))))
    set_profile_cookie(request, answer, token)
    return answer
