"""Who asks: a seat is held by a token, in a cookie of its game or in a header; never in a link."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response

from number_duels.core.game import Seat
from number_duels.web.errors import Refusal
from number_duels.web.service.games import House
from number_duels.web.service.session import Live

MONTH = 30 * 24 * 60 * 60
MISSING = "Only the players can do this; send your seat's token."
CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """Who asks at which table; no seat: a spectator."""

    live: Live
    seat: Seat | None
    token: str

    def playing(self, house: House) -> Seat:
        """The seat of a player; a spectator is refused, and who asks too often."""
        if self.seat is None:
            raise Refusal(401, MISSING, CHALLENGE)
        if not house.seats.take((self.live.ledger.id, self.seat)):
            raise Refusal(429, "Too many moves at once; wait a moment.", {"Retry-After": "1"})
        return self.seat


async def caller(id: str, request: Request) -> Caller:  # noqa: A002 (the path's own name)
    """Who asks, by the token; a wrong token is refused, none at all is a spectator's."""
    house: House = request.app.state.house
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", id):
        raise Refusal(404, "There is no such game; it may have expired.")
    live = await house.find(id)
    token = token_of(request, id)
    seat = live.ledger.seat_of(token) if token else None
    if token and seat is None:
        raise Refusal(401, "This token holds no seat here.", CHALLENGE)
    return Caller(live, seat, token)


def token_of(request: Request, game: str) -> str:
    """The token of a request; empty if there is none."""
    header = request.headers.get("authorization")
    if header is None:
        return request.cookies.get(cookie_name(game), "")
    scheme, _, token = header.partition(" ")
    if scheme.casefold() != "bearer" or not token.strip():
        raise Refusal(401, "Send the token as `Authorization: Bearer TOKEN`.", CHALLENGE)
    return token.strip()


def cookie_name(game: str) -> str:
    """The name of a game's cookie."""
    return f"duels_{game}"


def give_cookie(request: Request, response: Response, game: str, token: str) -> None:
    """Let the browser hold a seat; no page's script can read it, no other site can use it."""
    response.set_cookie(
        cookie_name(game),
        token,
        max_age=MONTH,
        path=f"/api/games/{game}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
