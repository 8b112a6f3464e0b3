"""Start and stop the server process."""

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

#: How long the event loop may run before Python switches to another thread.
SWITCH_INTERVAL_S = 0.0005
#: At least a million objects are created between two full collections.
GARBAGE_THRESHOLDS = 2_000, 5, 100
SIGNAL_CHECK_S = 0.05


class DatabaseUnusable(Exception): ...


class Server(uvicorn.Server):
    """A server that reports when it is ready, and ends its event streams before it stops."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], clock: Clock = SYSTEM_CLOCK
    ) -> None:
        super().__init__(config)
        self.ready = ready
        self.clock = clock
        self.sweeper: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.sweeper = asyncio.create_task(self.app.state.connections.end_overdue())
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Load balancers need time to notice that the server is not ready.
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
        """Keep serving for `seconds`, or until a second signal arrives."""
        told = len(self._captured_signals)
        end = self.clock.monotonic() + seconds
        while self.clock.monotonic() < end and len(self._captured_signals) == told:
            await self.clock.sleep(SIGNAL_CHECK_S)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn would raise the signal again.
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def listen(host: str, port: int) -> socket.socket:
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
    set_up_logs(config)
    # SQLite runs in a thread. While the event loop is busy, each of its steps would wait for the
    # default interval of five milliseconds.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    check_database(config.database, config)

    def opened() -> None:
        ready()
        server.app.state.service.worker.start()

    server = new_server(listening, config.database, config, opened)
    server.app.state.connections.fit_descriptors()
    load_solvers()  # loading them on first use would block running games
    settle_garbage()
    server.run(sockets=[listening])
    return server.started


def settle_garbage() -> None:
    # A full collection can take half a second and frees almost nothing.
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
    try:
        asyncio.run(check_schema(url, config))
    except SchemaTooNew as error:
        raise DatabaseUnusable(f"{error}.") from None
    except (SQLAlchemyError, DatabaseUnavailable) as error:
        reason = describe_failure(error)
        raise DatabaseUnusable(f"The database cannot be used: {reason}.") from None


async def check_schema(url: str, config: Config) -> None:
    repository = GameRepository(url, config)
    try:
        await repository.open()
    finally:
        await repository.close()
