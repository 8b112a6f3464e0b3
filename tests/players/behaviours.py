"""Kinds of language model and endpoint, each under a name, behind one local endpoint."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from number_duels.core.clock import SYSTEM_CLOCK
from tests.clock import ManualClock
from tests.players.endpoint import Act, Body, Connection, FakeEndpoint, error, obey, play

#: Longer than anybody waits.
LONG_S = 1e6


class Behaviours:
    """An endpoint that behaves as the model's name says; `up` ends the outage of `down`."""

    def __init__(self, clock: ManualClock | None = None, players: int = 1) -> None:
        self.clock = clock or SYSTEM_CLOCK
        #: How many ask the slow model at once.
        self.players = players
        self.up = False
        self.counts: Counter[str] = Counter()
        self.lock = Lock()
        self.acts: dict[str, Act] = {
            "good": obey,
            "illegal": play("S0"),
            "slow": self.slow,
            "wrong-key": error(401, "Incorrect API key provided."),
            "down": self.down,
        }
        self.endpoint = FakeEndpoint(act=self.act, models=tuple(self.acts))

    def act(self, connection: Connection, body: Body) -> None:
        with self.lock:
            self.counts[body["model"]] += 1
        self.acts[body["model"]](connection, body)

    def slow(self, connection: Connection, _: Body) -> None:
        """No answer while anybody waits for one."""
        # Later, it would also end what asks whether the endpoint is there after an earlier one.
        if isinstance(self.clock, ManualClock) and self.counts["slow"] == self.players:
            self.clock.advance(LONG_S)
        connection.fake.closing.wait()
        connection.close_connection = True

    def down(self, connection: Connection, body: Body) -> None:
        (obey if self.up else error(503, "Back soon."))(connection, body)
