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

from number_duels.web.db.stored_game import Ledger

#: Seconds; most answers take a few milliseconds, some wait for a solver.
BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)


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
            buckets=BUCKETS,
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

    def started(self, ledger: Ledger) -> None:
        """A game was started."""
        self.games.labels(ledger.name).inc()

    def advanced(self, before: Ledger, after: Ledger) -> None:
        """A change was accepted."""
        more = len(after.moves) + len(after.draws) - len(before.moves) - len(before.draws)
        self.moves.labels(after.name).inc(more)
        if after.over and not before.over:
            self.finished.labels(after.name).inc()

    def answered(self, route: str, status: int, seconds: float, *, stream: bool) -> None:
        """A request was answered."""
        self.requests.labels(route, str(status)).inc()
        if not stream:
            self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
