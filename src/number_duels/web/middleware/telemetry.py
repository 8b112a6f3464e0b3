"""Every request is counted, timed and, if wanted, logged."""

from __future__ import annotations

import logging
from hashlib import sha256

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from number_duels.core.clock import Clock
from number_duels.web.metrics import Metrics

log = logging.getLogger(__name__)

#: What a request that no route answers is counted as: its address may be anything.
NO_ROUTE = "other"


class Telemetry:
    """Sees what is asked and what is answered, and nothing of what is in it."""

    def __init__(self, app: ASGIApp, metrics: Metrics, clock: Clock) -> None:
        self.app = app
        self.clock = clock
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, stream = self.clock.monotonic(), 500, False

        async def answer(message: Message) -> None:
            nonlocal status, stream
            if message["type"] == "http.response.start":
                status = message["status"]
                stream = is_stream(message)
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            seconds, route = self.clock.monotonic() - began, route_of(scope)
            self.metrics.answered(route, status, seconds, stream=stream)
            if status == 500:
                self.metrics.errors.labels("server").inc()
            if log.isEnabledFor(logging.INFO):
                log.info("request", extra=facts(scope, route, status, seconds))


def is_stream(message: Message) -> bool:
    """Whether an answer is a stream of events, which lasts as long as its reader."""
    return any(
        name == b"content-type" and b"event-stream" in value for name, value in message["headers"]
    )


def route_of(scope: Scope) -> str:
    """The route that answered, with its parameters unfilled."""
    if scope["path"].startswith("/static/"):
        return "/static"
    path: str = getattr(scope.get("route"), "path", NO_ROUTE)
    return path


def facts(scope: Scope, route: str, status: int, seconds: float) -> dict[str, object]:
    """What is logged of a request; a game by a digest, as its link may lead to a free seat."""
    found: dict[str, object] = {
        "method": scope["method"],
        "route": route,
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    game = scope.get("path_params", {}).get("id")
    if game:
        found["game"] = sha256(str(game).encode(errors="replace")).hexdigest()[:12]
    return found
