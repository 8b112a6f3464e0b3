"""Limits on connections and request headers that uvicorn does not have."""

from __future__ import annotations

import asyncio
import json
import resource
from collections import Counter
from collections.abc import Sequence
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
from number_duels.web.network import client_of, within
from number_duels.web.request_limits import SECURITY_HEADERS

log = getLogger(__name__)

RESERVED_FILES = 96
CHECK_INTERVAL_S = 0.5
FLUSH_TIMEOUT_S = 2.0
#: How many requests may wait on one connection. Browsers wait for each response.
MAX_PIPELINED = 16

Refusal: TypeAlias = tuple[HTTPStatus, str]
UNREADABLE: Refusal = HTTPStatus.BAD_REQUEST, "The request is not valid HTTP."
CHUNKED: Refusal = (
    HTTPStatus.LENGTH_REQUIRED,
    "Send the body with a Content-Length, not in chunks.",
)


class HeadRefused(Exception): ...


class ConnectionLimits:
    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK) -> None:
        self.config = config
        self.clock = clock
        self.most = config.open_connections
        self.open: set[LimitedProtocol] = set()
        self._by_client: Counter[str] = Counter()
        self._proxies = [name.strip() for name in config.trusted_proxies.split(",")]

    def fit_descriptors(self) -> None:
        """Raise the limit on open files. If it stays too low, warn and accept fewer connections."""
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
                "Accepting %d connections instead of %d, because this process may open only %d "
                "files; raise the limit (ulimit -n, LimitNOFILE).",
                self.most,
                self.config.open_connections,
                allowed,
            )

    def admit(self, connection: LimitedProtocol) -> Refusal | None:
        """Count a new connection and return None, or return the reason to refuse it."""
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
        return any(name in ("*", client) or within(client, name) for name in self._proxies)

    def release(self, connection: LimitedProtocol) -> None:
        if connection in self.open:
            self.open.discard(connection)
            self._by_client[connection.client_name] -= 1
            if not self._by_client[connection.client_name]:
                del self._by_client[connection.client_name]

    def refused_head(self, url: bytes, headers: Sequence[tuple[bytes, bytes]]) -> Refusal | None:
        if len(url.partition(b"?")[2]) > self.config.query_limit:
            return self.too_long()
        cookies = sum(len(value) for name, value in headers if name == b"cookie")
        if cookies > self.config.cookie_limit or len(headers) > self.config.header_limit:
            return self.too_large()
        return CHUNKED if any(name == b"transfer-encoding" for name, _ in headers) else None

    def too_long(self) -> Refusal:
        sentence = f"The address is too long; its query may have {self.config.query_limit:,} bytes."
        return HTTPStatus.REQUEST_URI_TOO_LONG, sentence

    def too_large(self) -> Refusal:
        config = self.config
        sentence = (
            f"The headers are too large; a request may have at most {config.header_limit} headers,"
            f" {config.head_limit:,} bytes in all and {config.cookie_limit:,} bytes of cookies."
        )
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence

    async def end_overdue(self) -> None:
        while True:
            await self.clock.sleep(CHECK_INTERVAL_S)
            for connection in [one for one in self.open if one.overdue]:
                connection.end()


class LimitedProtocol(HttpToolsProtocol):
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
        #: When to close the connection. Infinite during a response that the client reads.
        self.deadline = inf
        self.in_head = True
        self.unparsed = 0
        self.refusal = UNREADABLE
        self.unanswered: list[RequestResponseCycle] = []

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.client_name = client_of(self.client[0] if self.client else "")
        refusal = self.limits.admit(self)
        if refusal is not None:
            self.refuse(refusal)
            return
        self._wait(self.limits.config.wait_time)

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.release(self)
        # The base class stops only the latest request. The others must stop writing, too.
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def _wait(self, seconds: float) -> None:
        self.deadline = self.limits.clock.monotonic() + seconds

    @property
    def answering(self) -> bool:
        return bool(self.unanswered)

    @property
    def overdue(self) -> bool:
        return self.deadline <= self.limits.clock.monotonic()

    def end(self) -> None:
        if self.transport.is_closing():
            self.transport.abort()
        elif self.in_head and self.unparsed and not self.answering:
            self.refuse((HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive in time."))
        else:
            self._wait(FLUSH_TIMEOUT_S)
            self.transport.close()

    def pause_writing(self) -> None:
        # The client has stopped reading.
        super().pause_writing()
        self._wait(self.limits.config.wait_time)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.answering:
            self.deadline = inf

    def data_received(self, data: bytes) -> None:
        limit = self.limits.config.head_limit
        while data and not self.transport.is_closing():
            room = limit - self.unparsed if self.in_head else len(data)
            piece, data = data[:room], data[room:]
            self.unparsed += len(piece)
            super().data_received(piece)
            if self.in_head and self.unparsed >= limit and not self.transport.is_closing():
                self.refuse(self.limits.too_large() if self.headers else self.limits.too_long())

    def on_headers_complete(self) -> None:
        self.unparsed, self.in_head = 0, False
        refusal = self.limits.refused_head(self.url, self.headers)
        if refusal is not None or len(self.pipeline) >= MAX_PIPELINED:
            self.refusal = refusal or UNREADABLE
            raise HeadRefused
        super().on_headers_complete()
        self.unanswered.append(self.cycle)
        if not self.flow.write_paused:
            self.deadline = inf

    def on_message_complete(self) -> None:
        self.unparsed, self.in_head = 0, True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
        super().on_response_complete()
        if not self.answering:
            self._wait(self.limits.config.wait_time)

    def send_400_response(self, msg: str) -> None:
        self.refuse(self.refusal)

    def refuse(self, refusal: Refusal) -> None:
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
