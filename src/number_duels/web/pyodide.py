"""The server's application inside a browser. A web worker runs it with Pyodide.

The page sends its requests as messages, and the browser's storage keeps the database.
"""

from __future__ import annotations

from asyncio import Lock, Task, create_task, gather
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from json import dumps, loads
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from sqlalchemy import URL, Connection, event
from starlette.types import Message, Receive, Scope

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.solvers.cache import SolutionCache
from number_duels.solvers.solution import RANDOM_PLAY
from number_duels.solvers.solver import method_for
from number_duels.web.app import build
from number_duels.web.config import ANY, DAY_S, Config
from number_duels.web.service.runner import InlineRunner
from number_duels.web.service.worker import SolverWorker

DATABASE, COOKIES = "games.sqlite3", "cookies.json"
NEVER_S = 100 * 365.0 * DAY_S
#: Only this browser sends requests, and it keeps its games as long as its storage.
CONFIG = Config(
    expire_after=NEVER_S,
    keep_finished=NEVER_S,
    keep_profiles=NEVER_S,
    keep_new_profiles=NEVER_S,
    request_rate=ANY,
    request_burst=ANY,
    expensive_rate=ANY,
    expensive_burst=ANY,
    # Plain Python solves larger games too slowly. The page ships those with default settings.
    solve_limit=2,
)


class Storage(Protocol):
    """Files by name. `save` replaces all of them, or raises OSError and replaces none.

    `solution` returns a file of the solution cache that the page ships, or None.
    """

    async def load(self) -> Mapping[str, bytes]: ...

    async def save(self, files: Mapping[str, bytes]) -> None: ...

    async def solution(self, name: str) -> bytes | None: ...


@dataclass(frozen=True)
class Call:
    """A request. `target` is the path with its query, as in HTTP.

    `game` and `seed` are the id and the seed of the game that the request starts. With "" or None,
    the server chooses. If `settled`, the answer waits until the computer has done its part.
    """

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    game: str = ""
    seed: int | None = None
    settled: bool = False


@dataclass(frozen=True)
class Answer:
    """A response. `kept` is false if the storage refused to save what has changed."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    kept: bool


class LocalServer:
    """The application, the files that it keeps, and the cookies of its only browser."""

    def __init__(self, folder: Path, storage: Storage, clock: Clock = SYSTEM_CLOCK) -> None:
        self.storage = storage
        self.database = folder / DATABASE
        #: The value of each cookie, by its name and path.
        self.cookies: dict[tuple[str, str], str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        url = URL.create("sqlite+pysqlite", database=str(self.database))
        self.app = build(url, CONFIG, clock, self._make_worker)
        #: The solutions that the page was asked for.
        self._asked_for: set[str] = set()
        self._unsaved = False
        self._saving = Lock()
        self._later: Task[bool] | None = None
        self._stack = AsyncExitStack()

    def _make_worker(self, config: Config, clock: Clock) -> SolverWorker:
        return SolverWorker(config, clock, lambda *_: InlineRunner(), self._fetch)

    async def _fetch(self, game: AnyGame) -> None:
        """Put the solution of a game into the cache, if the page ships it."""
        identity = method_for(game).identity
        for kind in (identity, f"{RANDOM_PLAY} {identity}"):
            path = SolutionCache(game, kind).path()
            if path.name in self._asked_for or path.exists():
                continue
            found = await self.storage.solution(path.name)
            self._asked_for.add(path.name)
            if found is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(found)

    async def open(self) -> None:
        files = await self.storage.load()
        if DATABASE in files:
            self.database.write_bytes(files[DATABASE])
        if COOKIES in files:
            self.cookies = {(name, path): text for name, path, text in loads(files[COOKIES])}
        engine = self.app.state.service.repository.engine.sync_engine
        event.listen(engine, "commit", self._on_commit)
        await self._stack.enter_async_context(self.app.router.lifespan_context(self.app))

    async def close(self) -> None:
        await self._stack.aclose()
        await self.save()

    def _on_commit(self, connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            self._unsaved = True
            self._later = create_task(self.save())

    async def save(self) -> bool:
        """Save everything that has changed. Return whether it is saved.

        If not, the next call tries again.
        """
        async with self._saving:
            if self._unsaved:
                self._unsaved = False
                jar = [(*which, text) for which, text in self.cookies.items()]
                files = {DATABASE: self.database.read_bytes(), COOKIES: dumps(jar).encode()}
                try:
                    await self.storage.save(files)
                except OSError:
                    self._unsaved = True
            return not self._unsaved

    async def answer(self, call: Call) -> Answer:
        """Answer a request. Save its changes first, if the storage has room."""
        started: list[Message] = []
        pieces: list[bytes] = []
        unread: list[Message] = [{"type": "http.request", "body": call.body, "more_body": False}]

        async def receive() -> Message:
            return unread.pop() if unread else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                self._take_cookies(message)
            else:
                pieces.append(message.get("body", b""))

        await self.app(self._scope(call), receive, send)
        if call.settled:
            sessions = self.app.state.service.cache.sessions.values()
            await gather(*(one.computer_task for one in sessions if one.computer_task is not None))
        kept = await self.save()
        (start,) = started
        headers = tuple((name.decode(), text.decode()) for name, text in start["headers"])
        return Answer(start["status"], headers, b"".join(pieces), kept)

    async def stream(self, call: Call, on_chunk: Callable[[bytes], object], left: Receive) -> int:
        """Send the chunks of an event stream to `on_chunk` until `left` returns.

        Return the status.
        """
        status = 0
        unread: list[Message] = [{"type": "http.request", "body": call.body, "more_body": False}]

        async def receive() -> Message:
            return unread.pop() if unread else await left()

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif chunk := message.get("body"):
                on_chunk(chunk)

        await self.app(self._scope(call), receive, send)
        return status

    def _scope(self, call: Call) -> Scope:
        path, _, query = call.target.partition("?")
        cookies = "; ".join(
            f"{name}={text}"
            for (name, where), text in self.cookies.items()
            if text and path.startswith(where)
        )
        headers = {
            "host": "localhost",
            "content-length": str(len(call.body)),
            **call.headers,
            **({"cookie": cookies} if cookies else {}),
        }
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": call.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), text.encode()) for name, text in headers.items()],
            "client": ("127.0.0.1", 0),
            "server": ("localhost", 80),
            "game_id": call.game or None,
            "game_seed": call.seed,
        }

    def _take_cookies(self, start: Message) -> None:
        for name, line in start["headers"]:
            if name == b"set-cookie":
                for key, morsel in SimpleCookie(line.decode()).items():
                    which = key, morsel["path"] or "/"
                    text = "" if morsel["max-age"] == "0" else morsel.value
                    self._unsaved |= self.cookies.get(which, "") != text
                    self.cookies[which] = text
