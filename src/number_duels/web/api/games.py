"""HTTP routes for games and positions."""

from __future__ import annotations

import json
import re
from asyncio import to_thread
from dataclasses import replace
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Query, Request, Response

from number_duels.core.game import Seat
from number_duels.core.record import check_names
from number_duels.players.registry import HUMAN
from number_duels.web.api import models
from number_duels.web.api.catalogue import catalogue_asset
from number_duels.web.api.dependencies import (
    PROBLEMS,
    Asked,
    Service,
    admit_expensive,
    admit_question,
    client_name,
    json_answer,
    let_follow,
    playing_profile,
    set_token_cookie,
)
from number_duels.web.assets import CHECKED, send
from number_duels.web.config import MIB
from number_duels.web.errors import ApiError, refused
from number_duels.web.network import is_loopback
from number_duels.web.service import commands, solver_tasks
from number_duels.web.service.game_sessions import GameSession
from number_duels.web.service.new_game import FRIEND, HERE, GameRequest
from number_duels.web.service.solver_tasks import steps_view
from number_duels.web.service.view_models import StepView, View
from number_duels.web.service.views import encode

WITHOUT_SOLVER = (FRIEND, HERE, "random")
games = APIRouter(prefix="/api", responses=PROBLEMS)

# The most frequent routes come first.


@games.post("/games/{id}/moves", response_model=View)
async def move(body: models.Choice, asked: Asked, service: Service) -> Response:
    """Play a move. Sending the same move again changes nothing."""
    command = commands.play(asked.acting_seat(body), body.turn, body.move)
    await service.change(asked.session, command)
    return json_answer(asked.session.view(asked.seat))


@games.post("/games/{id}/draw", response_model=View)
async def draw(asked: Asked, service: Service, body: models.InTurn | None = None) -> Response:
    """Draw a card. It must be the caller's turn to draw."""
    seat = asked.acting_seat(body)
    command = commands.draw(seat, body.turn if body else None)
    await service.change(asked.session, command)
    # At a shared device, the other player was asked to look away before the draw.
    return json_answer(asked.session.view(asked.seat, ready=seat))


@games.post("/games/{id}/ready", response_model=View)
async def confirm(asked: Asked, body: models.InTurn | None = None) -> Response:
    """Show what only the player who acts next may see, if both players share a device."""
    seat, session = asked.acting_seat(body), asked.session
    if body is not None and body.turn is not None:
        commands.check_turn(session.match, body.turn)
    return json_answer(session.view(asked.seat, ready=seat))


@games.get("/games/{id}", response_model=View)
async def look(asked: Asked, request: Request) -> Response:
    """Return the game as the caller may see it."""
    answer = json_answer(asked.session.view(asked.seat))
    if asked.seat is not None and "authorization" not in request.headers:
        let_follow(request, answer, asked.session.stored.id)
    return answer


@games.post("/games/{id}/resign", response_model=View)
async def resign(asked: Asked, service: Service, body: models.Acting | None = None) -> Response:
    """Resign the game. If nobody has joined yet, the game is removed."""
    session = asked.session
    if await service.resign(session, asked.acting_seat(body)):
        return json_answer(session.view(asked.seat))
    last: View = json.loads(session.view(asked.seat))
    reason = "The game was canceled; nobody had joined."
    return json_answer(encode({**last, "over": True, "reason": reason}))


@games.post("/games/{id}/claim", response_model=View)
async def claim(asked: Asked, service: Service, body: models.InTurn | None = None) -> Response:
    """Claim the win when the opponent has been away too long on their turn."""
    await service.claim(asked.session, asked.require_player(), body.turn if body else None)
    return json_answer(asked.session.view(asked.seat))


@games.get("/catalogue", response_model=models.Catalogue)
async def catalogue(service: Service, request: Request) -> Response:
    """Return the games, with their rules and settings, and the computer opponents."""
    return send(request, await catalogue_asset(service.config.solve_limit * MIB), CHECKED)


@games.get("/addresses")
async def addresses(request: Request) -> models.Addresses:
    """Return the addresses at which other machines can reach the server.

    The list is empty if the caller is on another machine.
    """
    known: list[str] = getattr(request.app.state, "addresses", [])
    # Remote callers must not learn this machine's addresses in its local networks.
    here = request.client is not None and is_loopback(request.client.host)
    return models.Addresses(addresses=known if here else [])


@games.post("/qr")
async def qr_code(body: models.CodeText, request: Request) -> models.CodePicture:
    """Return a QR code of a text."""
    # Making a code takes as long as a simple question to the solver.
    await admit_expensive(request, "codes")
    code = segno.make(body.text, error="m", micro=False)
    return models.CodePicture(svg=code.svg_inline(omitsize=True, light="#fff"))


@games.get("/analysis", name="analysis", response_model=models.AnalysisFacts)
async def analyze(
    service: Service,
    request: Request,
    *,
    game: Annotated[str, Query(max_length=64)],
    moves: Annotated[str, Query(max_length=2000)] = "",
    line: Annotated[str, Query(max_length=2000)] = "",
    deal: Annotated[str | None, Query(max_length=1000)] = None,
    first: Literal["1", "2"] | None = None,
    settings: Annotated[list[str] | None, Query(alias="set", max_length=20)] = None,
    players: Annotated[list[str] | None, Query(alias="player", min_length=2, max_length=2)] = None,
) -> Response:
    """Return a position's board and value, and the value of every option."""
    asked = solver_tasks.AnalysisRequest(
        game, moves, deal or None, first, tuple(settings or ()), line
    )
    await admit_question(request)
    with refused(422):
        if players is not None:
            check_names(*players)
            asked = replace(asked, names=(players[0], players[1]))
        rules = solver_tasks.session_of(asked).game
        found = await service.worker.ask(client_name(request), rules, solver_tasks.analysis, asked)
    return json_answer(encode(found))


