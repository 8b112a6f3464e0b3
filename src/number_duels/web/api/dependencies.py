"""Parts that routes share: services, callers, limits, cookies and refusals.

A seat is held by a token, in a cookie of its game or in a header; never in a link. A seat that
belongs to a profile is open to the cookie of the profile, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Depends, Request, Response

from number_duels.core.game import Seat
from number_duels.web.api import models
from number_duels.web.errors import ApiError
from number_duels.web.network import client_of
from number_duels.web.request_limits import (
    CODE_COST,
    PROFILE_COOKIE,
    RequestRates,
    cookie_name,
    profile_token,
    token_of,
)
from number_duels.web.service.game_sessions import GameSession
from number_duels.web.service.games import GameService
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.training import TrainingService

COOKIE_MAX_AGE_S = 30 * 24 * 60 * 60
PROFILE_COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60
#: Profiles are of no use to pages and their files.
PROFILE_COOKIE_PATH = "/api"
#: Where a browser follows several games; a seat's own cookie is not sent there, as one browser may
#: have hundreds.
STREAM_PATH = "/api/events"
FOLLOW_MAX_AGE_S = 60
CHALLENGE = {"WWW-Authenticate": "Bearer"}

#: The refusals of every route, for the description at `/api`.
PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": models.Problem, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        401: "A token is missing or wrong.",
        403: "This is not open to the caller.",
        404: "There is no such game.",
        408: "The request did not arrive in time.",
        409: "The game's current state does not allow this.",
        411: "The body comes in chunks, without a length.",
        413: "The body is too large.",
        414: "The address is too long.",
        421: "The server does not go by this name.",
        422: "The request does not fit its description, or the rules.",
        429: "Too many requests.",
        431: "The head is too large.",
        503: "The database does not answer, or the server is shutting down. Retry later.",
    }.items()
}


def json_answer(body: bytes) -> Response:
    """An answer that is JSON already."""
    return Response(body, media_type="application/json")


LINES_TYPE = "application/x-ndjson"
#: A file of JSON Lines, for the description.
LINES: dict[int | str, dict[str, object]] = {
    200: {"content": {LINES_TYPE: {"schema": {"type": "string"}}}}
}


def lines_answer(body: bytes, file: str) -> Response:
    """Answer with a file of JSON Lines to be kept."""
    kept = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(body, media_type=LINES_TYPE, headers=kept)


# ---- services and limits -------------------------------------------------------


def games_of(request: Request) -> GameService:
    service: GameService = request.app.state.service
    return service


def profiles_of(request: Request) -> ProfileService:
    profiles: ProfileService = request.app.state.profiles
    return profiles


def rates_of(request: Request) -> RequestRates:
    rates: RequestRates = request.app.state.rates
    return rates


def client_name(request: Request) -> str:
    """The client, for limits."""
    return client_of(request.client.host if request.client else "")


async def admit_expensive(request: Request, what: str, cost: float = 1.0) -> None:
    """Let in what costs much; refused to a client that asks for too much of it."""
    await rates_of(request).admit_expensive(client_name(request), what, cost)


async def admit_question(request: Request) -> None:
    """Wait until the solver may be asked; refused if it is asked too often."""
    await admit_expensive(request, "questions to the solver")


async def admit_rare(request: Request) -> None:
    """Let in a code, a whole book or all records; refused to a client that asks too often."""
    await admit_expensive(request, "codes or files", CODE_COST)


# ---- who asks ------------------------------------------------------------------


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


def require_profile(own: Profile | None) -> Profile:
    """The profile of the browser; refused where there is none."""
    if own is None:
        raise ApiError(401, "There is no profile in this browser; make one first.")
    return own


# ---- cookies -------------------------------------------------------------------


def set_cookie(
    request: Request,
    response: Response,
    name: str,
    token: str,
    *,
    max_age_s: int,
    path: str,
    same_site: Literal["lax", "strict"] = "strict",
) -> None:
    """Let the browser hold a token; no page's script can read it, no other site can use it."""
    response.set_cookie(
        name,
        token,
        max_age=max_age_s,
        path=path,
        httponly=True,
        samesite=same_site,
        secure=request.url.scheme == "https",
    )


def set_profile_cookie(request: Request, response: Response, token: str) -> None:
    """Set the profile's cookie for a year from now, or delete it if there is no token."""
    set_cookie(
        request,
        response,
        PROFILE_COOKIE,
        token,
        max_age_s=PROFILE_COOKIE_MAX_AGE_S if token else 0,
        path=PROFILE_COOKIE_PATH,
        same_site="lax",
    )


def set_token_cookie(request: Request, response: Response, game: str, token: str) -> None:
    """Let the browser hold a seat."""
    rates_of(request).remember_seat(token)
    path, name = f"/api/games/{game}", cookie_name(game)
    set_cookie(request, response, name, token, max_age_s=COOKIE_MAX_AGE_S, path=path)


def let_follow(request: Request, response: Response, game: str) -> None:
    """Let the browser's one stream for all its games have this seat, if it opens one soon."""
    name = cookie_name(game)
    token = request.cookies.get(name)
    if token:
        set_cookie(request, response, name, token, max_age_s=FOLLOW_MAX_AGE_S, path=STREAM_PATH)


# ---- by the type of a parameter ------------------------------------------------

# Coroutines, though they wait for nothing: FastAPI calls a plain function in another thread.


def part(name: str) -> Callable[[Request], Awaitable[object]]:
    """Return what finds a part of the application."""

    async def find(request: Request) -> object:
        found: object = getattr(request.app.state, name)
        return found

    return find


async def now_of(request: Request) -> datetime:
    return games_of(request).clock.now()


Now = Annotated[datetime, Depends(now_of)]
Service = Annotated[GameService, Depends(part("service"))]
Profiles = Annotated[ProfileService, Depends(part("profiles"))]
Training = Annotated[TrainingService, Depends(part("training"))]
Asked = Annotated[Caller, Depends(find_caller)]
Own = Annotated[Profile | None, Depends(find_profile)]
