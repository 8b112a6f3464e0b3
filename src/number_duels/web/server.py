"""Running the application: listen, say where, stop well."""

from __future__ import annotations

import asyncio
import gc
import math
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.app import build
from number_duels.web.config import Config
from number_duels.web.connections import ConnectionLimits, LimitedProtocol
from number_duels.web.db.engine import describe_failure
from number_duels.web.db.repository import GameRepository
from number_duels.web.errors import DatabaseUnavailable, SchemaTooNew
from number_duels.web.network import addresses_for_others
from number_duels.web.service.games import GameService
from number_duels.web.service.solve_limits import load_solvers
from number_duels.web.telemetry import set_up_logs

#: How long the event loop may keep a thread from running.
SWITCH_INTERVAL_S = 0.0005
#: Objects after which new ones are looked through, how often that is done before a look at those
#: that were left, and how often that before a look at everything: a million objects.
GARBAGE_THRESHOLDS = 2_000, 5, 100
#: How often a server that drains looks for a second signal.
SIGNAL_CHECK_S = 0.05


class DatabaseUnusable(Exception):
    """A database that cannot be opened; the message says why."""


class Server(uvicorn.Server):
    """Says when it is ready; ends its streams before it waits for the requests under way."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], clock: Clock = SYSTEM_CLOCK
    ) -> None:
        super().__init__(config)
        self.ready = ready
        self.clock = clock
        self.sweeper: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self.sweeper = asyncio.create_task(self.app.state.connections.end_overdue())
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop well."""
        # First everybody who sends people here must have noticed.
        service: GameService = self.app.state.service
        service.draining = True
        await self.wait(service.config.drain)
        service.close_streams()
        await super().shutdown(sockets)
        if self.sweeper is not None:
            self.sweeper.cancel()

    @property
    def app(self) -> FastAPI:
        app = self.config.app
        assert isinstance(app, FastAPI)
        return app

    async def wait(self, seconds: float) -> None:
        """Go on serving for a while; an impatient second signal ends it."""
        told = len(self._captured_signals)
        end = self.clock.monotonic() + seconds
        while self.clock.monotonic() < end and len(self._captured_signals) == told:
            await self.clock.sleep(SIGNAL_CHECK_S)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """To be told to stop is how a server ends well, so the signal is not raised again."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; an OSError says why not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(2048)
    except BaseException:
        found.close()
        raise
    found.set_inheritable(False)
    return found


def run(listening: socket.socket, config: Config, ready: Callable[[], None]) -> bool:
    """Serve until told to stop; False if it could not start."""
    set_up_logs(config)
    # SQLite answers from a thread, which else waits five milliseconds for each of its steps
    # while the loop is busy.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    check_database(config.database, config)
    server = new_server(listening, config.database, config, ready)
    server.app.state.connections.fit_descriptors()
    load_solvers()  # the first question would hold up the games that are played by then
    settle_garbage()
    server.run(sockets=[listening])
    return server.started


def settle_garbage() -> None:
    """Keep what was made by now, and let Python look through everything seldom from now on.

    A look at everything takes half a second with a thousand games, and whoever opens many
    connections would make it happen again and again. It finds next to nothing: what the server
    makes and throws away goes by itself.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def new_server(
    listening: socket.socket,
    url: str,
    config: Config,
    ready: Callable[[], None],
    clock: Clock = SYSTEM_CLOCK,
) -> Server:
    """A server that is still to be run; it changes nothing of the process it is in."""
    app = build(url, config, clock)
    app.state.connections = ConnectionLimits(config, clock)
    host, port = listening.getsockname()[:2]
    app.state.addresses = addresses_for_others(host, port)
    settings = uvicorn.Config(
        app,
        http=LimitedProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=config.trusted_proxies,
        timeout_keep_alive=math.ceil(config.wait_time),
        timeout_graceful_shutdown=math.ceil(config.farewell),
    )
    return Server(settings, ready, clock)


def check_database(url: str, config: Config) -> None:
    """Open the database once, so that DatabaseUnusable says in a sentence what is wrong."""
    try:
        asyncio.run(check_schema(url, config))
    except SchemaTooNew as error:
        raise DatabaseUnusable(f"{error}.") from None
    except (SQLAlchemyError, DatabaseUnavailable) as error:
        reason = describe_failure(error)
        raise DatabaseUnusable(f"The database cannot be used: {reason}.") from None


async def check_schema(url: str, config: Config) -> None:
    """Create the tables where there are none, or look whether they are ours."""
    repository = GameRepository(url, config)
    try:
        await repository.open()
    finally:
        await repository.close()
