"""A server in a process of its own, which a test can kill and start again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import IO, Protocol, TypeVar

import httpx

from tests.patience import PATIENCE_S
from tests.web.limited import as_variable

T = TypeVar("T")

HOST = "127.0.0.1"
#: Below those that systems give to who connects, so that a server that starts again has its own.
PORTS = range(10_000, 30_000)
COMMAND = [sys.executable, "-m", "tests.web.limited"]
#: Every test is the same client to the server, so a client's limits are lifted.
LIFTED: Mapping[str, object] = {
    "strictness": "off",
    "grace": 0.2,
    "trusted_proxies": "127.0.0.1",
}


def free_port() -> int:
    """A port that nobody uses."""
    while True:
        port = SystemRandom().choice(PORTS)
        with socket.socket() as found, suppress(OSError):
            found.bind((HOST, port))
            return port


def until(wanted: Callable[[], object]) -> None:
    """Wait for what another process must come to show."""
    end = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < end, "this did not come to be"
        time.sleep(0.02)


def run(work: Coroutine[object, object, T]) -> T:
    """Run in a thread of its own, whatever loop a browser keeps running in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


class Process(Protocol):
    """What tests use of a process, as `subprocess.Popen` has it."""

    pid: int

    @property
    def stdout(self) -> IO[str] | None: ...

    def poll(self) -> int | None: ...
    def send_signal(self, sig: int) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


@dataclass
class Server:
    """One server, at one address and on one database for as long as the test lasts."""

    folder: Path
    database: str
    environment: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=lambda: LIFTED)
    command: Sequence[str] = tuple(COMMAND)
    port: int = field(default_factory=free_port)
    process: Process | None = None

    @property
    def alive(self) -> bool:
        """Whether it was started and not ended since."""
        return self.process is not None

    @property
    def log_file(self) -> Path:
        return self.folder / "server.log"

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        folders = {"XDG_DATA_HOME": str(self.folder / "DATA")}
        self.process = self.new_process(
            ["--port", str(self.port), "--database", self.database],
            {**os.environ, **folders, **as_variable(self.settings), **self.environment},
        )
        assert self.process.stdout is not None
        # The address is printed once it answers; before that it is of no use to ask.
        if self.process.stdout.readline():
            with self.client() as http:
                until(lambda: http.get("/readyz").status_code == 200)
                return
        raise AssertionError(f"the server did not start:\n{self.log}")

    def new_process(self, options: list[str], environment: Mapping[str, str]) -> Process:
        """The command, as a user starts it."""
        with self.log_file.open("a") as log:
            return subprocess.Popen(
                [*self.command, *options],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def client(self) -> httpx.Client:
        """A client without cookies; it needs no certificates, which take a while to read."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE_S, verify=False)

    @property
    def log(self) -> str:
        """What the server said on standard error."""
        return self.log_file.read_text()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        return self._end(signal.SIGTERM)

    def restart(self) -> None:
        """The same server again, on the same database."""
        self.start()

    def _end(self, by: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(by)
        status = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return status
