"""The server of a page without a server, in this process: requests are messages, not HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TypeVar

import httpx

from number_duels.core.clock import Clock
from number_duels.web.pyodide import Call, LocalServer
from tests.patience import PATIENCE_S
from tests.web.local import PATIENT_CLOCK

T = TypeVar("T")


class MemoryStorage:
    """The storage of a browser, which may be full."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.full = False
        self.solutions: dict[str, bytes] = {}
        self.saves = 0

    async def load(self) -> Mapping[str, bytes]:
        return dict(self.files)

    async def save(self, files: Mapping[str, bytes]) -> None:
        if self.full:
            raise OSError("full")
        self.files = dict(files)
        self.saves += 1

    async def solution(self, name: str) -> bytes | None:
        return self.solutions.get(name)


class InBrowser(httpx.BaseTransport):
    """Passes the requests of a client on, and keeps no cookies: the server keeps them itself."""

    def __init__(self, folder: Path, storage: MemoryStorage, clock: Clock) -> None:
        #: Whether everything was saved when the last request was answered.
        self.kept = True
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self.run(opened(folder, storage, clock))

    def run(self, work: Coroutine[object, object, T]) -> T:
        found: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return found.result(PATIENCE_S)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        wanted = ("content-type", "accept", "authorization")
        headers = {name: text for name, text in request.headers.items() if name in wanted}
        target = request.url.raw_path.decode()
        call = Call(request.method, target, headers, request.read())
        answer = self.run(self.server.answer(call))
        lines = [line for line in answer.headers if line[0] != "set-cookie"]
        self.kept = answer.kept
        return httpx.Response(answer.status, headers=lines, content=answer.body)

    def close(self) -> None:
        self.run(self.server.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE_S)
        self.loop.close()


async def opened(folder: Path, storage: MemoryStorage, clock: Clock) -> LocalServer:
    found = LocalServer(folder, storage, clock)
    await found.open()
    return found


@contextmanager
def in_browser(
    folder: Path, storage: MemoryStorage | None = None, clock: Clock = PATIENT_CLOCK
) -> Iterator[httpx.Client]:
    """A client of a server that runs as in a browser, with what its storage holds."""
    within = InBrowser(folder, storage or MemoryStorage(), clock)
    with httpx.Client(transport=within, base_url="http://localhost") as http:
        yield http
