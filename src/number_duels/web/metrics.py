"""What is counted, for Prometheus: games, moves, requests and their times, streams, errors."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

#: Most answers take a few milliseconds, some wait for a solver.
LATENCY_BUCKETS_S = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)


class Metrics:
    """The figures of one process; none of them tells of a person or a choice."""

    def __init__(self, streams: Callable[[], int], tables: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.games = self._counter("duels_games_started", "Games that were started here.", "game")
        self.finished = self._counter("duels_games_finished", "Games that ended here.", "game")
        self.moves = self._counter(
            "duels_moves", "Moves and draws that were accepted here.", "game"
        )
        self.errors = self._counter("duels_errors", "What went wrong, by its kind.", "kind")
        self.requests = self._counter(
            "duels_requests", "Requests that were answered.", "route", "status"
        )
        self.seconds = Histogram(
            "duels_request_seconds",
            "Seconds from a request to its answer, without streams.",
            ["route"],
            buckets=LATENCY_BUCKETS_S,
            registry=self.registry,
        )
        self._gauge("duels_streams", "Streams of events that are open.", streams)
        self._gauge("duels_tables", "Games that are kept ready in memory.", tables)
        for kind in ("database", "server"):
            self.errors.labels(kind)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(name, meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str, figure: Callable[[], int]) -> None:
        Gauge(name, meaning, registry=self.registry).set_function(figure)

    def changed(self, game: str, moves: int, *, finished: bool) -> None:
        """Count what a change has added to a game."""
        self.moves.labels(game).inc(moves)
        if finished:
            self.finished.labels(game).inc()

    def answered(self, route: str, status: int, seconds: float, *, stream: bool) -> None:
        """Count a request."""
        self.requests.labels(route, str(status)).inc()
        if not stream:
            self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
