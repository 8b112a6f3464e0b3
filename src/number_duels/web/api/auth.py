"""Who asks: a seat is held by a token, in a cookie of its game or in a header; never in a link.

A seat that belongs to a profile is open to the cookie of the profile, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from number_duels.core.game import Seat
from number_duels.web.errors import ApiError
from number_duels.web.network import client_of
from number_duels.web.request_limits import (
    PROFILE_COOKIE,
    RequestRates,
    cookie_name,
    profile_token,
    token_of,
)
from number_duels.web.service.games import GameService
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.sessions import GameSession

COOKIE_MAX_AGE_S = 30 * 24 * 60 * 60
PROFILE_COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60
#: Profiles are of no use to pages and their files.
PROFILE_COOKIE_PATH = "/api"
#: Where a browser follows several games; a seat's own cookie is not sent there, as one browser may
#: have hundreds.
STREAM_PATH = "/api/events"
FOLLOW_MAX_AGE_S = 60
CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """Who asks about which game; no seat: a spectator."""

    session: GameSession
    seat: Seat | None
    token: str
    #: The profile by which the seat was found, where its own token was not sent.
    profile: str | None = None

    def require_player(self) -> Seat:
        """The seat of a player; a spectator is refused."""
        if self.seat is None:
            raise ApiError(401, "Only the players can do this; send your seat's token.", CHALLENGE)
        return self.seat


def rates_of(request: Request) -> RequestRates:
    rates: RequestRates = request.app.state.rates
    return rates


def games_of(request: Request) -> GameService:
    service: GameService = request.app.state.service
    return service


def client_name(request: Request) -> str:
    """The client, for limits."""
    return client_of(request.client.host if request.client else "")


async def admit_expensive(request: Request, what: str, cost: float = 1.0) -> None:
    """Let in what costs much; refused to a client that asks for too much of it."""
    await rates_of(request).admit_expensive(client_name(request), what, cost)


async def find_caller(id: str, request: Request) -> Caller:  # noqa: A002 (the path's own name)
    """The caller, by the token; a wrong token is refused, none at all is a spectator's."""
    session = await games_of(request).find(id)
    token = token_of(request, id)
    if token is None:
        raise ApiError(401, "Send the token as `Authorization: Bearer TOKEN`.", CHALLENGE)
    seat = session.stored.seat_of(token) if token else None
    profile = None
    if seat is None and (profile := await profile_in(session, request)):
        seat = session.stored.seat_of_profile(profile)
        token = token if seat is None else profile_token(request)
    if token and seat is None:
        raise ApiError(401, "This token holds no seat here.", CHALLENGE)
    if token:
        rates_of(request).remember_seat(token)
    if seat is not None:
        session.saw(seat)
    return Caller(session, seat, token, profile)


async def profile_in(session: GameSession, request: Request) -> str | None:
    """The id of the browser's profile, in a game in which somebody has one."""
    if not any(holder.profile for holder in session.stored.seats):
        return None
    profile = await find_profile(request)
    return profile.id if profile else None


def profiles_of(request: Request) -> ProfileService:
    profiles: ProfileService = request.app.state.profiles
    return profiles


async def find_profile(request: Request) -> Profile | None:
    """The profile of the browser, by its cookie; None if it has none, or has one that is gone.

    A program has none: where a request with a token of its own comes from is not checked.
    """
    if "authorization" in request.headers:
        return None
    return await profiles_of(request).find(profile_token(request))


async def playing_profile(request: Request) -> str | None:
    """The id of the profile that a new seat belongs to; it is kept for longer from now on."""
    profile = await find_profile(request)
    if profile is not None:
        await profiles_of(request).played(profile)
    return profile.id if profile else None


def set_profile_cookie(request: Request, response: Response, token: str) -> None:
    """Let the browser have a profile, for another year from now."""
    response.set_cookie(
        PROFILE_COOKIE,
        token,
        max_age=PROFILE_COOKIE_MAX_AGE_S,
        path=PROFILE_COOKIE_PATH,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def forget_profile_cookie(request: Request, response: Response) -> None:
    response.delete_cookie(
        PROFILE_COOKIE,
        path=PROFILE_COOKIE_PATH,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def let_follow(request: Request, response: Response, game: str) -> None:
    """Let the browser's one stream for all its games have this seat, if it opens one soon."""
    token = request.cookies.get(cookie_name(game))
    if token:
        response.set_cookie(
            cookie_name(game),
            token,
            max_age=FOLLOW_MAX_AGE_S,
            path=STREAM_PATH,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )


def set_token_cookie(request: Request, response: Response, game: str, token: str) -> None:
    """Let the browser hold a seat; no page's script can read it, no other site can use it."""
    rates_of(request).remember_seat(token)
    response.set_cookie(
        cookie_name(game),
        token,
        max_age=COOKIE_MAX_AGE_S,
        path=f"/api/games/{game}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
