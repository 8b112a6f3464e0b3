"""The HTTP interface for programs, which the page uses too."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from number_duels.core.game import Seat
from number_duels.games import find, names
from number_duels.players.registry import KINDS
from number_duels.review import position_of
from number_duels.web.api import models
from number_duels.web.api.auth import Caller, caller, give_cookie
from number_duels.web.api.serializers import steps_view
from number_duels.web.api.sse import EventStream
from number_duels.web.api.view_models import StepView, View
from number_duels.web.db.stored_game import HUMAN
from number_duels.web.errors import Refusal
from number_duels.web.service import analysis
from number_duels.web.service.commands import drawing, playing, resigning
from number_duels.web.service.games import Change, House
from number_duels.web.service.new_game import Wish
from number_duels.web.service.session import Listener, Live, encode

PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": models.Problem, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        401: "A token is missing or wrong.",
        403: "This is not open to the caller.",
        404: "There is no such game.",
        409: "The game does not stand so that this can be done.",
        413: "The body is too large.",
        422: "The request does not fit its description, or the rules.",
        429: "Too many requests.",
        503: "The database does not answer, or the server is stopping; the same again, later.",
    }.items()
}
api = APIRouter(prefix="/api", responses=PROBLEMS)
Asked = Annotated[Caller, Depends(caller)]


def house_of(request: Request) -> House:
    """The house that answers."""
    house: House = request.app.state.house
    return house


Open = Annotated[House, Depends(house_of)]


def json_answer(body: bytes, status: int = 200) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, media_type="application/json")


# ---- the shelf -----------------------------------------------------------------


@api.get("/catalogue")
def catalogue() -> models.Catalogue:
    """Every game with its settings and rules, and the computer opponents."""
    opponents = [
        models.OpponentFacts(who=who, note=note) for who, note in KINDS.items() if who != HUMAN
    ]
    return models.Catalogue(games=[game_facts(name) for name in names()], opponents=opponents)


def game_facts(name: str) -> models.GameFacts:
    """One game of the catalogue."""
    game = find(name)
    settings = {
        setting: models.SettingFacts(
            default=about.default,
            meaning=about.meaning,
            low=about.low,
            high=about.high,
            choices=list(about.choices),
        )
        for setting, about in game.describe_settings().items()
    }
    return models.GameFacts(
        name=name,
        title=game.title,
        summary=game.summary,
        settings=settings,
        rules=game().rules,
        turns="first" in settings,
    )


@api.get("/analysis", name="analysis", response_model=models.AnalysisFacts)
async def analyze(
    house: Open,
    *,
    game: Annotated[str, Query(max_length=64)],
    moves: Annotated[str, Query(max_length=2000)] = "",
    deal: Annotated[str | None, Query(max_length=1000)] = None,
    first: Annotated[str | None, Query(pattern="^[12]$")] = None,
    settings: Annotated[list[str] | None, Query(alias="set", max_length=20)] = None,
) -> Response:
    """Any position of any game: its board, its value, and what every option is worth."""
    inquiry = analysis.Inquiry(game, moves, deal or None, first, tuple(settings or ()))
    try:
        position_of(analysis.game_of(inquiry), inquiry.deal, inquiry.moves)
        found = await house.thinker.answer(analysis.analysis, inquiry, house.config.patience)
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    return json_answer(encode(found))


# ---- sitting down --------------------------------------------------------------


@api.post("/games", status_code=201)
async def start(
    wish: models.NewGame, house: Open, request: Request, response: Response
) -> models.Started:
    """Start a game against a friend or the computer."""
    ledger, seat, token = await house.start(
        Wish(
            wish.game,
            wish.settings,
            Seat(wish.seat - 1),
            wish.name,
            wish.opponent,
            wish.first,
            wish.deal,
            wish.seed,
        )
    )
    give_cookie(request, response, ledger.id, token)
    return models.Started(id=ledger.id, seat=seat + 1, token=token)


@api.post("/games/{id}/seats", status_code=201)
async def join(
    body: models.Joining, asked: Asked, house: Open, request: Request, response: Response
) -> models.Seated:
    """Take the free seat of a game."""
    seat, token = await house.join(asked.live, body.name)
    give_cookie(request, response, asked.live.ledger.id, token)
    return models.Seated(seat=seat + 1, token=token)


@api.post("/games/{id}/rematch", status_code=201)
async def rematch(
    asked: Asked,
    house: Open,
    request: Request,
    response: Response,
    _: models.Nothing | None = None,
) -> models.Started:
    """Play again with seats swapped; each player asks for its own seat."""
    seat = asked.playing(house)
    game, new_seat, token = await house.rematch(asked.live, seat, asked.token)
    give_cookie(request, response, game, token)
    return models.Started(id=game, seat=new_seat + 1, token=token)


# ---- playing -------------------------------------------------------------------


@api.get("/games/{id}", response_model=View)
async def look(asked: Asked) -> Response:
    """The game as the caller may see it."""
    return json_answer(asked.live.view(asked.seat))


@api.post("/games/{id}/moves", response_model=View)
async def move(body: models.Choice, asked: Asked, house: Open) -> Response:
    """Choose a move; the same again changes nothing."""
    return await make(house, asked, playing(asked.playing(house), body.turn, body.move))


@api.post("/games/{id}/draw", response_model=View)
async def draw(asked: Asked, house: Open, body: models.Drawing | None = None) -> Response:
    """Draw a card, in games with a deck, when it is the caller's turn."""
    return await make(house, asked, drawing(asked.playing(house), body.turn if body else None))