@games.get("/solving")
async def solving(
    service: Service,
    *,
    game: Annotated[str, Query(max_length=64)],
    first: Literal["1", "2"] | None = None,
    settings: Annotated[list[str] | None, Query(alias="set", max_length=20)] = None,
) -> models.SolvingFacts:
    """Return how much of a game the server has solved so far."""
    asked = solver_tasks.AnalysisRequest(game, first=first, settings=tuple(settings or ()))
    with refused(422):
        return models.SolvingFacts(share=service.worker.solved_share(solver_tasks.game_of(asked)))


@games.post("/games", status_code=201)
async def start(
    body: models.NewGame, service: Service, request: Request, response: Response
) -> models.Started:
    """Start a game against a friend, at this device or another, or against the computer."""
    await admit_expensive(request, "new games")
    if body.opponent not in WITHOUT_SOLVER:
        await admit_question(request)
    asked = GameRequest(
        body.game,
        body.settings,
        Seat(body.seat - 1),
        body.name,
        body.opponent,
        body.first,
        body.deal,
        body.seed,
        await playing_profile(request),
        body.moves,
        body.opponent_name,
        # Only the page without a server shows a table before its game is stored.
        request.scope.get("game_id"),
        request.scope.get("game_seed"),
    )
    stored, seat, token = await service.start(asked, client_name(request))
    set_token_cookie(request, response, stored.id, token)
    return models.Started(id=stored.id, seat=seat + 1, token=token)


@games.post("/games/{id}/seats", status_code=201)
async def join(
    body: models.Joining, asked: Asked, service: Service, request: Request, response: Response
) -> models.Seated:
    """Take the free seat in a game."""
    profile = await playing_profile(request)
    seat, token = await service.join(asked.session, body.name, profile)
    set_token_cookie(request, response, asked.session.stored.id, token)
    return models.Seated(seat=seat + 1, token=token)


@games.post("/games/{id}/rematch", status_code=201)
async def rematch(
    asked: Asked,
    service: Service,
    request: Request,
    response: Response,
    _: models.Nothing | None = None,
) -> models.Started:
    """Start a rematch with the seats swapped, or join the rematch that the opponent started.

    The token is empty if another browser with the same profile has already taken the seat.
    """
    seat = asked.require_player()
    await admit_expensive(request, "new games")
    profile = await playing_profile(request)
    game, new_seat, token = await service.rematch(asked.session, seat, asked.token, profile)
    if token:
        set_token_cookie(request, response, game, token)
    return models.Started(id=game, seat=new_seat + 1, token=token)


@games.get("/games/{id}/record", response_model=models.RecordFacts)
async def record(asked: Asked) -> Response:
    """Return the record of a game.

    While the game is running, the record leaves out the seed and all hidden information.
    """
    session = asked.session
    found = replace(session.match.record_for(asked.viewer), players=session.stored.players)
    answer = json_answer(found.to_json().encode())
    file = f"{session.stored.name}-{re.sub('[^0-9]', '', session.stored.started)}.json"
    answer.headers["Content-Disposition"] = f'inline; filename="{file}"'
    return answer


@games.get("/games/{id}/steps", response_model=list[StepView])
async def steps(asked: Asked) -> Response:
    """Return a finished game turn by turn, for a replay."""
    require_ended(asked.session, "replayed")
    session, viewer = asked.session, asked.viewer
    if viewer not in session.steps:
        # This takes up to 50 ms, so it must not block the event loop.
        found = await to_thread(steps_view, session.stored, session.match, viewer)
        session.steps[viewer] = encode(found)
    return json_answer(session.steps[viewer])


@games.get("/games/{id}/hint", response_model=models.HintFacts)
async def hint(asked: Asked, service: Service, request: Request) -> Response:
    """Return the values of the caller's options, in a game against the computer."""
    seat, session = asked.require_player(), asked.session
    if session.stored.seats[seat.other].who == HUMAN:
        raise ApiError(403, "Hints are only for games against the computer.")
    if session.stored.over or not session.match.options(seat):
        raise ApiError(409, "It's not your turn.")
    if not session.match.hides_nothing_from(seat):
        raise ApiError(409, "You can't get a hint while a card is hidden from you.")
    client, stored, match = client_name(request), session.stored, session.match
    with refused(409):
        found = await service.worker.ask(
            client, stored.game, solver_tasks.hint, stored, match, seat
        )
    return json_answer(encode(found))


@games.get("/games/{id}/review", response_model=models.ReviewFacts)
async def review(asked: Asked, service: Service, request: Request) -> Response:
    """Return what each move of a finished game cost the player who made it."""
    session, viewer = asked.session, asked.viewer
    require_ended(session, "reviewed")
    if viewer not in session.reviews:
        if viewer is None:
            await admit_question(request)
        names, match = session.stored.names_for(viewer), session.match
        with refused(409):
            found = await service.worker.ask(
                client_name(request), match.game, solver_tasks.review_game, match, names, viewer
            )
        session.reviews[viewer] = encode(found)
    return json_answer(session.reviews[viewer])


def require_ended(session: GameSession, what: str) -> None:
    if not session.stored.over:
        raise ApiError(409, f"A game can be {what} only when it is over.")
