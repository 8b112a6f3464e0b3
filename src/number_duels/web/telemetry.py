"""Prometheus metrics, request logs and log formats. They contain no names, tokens or moves."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from number_duels.core.clock import Clock
from number_duels.web.config import Config

log = logging.getLogger(__name__)

NO_ROUTE = "other"
#: Most responses take a few milliseconds, but some wait for the solver.
LATENCY_BUCKETS_S = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)
FACTS = ("method", "route", "status", "milliseconds", "game")
PLAIN = "%(levelname)s: %(message)s"


class Metrics:
    def __init__(self, streams: Callable[[], int], tables: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.games = self._counter("duels_games_started", "Games started by this process.", "game")
        self.finished = self._counter(
            "duels_games_finished", "Games ended by this process.", "game"
        )
        self.moves = self._counter(
            "duels_moves", "Moves and draws accepted by this process.", "game"
        )
        self.errors = self._counter("duels_errors", "Errors, by kind.", "kind")
        self.requests = self._counter("duels_requests", "Answered requests.", "route", "status")
        self.seconds = Histogram(
            "duels_request_seconds",
            "Seconds from a request to its response, except for event streams.",
            ["route"],
            buckets=LATENCY_BUCKETS_S,
            registry=self.registry,
        )
        self._gauge("duels_streams", "Open event streams.", streams)
        self._gauge("duels_tables", "Games in memory.", tables)
        for kind in ("database", "server"):
            self.errors.labels(kind)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(name, meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str, figure: Callable[[], int]) -> None:
        Gauge(name, meaning, registry=self.registry).set_function(figure)

    def changed(self, game: str, moves: int, *, finished: bool) -> None:
        self.moves.labels(game).inc(moves)
        if finished:
            self.finished.labels(game).inc()

    def answered(self, route: str, status: int, seconds: float, *, stream: bool) -> None:
        self.requests.labels(route, str(status)).inc()
        if not stream:
            self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class Telemetry:
    """Middleware that counts and logs requests. It does not read their contents."""

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
    return any(
        name == b"content-type" and b"event-stream" in value for name, value in message["headers"]
    )


def route_of(scope: Scope) -> str:
    if scope["path"].startswith("/static/"):
        return "/static"
    path: str = getattr(scope.get("route"), "path", NO_ROUTE)
    return path


def facts(scope: Scope, route: str, status: int, seconds: float) -> dict[str, object]:
    # The game's id is hashed, because anybody who knows it can take a free seat.
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


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        found: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        found |= {name: record.__dict__[name] for name in FACTS if name in record.__dict__}
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False)


class PlainLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = [f"{name}={record.__dict__[name]}" for name in FACTS if name in record.__dict__]
        return " ".join([super().format(record), *facts])


def set_up_logs(config: Config) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if config.log_format == "json" else PlainLines(PLAIN))
    level = config.log_level.upper()
    for name in ("number_duels", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
    if level == "WARNING":
        # uvicorn warns of every malformed request, so an attacker could flood the log.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
    # Below WARNING, these loggers quote SQL statements and are of no use here.
    for name in ("sqlalchemy", "asyncpg", "asyncio"):
        logging.getLogger(name).handlers = [handler]
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
        logging.getLogger(name).propagate = False
