"""Limits on connections: how large a head may be, how long one may wait, how many there are."""

from __future__ import annotations

import asyncio
import json
import resource
from collections import Counter
from http import HTTPStatus
from logging import getLogger
from math import inf
from typing import TypeAlias

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.config import Config
from number_duels.web.gradually import Gradually
from number_duels.web.middleware.limits import SECURITY_HEADERS
from number_duels.web.network import within
from number_duels.web.rate_limits import RateLimiter, client_of

log = getLogger(__name__)

#: Descriptors for the database, the solver, files of the pages and logs.
RESERVED_FILES = 96
#: How often connections are looked at that may have to end.
CHECK_INTERVAL_S = 0.5
#: What is still on its way when a connection is closed has this long to arrive.
FLUSH_TIMEOUT_S = 2.0
#: A connection of a client that opens too many is read this much later.
ARRIVAL_DELAY_S = 0.25
#: Requests that wait on one connection; browsers send one after the other.
MAX_PIPELINED = 16

Refusal: TypeAlias = tuple[HTTPStatus, str]
UNREADABLE: Refusal = HTTPStatus.BAD_REQUEST, "This is no HTTP that the server can read."


class HeadRefused(Exception):
    """Thrown through the parser, which then reads no further."""


class ConnectionLimits:
    """The connections of one server, and how many there may be."""

    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK) -> None:
        self.config = config
        self.clock = clock
        self.most = config.open_connections
        self.open: set[LimitedProtocol] = set()
        self.arrivals = RateLimiter(config.arrival_rate, config.arrival_burst, clock)
        self.endings = Gradually(clock)
        self._by_client: Counter[str] = Counter()
        self._proxies = [name.strip() for name in config.trusted_proxies.split(",")]

    def fit_descriptors(self) -> None:
        """Raise the limit of open files as far as is wanted and allowed; say so if it is not."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self.config.open_connections + RESERVED_FILES
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (OSError, ValueError):
            allowed = soft
        if allowed < wanted:
            self.most = max(1, allowed - RESERVED_FILES)
            log.warning(
                "At most %d connections at once, not %d: this process may open %d files; "
                "allow it more (ulimit -n, LimitNOFILE) or lower --open-connections.",
                self.most,
                self.config.open_connections,
                allowed,
            )

    def admit(self, connection: LimitedProtocol) -> Refusal | None:
        """Count a connection, or say why there can be no more."""
        client = connection.client_name
        if len(self.open) >= self.most:
            return HTTPStatus.SERVICE_UNAVAILABLE, "The server is full; try again in a moment."
        full = self._by_client[client] >= self.config.client_connections
        if full and not self._is_proxy(client):
            return HTTPStatus.TOO_MANY_REQUESTS, "Too many connections are open; close some."
        self.open.add(connection)
        self._by_client[client] += 1
        return None

    def _is_proxy(self, client: str) -> bool:
        """Whether a client is a proxy that is trusted, and so stands for many."""
        return any(name in ("*", client) or within(client, name) for name in self._proxies)

    def release(self, connection: LimitedProtocol) -> None:
        """A connection has ended."""
        if connection in self.open:
            self.open.discard(connection)
            self._by_client[connection.client_name] -= 1
            if not self._by_client[connection.client_name]:
                del self._by_client[connection.client_name]

    async def end_overdue(self) -> None:
        """End what has waited too long, for as long as the server runs."""
        while True:
            await self.clock.sleep(CHECK_INTERVAL_S)
            for connection in self.open:
                if connection.overdue:
                    self.endings.add(connection.end)


class LimitedProtocol(HttpToolsProtocol):
    """HTTP on one connection; the parser itself has no limits, so they stand around it."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        app = config.app
        assert isinstance(app, FastAPI)
        self.limits: ConnectionLimits = app.state.connections
        self.client_name = ""
        #: When it has waited too long; never while a request is being answered.
        self.deadline = inf
        #: When it has waited too long for the other side to read what it is sent.
        self.read_deadline = inf
        #: A head is under way, so that its deadline stands.
        self.in_head = True
        #: Bytes since the parser last had something whole.
        self.unparsed = 0
        self.head_size = 0
        #: What has arrived while the connection is not to be read yet; None when it is.
        self.early: bytes | None = None
        self.refusal = UNREADABLE
        self.unanswered: list[RequestResponseCycle] = []

    # ---- the connection ------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self.client_name = client_of(self.client[0] if self.client else "")
        refusal = self.limits.admit(self)
        if refusal is not None:
            self.refuse(refusal)
            return
        self._wait(self.limits.config.head_time)
        if not self.limits.arrivals.allow(self.client_name):
            # Not refused, as others may share the address; but nobody gets many of them.
            self.early = b""
            self.flow.pause_reading()
            self.limits.clock.call_later(ARRIVAL_DELAY_S, self._resume)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The other side has hung up, and so will this one, when its turn comes."""
        self.limits.endings.add(self.transport.close)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.limits.release(self)
        # The base class tells the latest request alone, and the others would write to nobody.
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def _resume(self) -> None:
        early, self.early = self.early, None
        if not self.transport.is_closing():
            self.flow.resume_reading()
            if early:
                self.data_received(early)

    def _wait(self, seconds: float) -> None:
        self.deadline = self.limits.clock.monotonic() + seconds

    @property
    def answering(self) -> bool:
        """Whether a request is being answered."""
        return bool(self.unanswered)

    @property
    def overdue(self) -> bool:
        """Whether it has waited too long."""
        return min(self.deadline, self.read_deadline) <= self.limits.clock.monotonic()

    def end(self) -> None:
        """Close what has waited too long, and cut it off if that was done before."""
        if not self.overdue:
            return
        if self.transport.is_closing():
            self.transport.abort()
        elif self.in_head and self.unparsed and not self.answering:
            self.refuse((HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive in time."))
        else:
            self._wait(FLUSH_TIMEOUT_S)
            self.transport.close()

    def pause_writing(self) -> None:
        """The other side does not read what it is sent."""
        super().pause_writing()
        self.read_deadline = self.limits.clock.monotonic() + self.limits.config.idle_time

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self.read_deadline = inf

    # ---- what arrives --------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what arrived; what does not become anything whole is counted."""
        if self.early is not None:
            # uvloop reads once from a new connection, although reading was paused.
            self.early += data
            self.transport.pause_reading()
            return
        if not self.in_head and not self.answering:
            self.in_head = True
            self._wait(self.limits.config.head_time)
        self.unparsed += len(data)
        super().data_received(data)
        if self.unparsed > self.limits.config.head_limit and not self.transport.is_closing():
            self.refuse(self._too_large())

    def _too_large(self) -> Refusal:
        most = f"{self.limits.config.head_limit:,} bytes and {self.limits.config.header_limit}"
        sentence = f"The head of the request is over {most} headers."
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.head_size = 0

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        super().on_url(url)
        limit = self.limits.config.url_limit
        if len(self.url) > limit:
            self.refusal = HTTPStatus.REQUEST_URI_TOO_LONG, f"The address is over {limit:,} bytes."
            raise HeadRefused

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer after the body."""
        super().on_header(name, value)
        self.head_size += len(name) + len(value)
        config = self.limits.config
        if self.head_size > config.head_limit or len(self.headers) > config.header_limit:
            self.refusal = self._too_large()
            raise HeadRefused

    def on_headers_complete(self) -> None:
        """The application takes over."""
        self.unparsed, self.in_head, self.deadline = 0, False, inf
        if len(self.pipeline) >= MAX_PIPELINED:
            raise HeadRefused
        super().on_headers_complete()
        self.unanswered.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        """A part of the body, whose limits are the application's."""
        self.unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self.unparsed = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer is sent; the next request may come."""
        self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
        super().on_response_complete()
        if not self.answering:
            self._wait(self.limits.config.idle_time)

    # ---- refusals ------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Answer what could not be parsed."""
        self.refuse(self.refusal)

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a sentence and hang up; in the middle of another answer only hang up."""
        status, sentence = refusal
        body = json.dumps({"error": sentence})
        headers = {
            **SECURITY_HEADERS,
            "Cache-Control": "no-store",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        if not self.answering:
            lines = [f"HTTP/1.1 {status.value} {status.phrase}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            self.transport.write("\r\n".join([*lines, "", body]).encode())
        self._wait(FLUSH_TIMEOUT_S)
        self.transport.close()