@api.post("/games/{id}/resign", response_model=View)
async def resign(asked: Asked, house: Open, _: models.Nothing | None = None) -> Response:
    """Give up; the other player wins."""
    return await make(house, asked, resigning(asked.playing(house)))


async def make(house: House, asked: Caller, change: Change) -> Response:
    """Make a change, and answer with the new view."""
    await house.change(asked.live, change)
    return json_answer(asked.live.view(asked.seat))


@api.get(
    "/games/{id}/events",
    status_code=200,
    response_class=EventStream,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(asked: Asked, house: Open, request: Request) -> Response:
    """The view at once and whenever it changes, as server-sent events named `view`."""
    client = request.client.host if request.client else ""
    if house.closing:
        raise Refusal(503, "The server is stopping; connect again.", {"Retry-After": "1"})
    if house.streams[client] >= house.config.client_streams:
        raise Refusal(429, "Too many streams are open; close one.", {"Retry-After": "5"})
    return EventStream(asked.live, Listener(asked.seat), client, house.streams)


# ---- facts ---------------------------------------------------------------------


@api.get("/games/{id}/record", response_model=models.RecordFacts)
async def record(asked: Asked) -> Response:
    """The game on paper; before its end without the seed and what is hidden."""
    live = asked.live
    text = live.ledger.record(live.match, asked.seat).to_json()
    answer = json_answer(text.encode())
    file = f"{live.ledger.name}-{re.sub('[^0-9]', '', live.ledger.started)}.json"
    answer.headers["Content-Disposition"] = f'inline; filename="{file}"'
    return answer


@api.get("/games/{id}/steps", response_model=list[StepView])
async def steps(asked: Asked) -> Response:
    """A finished game turn by turn, for watching it again."""
    ended(asked.live, "watched again")
    return json_answer(encode(steps_view(asked.live.ledger, asked.live.match, asked.seat)))


@api.get("/games/{id}/hint", response_model=models.HintFacts)
async def hint(asked: Asked, house: Open) -> Response:
    """What every option of the caller is worth, in games against the computer."""
    seat, live = asked.playing(house), asked.live
    if live.ledger.chairs[seat.other].who == HUMAN:
        raise Refusal(403, "There are hints only in games against the computer.")
    if live.ledger.over or not live.match.options(seat):
        raise Refusal(409, "It is not for you to choose now.")
    if not live.match.hides_nothing_from(seat):
        raise Refusal(409, "There is no hint while something is hidden from you.")
    try:
        found = await house.thinker.answer(analysis.hint, live.ledger, seat, house.config.patience)
    except ValueError as error:
        raise Refusal(409, str(error)) from None
    return json_answer(encode(found))


@api.get("/games/{id}/review", response_model=models.ReviewFacts)
async def review(asked: Asked, house: Open) -> Response:
    """What each move of a finished game cost."""
    live = asked.live
    ended(live, "reviewed")
    if live.review is None:
        patience = house.config.patience
        try:
            found = await house.thinker.answer(analysis.review_game, live.ledger, patience)
        except ValueError as error:
            raise Refusal(409, str(error)) from None
        live.review = encode(found)
    return json_answer(live.review)


def ended(live: Live, what: str) -> None:
    """Refuse what can be done only with a finished game."""
    if not live.ledger.over:
        raise Refusal(409, f"A game can be {what} once it is over.")
