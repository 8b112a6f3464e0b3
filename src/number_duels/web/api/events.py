"""Server-sent events. A stream sends a game's view at the start and after every change."""

from __future__ import annotations

import json
from asyncio import Event, create_task
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from random import randint
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.types import Receive, Scope, Send

from number_duels.core.clock import Clock, Timer
from number_duels.core.game import Seat
from number_duels.web.api.dependencies import (
    PROBLEMS,
    Asked,
    Caller,
    Service,
    client_name,
    find_caller,
    rates_of,
)
from number_duels.web.errors import ApiError
from number_duels.web.service.game_sessions import GameSession, Listener
from number_duels.web.service.games import GameService

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(frozen=True)
class Followed:
    """A game that a stream follows.

    `counted_as` is the client or seat whose open streams are counted and limited.
    """

    session: GameSession
    viewer: Seat | None
    counted_as: str
    #: The profile that gave access to the seat. The stream ends if it no longer owns the seat.
    profile: str | None = None
    #: Whether the viewer does not count as present or watching.
    glances: bool = False

    @property
    def revoked(self) -> bool:
        if self.viewer is None or self.profile is None:
            return False
        return self.session.stored.seats[self.viewer].profile != self.profile


class EventStream(Response):
    media_type = "text/event-stream"

    def __init__(
        self,
        followed: Iterable[Followed],
        counts: Counter[str],
        heartbeat_s: float,
        *,
        release: str,
        clock: Clock,
        gone: Iterable[str] = (),
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self.woken = Event()
        self.games = {
            Listener(each.viewer, self.woken, glances=each.glances): each for each in followed
        }
        self.counts = counts
        self.clock = clock
        self.heartbeat_s = heartbeat_s
        #: If it changes, the page knows that the server was upgraded.
        self.release = release
        self.gone = tuple(gone)
        self.left = False
        self.due = 0.0
        self.silent = False
        self.timer: Timer | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("state", {}).get("head"):
            await super().__call__(scope, receive, send)
            return
        watcher = create_task(self.until_left(receive))
        self.due = self.clock.monotonic() + self.heartbeat_s
        self.beat()
        for listener, game in self.games.items():
            game.session.connect(listener)
            self.counts[game.counted_as] += 1
        try:
            headers = self.raw_headers
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            async for chunk in self.chunks():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except OSError:
            pass  # the client has disconnected, as most do
        finally:
            for listener in list(self.games):
                self.drop(listener)
            watcher.cancel()
            if self.timer is not None:
                self.timer.cancel()

    def drop(self, listener: Listener) -> None:
        game = self.games.pop(listener)
        game.session.disconnect(listener)
        self.counts[game.counted_as] -= 1
        if not self.counts[game.counted_as]:
            del self.counts[game.counted_as]

    async def until_left(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self.woken.set()

    def beat(self) -> None:
        now = self.clock.monotonic()
        if now >= self.due:
            self.silent, self.due = True, now + self.heartbeat_s
            self.woken.set()
        self.timer = self.clock.call_later(self.due - now, self.beat)

    async def chunks(self) -> AsyncIterator[bytes]:
        # Programs that look for `data: ` with a space see only views.
        alive = (
            b": still here\nevent: alive\ndata:%b\n\n"
            % json.dumps({"every_s": self.heartbeat_s, "release": self.release}).encode()
        )
        views = map(self.news, list(self.games))
        yield b"".join((b"retry: 1000\n\n", *views, *map(removed, self.gone), alive))
        while self.games:
            await self.woken.wait()
            self.woken.clear()
            if self.left:
                return
            self.due = self.clock.monotonic() + self.heartbeat_s
            if self.silent:
                self.silent = False
                yield alive
            for listener in list(self.games):
                closed = listener.closed and not listener.gone
                if closed or self.games[listener].revoked:
                    # A random delay keeps clients from all reconnecting at once.
                    yield b"retry: %d\n\n" % randint(100, 1500)
                    return
                chunk = self.news(listener)
                if chunk:
                    yield chunk

    def news(self, listener: Listener) -> bytes:
        session = self.games[listener].session
        if listener.gone:
            self.drop(listener)
            return removed(session.stored.id)
        if not listener.has_news:
            return b""
        listener.has_news = False
        view = session.view(listener.viewer)
        if view == listener.sent:
            return b""  # for example, because only this stream has connected
        listener.sent = view
        return b"event: view\nid: %d\ndata: %b\n\n" % (session.stored.version, view)


def removed(game: str) -> bytes:
    return b"event: gone\ndata:%b\n\n" % json.dumps({"id": game}).encode()


MAX_GAMES_PER_STREAM = 50
DESCRIPTION: dict[int | str, dict[str, object]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
streams = APIRouter(prefix="/api", responses=PROBLEMS)


@streams.get(
    "/games/{id}/events",
    status_code=200,
    response_class=EventStream,
    responses=DESCRIPTION,
)
async def events(asked: Asked, service: Service, request: Request) -> Response:
    """Stream the caller's view of a game, now and after every change."""
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
    game: Annotated[list[str], Query(max_length=MAX_GAMES_PER_STREAM, default_factory=list)],
    glance: Annotated[list[str], Query(max_length=MAX_GAMES_PER_STREAM, default_factory=list)],
) -> Response:
    """Stream several games. Send a `gone` event for each game that does not exist.

    Games in `glance` are streamed too, but the viewer does not count as present there.
    """
    wanted = dict.fromkeys([*game, *glance])
    if not 1 <= len(wanted) <= MAX_GAMES_PER_STREAM:
        raise ApiError(422, f"Send the ids of 1 to {MAX_GAMES_PER_STREAM} games.")
    # Finding fifty games is as much work as fifty requests.
    client = client_name(request)
    await rates_of(request).admit(client, client, len(wanted) - 1)
    found: list[Caller] = []
    gone: list[str] = []
    for one in wanted:
        try:
            found.append(await find_caller(one, request))
        except ApiError as error:
            if error.status != 404:
                raise
            gone.append(one)
    glances = frozenset(glance).difference(game)
    return open_stream(service, request, followed(found, service, request, glances), gone)


def open_stream(
    service: GameService, request: Request, games: Iterable[Followed], gone: Iterable[str] = ()
) -> EventStream:
    release: str = request.app.state.assets.release.name
    heartbeat_s, clock = service.config.heartbeat, service.clock
    return EventStream(games, service.streams, heartbeat_s, release=release, clock=clock, gone=gone)


def followed(
    callers: Iterable[Caller],
    service: GameService,
    request: Request,
    glances: frozenset[str] = frozenset(),
) -> list[Followed]:
    if service.closing:
        raise ApiError(503, "The server is stopping; connect again.", {"Retry-After": "1"})
    config, wanted = service.config, Counter[str]()
    found = []
    for asked in callers:
        # Seats are counted separately, because a whole school may share one address.
        who, most = client_name(request), config.client_streams
        if asked.seat is not None:
            who, most = f"{asked.session.stored.id} {asked.seat}", min(config.seat_streams, most)
        wanted[who] += 1
        if service.streams[who] + wanted[who] > most:
            raise ApiError(429, "Too many streams are open; close one.", {"Retry-After": "5"})
        glanced = asked.session.stored.id in glances
        found.append(Followed(asked.session, asked.seat, who, asked.profile, glanced))
    return found
