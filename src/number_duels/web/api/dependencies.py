"""Dependencies that the routes share: services, callers, limits, cookies and responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Depends, Request, Response

from number_duels.core.game import Seat
from number_duels.sessions.play import waits_for
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
from number_duels.web.service.views import seen_from

COOKIE_MAX_AGE_S = 30 * 24 * 60 * 60
PROFILE_COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60
PROFILE_COOKIE_PATH = "/api"
#: The stream of several games. Seat cookies are normally not sent to it, because a browser may have
#: hundreds of them.
STREAM_PATH = "/api/events"
FOLLOW_MAX_AGE_S = 60
CHALLENGE = {"WWW-Authenticate": "Bearer"}

PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": models.Problem, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        401: "A token is missing or wrong.",
        403: "The caller may not do this.",
        404: "There is no such game.",
        408: "The request did not arrive in time.",
        409: "The game's current state does not allow this.",
        411: "The body has no Content-Length.",
        413: "The body is too large.",
        414: "The address is too long.",
        421: "The server does not answer to this host name.",
        422: "The request is invalid, or breaks the rules of the game.",
        429: "Too many requests.",
        431: "The headers are too large.",
        503: "The database does not answer, or the server is shutting down. Retry later.",
    }.items()
}


def json_answer(body: bytes) -> Response:
    return Response(body, media_type="application/json")


LINES_TYPE = "application/x-ndjson"
LINES: dict[int | str, dict[str, object]] = {
    200: {"content": {LINES_TYPE: {"schema": {"type": "string"}}}}
}


def lines_answer(body: bytes, file: str) -> Response:
    kept = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(body, media_type=LINES_TYPE, headers=kept)


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
    return client_of(request.client.host if request.client else "")


async def admit_expensive(request: Request, what: str, cost: float = 1.0) -> None:
    await rates_of(request).admit_expensive(client_name(request), what, cost)


async def admit_question(request: Request) -> None:
    await admit_expensive(request, "questions to the solver")


async def admit_rare(request: Request) -> None:
    await admit_expensive(request, "codes or files", CODE_COST)


@dataclass(frozen=True)
class Caller:
    session: GameSession
    seat: Seat | None
    token: str
    #: The browser's profile, if it gave access to the seat instead of a token.
    profile: str | None = None

    def require_player(self) -> Seat:
        if self.seat is None:
            raise ApiError(
                401,
                "Only the players can do this; send the token that you got when you joined.",
                CHALLENGE,
            )
        return self.seat

    @property
    def viewer(self) -> Seat | None:
        return seen_from(self.session.stored, self.session.match, self.seat)

    def acting_seat(self, body: models.Acting | None) -> Seat:
        """Return the seat that the caller acts for, which may be either at a shared device."""
        own, stored = self.require_player(), self.session.stored
        wanted = None if body is None or body.seat is None else Seat(body.seat - 1)
        if not stored.shared and wanted not in (None, own):
            raise ApiError(403, "You can only act for your own seat.")
        if wanted is None and stored.shared:
            wanted = waits_for(self.session.match).seat
        return own if wanted is None else wanted


async def find_caller(id: str, request: Request) -> Caller:  # noqa: A002 (the path's own name)
    """Return the game and the caller's seat in it. Raise a 401 ApiError if the token is wrong."""
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
        raise ApiError(401, "This token does not belong to a player of this game.", CHALLENGE)
    if token:
        rates_of(request).remember_seat(token)
    if seat is not None and "glance" not in request.query_params:
        session.saw(seat)
    return Caller(session, seat, token, profile)


async def profile_in(session: GameSession, request: Request) -> str | None:
    if not any(holder.profile for holder in session.stored.seats):
        return None
    profile = await find_profile(request)
    return profile.id if profile else None


async def find_profile(request: Request) -> Profile | None:
    # A request with an Authorization header skips the origin check, so its cookie is ignored.
    if "authorization" in request.headers:
        return None
    return await profiles_of(request).find(profile_token(request))


async def playing_profile(request: Request) -> str | None:
    profile = await find_profile(request)
    if profile is not None:
        await profiles_of(request).played(profile)
    return profile.id if profile else None


def require_profile(own: Profile | None) -> Profile:
    if own is None:
        raise ApiError(401, "This browser has no profile; create one first.")
    return own


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
    rates_of(request).remember_seat(token)
    path, name = f"/api/games/{game}", cookie_name(game)
    set_cookie(request, response, name, token, max_age_s=COOKIE_MAX_AGE_S, path=path)


def let_follow(request: Request, response: Response, game: str) -> None:
    """Set a cookie that lets the page open an event stream for this seat within one minute."""
    name = cookie_name(game)
    token = request.cookies.get(name)
    if token:
        set_cookie(request, response, name, token, max_age_s=FOLLOW_MAX_AGE_S, path=STREAM_PATH)


# FastAPI would run plain functions in another thread.


def part(name: str) -> Callable[[Request], Awaitable[object]]:
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
