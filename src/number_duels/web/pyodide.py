"""The server's application inside a browser: requests come as messages, files lie in its storage.

The script `static/page/worker.js` starts it with Pyodide, in a web worker.
"""

from __future__ import annotations

from asyncio import Lock, create_task
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http.cookies import SimpleCookie
from json import dumps, loads
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from sqlalchemy import Connection, event
from starlette.types import Message, Scope

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.app import build
from number_duels.web.config import ANY, DAY_S, Config
from number_duels.web.db.direct import DirectEngine
from number_duels.web.service.runner import InlineRunner, Runner

DATABASE, COOKIES = "games.sqlite3", "cookies.json"
NEVER_S = 100 * 365.0 * DAY_S
#: Nobody else asks this server, and it keeps what its browser keeps.
CONFIG = Config(
    expire_after=NEVER_S,
    keep_finished=NEVER_S,
    keep_profiles=NEVER_S,
    keep_new_profiles=NEVER_S,
    request_rate=ANY,
    request_burst=ANY,
    expensive_rate=ANY,
    expensive_burst=ANY,
)
SendChunk = Callable[[bytes], object]


class Storage(Protocol):
    """Keeps files by name. `save` keeps all of them or none."""

    async def load(self) -> Mapping[str, bytes]: ...

    async def save(self, files: Mapping[str, bytes]) -> None: ...


@dataclass(frozen=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class LocalServer:
    """The application, with a cookie jar of its own, since its caller has no HTTP."""

    def __init__(self, folder: Path, storage: Storage, clock: Clock = SYSTEM_CLOCK) -> None:
        self.folder = folder
        self.storage = storage
        self.clock = clock
        #: The value of each cookie, by its name and path.
        self.cookies: dict[tuple[str, str], str] = {}
        self._unsaved = False
        self._saving = Lock()
        self._stack = AsyncExitStack()

    async def open(self) -> None:
        files = await self.storage.load()
        self.folder.mkdir(parents=True, exist_ok=True)
        if DATABASE in files:
            (self.folder / DATABASE).write_bytes(files[DATABASE])
        if COOKIES in files:
            self.cookies = {(name, path): text for name, path, text in loads(files[COOKIES])}
        url = f"sqlite+pysqlite:///{self.folder / DATABASE}"
        self.app = build(url, CONFIG, self.clock, inline)
        engine = self.app.state.service.repository.engine
        assert isinstance(engine, DirectEngine)
        event.listen(engine.sync_engine, "commit", self._on_commit)
        await self._stack.enter_async_context(self.app.router.lifespan_context(self.app))

    async def close(self) -> None:
        await self._stack.aclose()
        await self.save()

    def _on_commit(self, connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            self._unsaved = True
            create_task(self.save())

    async def save(self) -> None:
        """Keep what has changed. A caller who waits for this knows that it is kept."""
        async with self._saving:
            if self._unsaved:
                self._unsaved = False
                jar = [(*which, text) for which, text in self.cookies.items()]
                await self.storage.save(
                    {
                        DATABASE: (self.folder / DATABASE).read_bytes(),
                        COOKIES: dumps(jar).encode(),
                    }
                )

    async def answer(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        on_chunk: SendChunk | None = None,
        until: Callable[[], Awaitable[object]] | None = None,
    ) -> Answer:
        """Answer a request. What it changed is saved before.

        An event stream sends its chunks to `on_chunk`, and ends when `until` returns.
        """
        path, _, query = target.partition("?")
        cookies = "; ".join(
            f"{name}={text}"
            for (name, where), text in self.cookies.items()
            if path.startswith(where)
        )
        sent = {"host": "localhost", "content-length": str(len(body)), **headers}
        if cookies:
            sent["cookie"] = cookies
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), text.encode()) for name, text in sent.items()],
            "client": ("127.0.0.1", 0),
            "server": ("localhost", 80),
        }
        unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        started: list[Message] = []
        pieces: list[bytes] = []

        async def receive() -> Message:
            if unread:
                return unread.pop()
            if until is not None:
                await until()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                self._take_cookies(message)
            elif on_chunk is not None:
                on_chunk(message.get("body", b""))
            else:
                pieces.append(message.get("body", b""))

        await self.app(scope, receive, send)
        await self.save()
        (start,) = started
        lines = tuple((name.decode(), text.decode()) for name, text in start["headers"])
        return Answer(start["status"], lines, b"".join(pieces))

    def _take_cookies(self, start: Message) -> None:
        for name, text in start["headers"]:
            if name == b"set-cookie":
                for key, morsel in SimpleCookie(text.decode()).items():
                    which = key, morsel["path"] or "/"
                    text = "" if morsel["max-age"] == "0" else morsel.value
                    if self.cookies.get(which, "") != text:
                        self._unsaved = True
                        self.cookies[which] = text


def inline(config: Config, niceness: int, clock: Clock) -> Runner:
    return InlineRunner()
