"""A server in this process, in a thread of its own: it answers at a real address, and is quick."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread, get_ident
from typing import TypeVar

from number_duels.core.clock import Clock, SystemClock
from number_duels.web import server, telemetry
from number_duels.web.config import Config
from number_duels.web.service.games import GameService
from number_duels.web.service.worker import ANSWER_TIMEOUT_S
from tests.clock import ManualClock
from tests.patience import PATIENCE_S
from tests.web.limited import configured
from tests.web.serving import HOST, Server, free_port

T = TypeVar("T")
LOGGERS = ("number_duels", "uvicorn", "asyncio")


class PatientClock(SystemClock):
    """The system's clock for a server that a busy machine may hold up.

    The server gives its processes 30 seconds and more to start and to answer. A machine that runs
    other tests may need longer, and no test waits for these limits.
    """

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        patient = seconds is not None and seconds >= ANSWER_TIMEOUT_S
        return super().timeout(PATIENCE_S if patient else seconds)


PATIENT_CLOCK = PatientClock()


@dataclass
class LocalServer(Server):
    """One server; a test passes it a clock, and looks into it."""

    clock: Clock = PATIENT_CLOCK
    running: server.Server | None = field(default=None, init=False)
    loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    thread: Thread | None = field(default=None, init=False)

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.log_file.touch()
        listening = self._listen()
        self.port = listening.getsockname()[1]
        # Whoever has no clock of its own looks for old games when the test says so, too.
        seldom = {} if isinstance(self.clock, ManualClock) else {"sweep_every": 86400}
        config = configured({**seldom, **self.settings})
        ready = Event()

        def begin() -> None:
            self.loop = asyncio.get_running_loop()
            ready.set()

        self.running = running = server.new_server(
            listening, self.database, config, begin, self.clock
        )

        def serve() -> None:
            with listening, own_log(self.log_file, config):
                running.run(sockets=[listening])
            ready.set()

        self.thread = Thread(target=serve, daemon=True)
        self.thread.start()
        assert ready.wait(PATIENCE_S)
        assert running.started, self.log
        if isinstance(self.clock, ManualClock):
            # It has looked for old games and for games to grade, and does nothing now. From here
            # on it looks for old games when the test says so.
            self.clock.until_waiting(config.sweep_every, 2, after=config.sweep_every)
            assert self.loop is not None
            self.loop.call_soon_threadsafe(self.service._background[0].cancel)

    def _listen(self) -> socket.socket:
        """At its own port again after a restart; the first time at any that is free."""
        while self.running is None:
            with suppress(OSError):  # somebody else was quicker
                return server.listen(HOST, free_port())
        return server.listen(HOST, self.port)

    @property
    def service(self) -> GameService:
        """What is behind the address; to be used in its own loop."""
        assert self.running is not None
        found: GameService = self.running.app.state.service
        return found

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Do something in the loop of the server."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_S)

    def until(self, wanted: Callable[[], object]) -> None:
        """Wait until the server has come to something that it tells nobody."""

        async def wait() -> None:
            while not wanted():
                await asyncio.sleep(0.002)

        self.run(wait())

    def advance(self, seconds: float) -> None:
        """Let time pass on a clock of the test's own, with all looks for what is to be removed."""
        assert isinstance(self.clock, ManualClock)
        while seconds > 0:
            passed = min(seconds, self.service.config.sweep_every)
            self.clock.advance(passed)
            self.sweep()
            seconds -= passed

    def sweep(self) -> None:
        """Look for what is to be removed now."""
        self.run(self.service.expiry.sweep())

    @property
    def alive(self) -> bool:
        return self.thread is not None

    def paths_under_way(self) -> list[str]:
        """What is asked by requests whose answer is still to come."""
        assert self.running is not None
        cycles = (one.cycle for one in self.running.app.state.connections.open)
        return [one.scope["path"] for one in cycles if one and not one.response_complete]

    def begin_to_stop(self) -> None:
        """Ask it to end, and do not wait."""
        assert self.running is not None
        self.running.should_exit = True

    def _end(self, by: signal.Signals) -> int:
        if self.thread is None or self.running is None or self.loop is None:
            return 0
        if by is signal.SIGKILL:
            self.loop.call_soon_threadsafe(self._cut_off)
        self.begin_to_stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive(), "the server does not stop"
        self.thread = None
        return 0

    def _cut_off(self) -> None:
        """End every connection in the middle of whatever it was sent."""
        assert self.running is not None
        for connection in list(self.running.app.state.connections.open):
            connection.transport.abort()


@contextmanager
def own_log(file: Path, config: Config) -> Iterator[None]:
    """Write what is logged in this thread to a file, as the server would to standard error."""
    mine = get_ident()
    handler = logging.FileHandler(file)
    handler.addFilter(lambda record: record.thread == mine)
    handler.setLevel(config.log_level.upper())
    handler.setFormatter(
        telemetry.JsonLines()
        if config.log_format == "json"
        else telemetry.PlainLines(telemetry.PLAIN)
    )
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()
