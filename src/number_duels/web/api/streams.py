"""Streams of events: of one game, or of all that a browser has open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from number_duels.web.api.auth import Caller, client_name, find_caller, rates_of
from number_duels.web.api.dependencies import Asked, Service
from number_duels.web.api.sse import EventStream, Followed
from number_duels.web.errors import ApiError
from number_duels.web.service.games import GameService

#: A stream that follows more would be another kind of program.
MAX_GAMES_PER_STREAM = 50
DESCRIPTION: dict[int | str, dict[str, object]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
streams = APIRouter()


@streams.get(
    "/games/{id}/events",
    status_code=200,
    response_class=EventStream,
    responses=DESCRIPTION,
)
async def events(asked: Asked, service: Service, request: Request) -> Response:
    """The view at once and whenever it changes, as server-sent events named `view`."""
    return open_stream(service, request, followed([asked], service, request))


@streams.get(
    "/events",
    status_code=200,
    response_class=EventStream,
    responses=DESCRIPTION,
)
async def events_of_several(
    service: Service,
    request: Request,
    game: Annotated[list[str], Query(min_length=1, max_length=MAX_GAMES_PER_STREAM)],
) -> Response:
    """The views of several games in one stream; an event `gone` for one that is not there."""
    # To look for fifty games is as much work as fifty requests.
    client = client_name(request)
    await rates_of(request).admit(client, client, len(game) - 1)
    found: list[Caller] = []
    gone: list[str] = []
    for one in dict.fromkeys(game):
        try:
            found.append(await find_caller(one, request))
        except ApiError as error:
            if error.status != 404:
                raise
            gone.append(one)
    return open_stream(service, request, followed(found, service, request), gone)


def open_stream(
    service: GameService, request: Request, games: Iterable[Followed], gone: Iterable[str] = ()
) -> EventStream:
    """A stream of games, and of those that are not there."""
    release: str = request.app.state.assets.release.name
    heartbeat_s, clock = service.config.heartbeat, service.clock
    return EventStream(games, service.streams, heartbeat_s, release=release, clock=clock, gone=gone)


def followed(callers: Iterable[Caller], service: GameService, request: Request) -> list[Followed]:
    """Games for a stream; refused if a caller has too many, with those of this stream."""
    if service.closing:
        raise ApiError(503, "The server is stopping; connect again.", {"Retry-After": "1"})
    config, wanted = service.config, Counter[str]()
    found = []
    for asked in callers:
        # A seat has its own streams: a whole school may share one address.
        who, most = client_name(request), config.client_streams
        if asked.seat is not None:
            who, most = f"{asked.session.stored.id} {asked.seat}", min(config.seat_streams, most)
        wanted[who] += 1
        if service.streams[who] + wanted[who] > most:
            raise ApiError(429, "Too many streams are open; close one.", {"Retry-After": "5"})
        found.append(Followed(asked.session, asked.seat, who, asked.profile))
    return found
