"""Playing: what is asked most, and so is looked for first."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request, Response

from number_duels.web.api import models
from number_duels.web.api.auth import Caller, games_of, let_follow
from number_duels.web.api.dependencies import Asked, Service
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.service import commands
from number_duels.web.service.commands import Command
from number_duels.web.service.encoding import encode
from number_duels.web.service.view_models import View

play = APIRouter(prefix="/api", responses=PROBLEMS)


def json_answer(body: bytes, status: int = 200) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, media_type="application/json")


@play.post("/games/{id}/moves", response_model=View)
async def move(body: models.Choice, asked: Asked, request: Request) -> Response:
    """Choose a move; the same again changes nothing."""
    command = commands.play(asked.require_player(), body.turn, body.move)
    return await carry_out(request, asked, command)


@play.post("/games/{id}/draw", response_model=View)
async def draw(asked: Asked, request: Request, body: models.Drawing | None = None) -> Response:
    """Draw a card, in games with a deck, when it is the caller's turn."""
    command = commands.draw(asked.require_player(), body.turn if body else None)
    return await carry_out(request, asked, command)


@play.get("/games/{id}", response_model=View)
async def look(asked: Asked, request: Request) -> Response:
    """The game as the caller may see it."""
    answer = json_answer(asked.session.view(asked.seat))
    if asked.seat is not None and "authorization" not in request.headers:
        let_follow(request, answer, asked.session.stored.id)
    return answer


@play.post("/games/{id}/resign", response_model=View)
async def resign(asked: Asked, service: Service, _: models.Nothing | None = None) -> Response:
    """Give up; the other player wins. Where nobody has joined, the game is called off."""
    session = asked.session
    if await service.resign(session, asked.require_player()):
        return json_answer(session.view(asked.seat))
    last: View = json.loads(session.view(asked.seat))
    reason = "Nobody had joined; the game is called off."
    return json_answer(encode({**last, "over": True, "reason": reason}))


@play.post("/games/{id}/claim", response_model=View)
async def claim(asked: Asked, service: Service, body: models.Claiming | None = None) -> Response:
    """Win a game that waits for an opponent who has been away for too long."""
    await service.claim(asked.session, asked.require_player(), body.turn if body else None)
    return json_answer(asked.session.view(asked.seat))


async def carry_out(request: Request, asked: Caller, command: Command) -> Response:
    """Change the game, and answer with the new view."""
    await games_of(request).change(asked.session, command)
    return json_answer(asked.session.view(asked.seat))
