"""Who asks: a seat is held by a token, in a cookie of its game or in a header; never in a link."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response

from number_duels.core.game import Seat
from number_duels.web.errors import ApiError
from number_duels.web.rate_limits import RateLimiter
from number_duels.web.service.games import GameService
from number_duels.web.service.sessions import GameSession

COOKIE_MAX_AGE_S = 30 * 24 * 60 * 60
CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """Who asks about which game; no seat: a spectator."""

    session: GameSession
    seat: Seat | None
    token: str

    def require_player(self) -> Seat:
        """The seat of a player; a spectator is refused."""
        if self.seat is None:
            raise ApiError(401, "Only the players can do this; send your seat's token.", CHALLENGE)
        return self.seat

    def check_rate(self, limiter: RateLimiter) -> None:
        """Refuse a seat that sends too much at once."""
        if not limiter.allow((self.session.stored.id, self.seat)):
            raise ApiError(429, "Too many moves at once; wait a moment.", {"Retry-After": "1"})


async def find_caller(id: str, request: Request) -> Caller:  # noqa: A002 (the path's own name)
    """The caller, by the token; a wrong token is refused, none at all is a spectator's."""
    service: GameService = request.app.state.service
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", id):
        raise ApiError(404, "There is no such game; it may have expired.")
    session = await service.find(id)
    token = token_of(request, id)
    seat = session.stored.seat_of(token) if token else None
    if token and seat is None:
        raise ApiError(401, "This token holds no seat here.", CHALLENGE)
    return Caller(session, seat, token)


def token_of(request: Request, game: str) -> str:
    """The token of a request; empty if there is none."""
    header = request.headers.get("authorization")
    if header is None:
        return request.cookies.get(cookie_name(game), "")
    scheme, _, token = header.partition(" ")
    if scheme.casefold() != "bearer" or not token.strip():
        raise ApiError(401, "Send the token as `Authorization: Bearer TOKEN`.", CHALLENGE)
    return token.strip()


def cookie_name(game: str) -> str:
    return f"duels_{game}"


def set_token_cookie(request: Request, response: Response, game: str, token: str) -> None:
    """Let the browser hold a seat; no page's script can read it, no other site can use it."""
    response.set_cookie(
        cookie_name(game),
        token,
        max_age=COOKIE_MAX_AGE_S,
        path=f"/api/games/{game}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
