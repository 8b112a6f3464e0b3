"""Eleven kinds of language model and endpoint, each under a name, behind one local endpoint."""

from __future__ import annotations

import json
from collections import Counter
from threading import Lock

from number_duels.core.clock import SYSTEM_CLOCK
from tests.clock import ManualClock
from tests.players.endpoint import (
    Act,
    Body,
    Connection,
    FakeEndpoint,
    error,
    first_move,
    obey,
    play,
    say,
)
from tests.players.misbehaviour import cut

#: What the rate-limited endpoint takes in a window of this length, and where it says to wait.
WINDOW_S, MAX_IN_WINDOW = 0.3, 4
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
        #: When requests of the rate-limited model came, and when one was refused for how long.
        self.arrivals: list[float] = []
        self.refusals: list[float] = []
        self.acts: dict[str, Act] = {
            "good": obey,
            "chatty": chatty,
            "thinking": thinking,
            "illegal": play("S0"),
            "empty": say(""),
            "slow": self.slow,
            "flaky": self.flaky,
            "rate-limited": self.rate_limited,
            "cut-off": say('{"move": "S', "length"),
            "wrong-key": error(401, "Incorrect API key provided."),
            "down": self.down,
        }
        self.endpoint = FakeEndpoint(act=self.act, models=tuple(self.acts))

    def act(self, connection: Connection, body: Body) -> None:
        with self.lock:
            self.counts[body["model"]] += 1
        self.acts[body["model"]](connection, body)

    def flaky(self, connection: Connection, body: Body) -> None:
        """Two of three requests fail, in one way or the other."""
        kinds = (error(500, "Oh no."), cut, obey)
        kinds[self.counts["flaky"] % 3](connection, body)

    def rate_limited(self, connection: Connection, body: Body) -> None:
        """A few answers in a window; whoever comes too soon is told when to come back."""
        now = self.clock.monotonic()
        with self.lock:
            self.arrivals.append(now)
            first = [at for at in self.arrivals if at > now - WINDOW_S]
            busy = len(first) > MAX_IN_WINDOW
            if busy:
                self.refusals.append(now)
        (error(429, "Slow down.", Retry_After=str(WINDOW_S)) if busy else obey)(connection, body)

    def slow(self, connection: Connection, _: Body) -> None:
        """No answer while anybody waits for one."""
        # Later, it would also end what asks whether the endpoint is there after an earlier one.
        if isinstance(self.clock, ManualClock) and self.counts["slow"] == self.players:
            self.clock.advance(LONG_S)
        connection.fake.closing.wait()
        connection.close_connection = True

    def down(self, connection: Connection, body: Body) -> None:
        (obey if self.up else error(503, "Back soon."))(connection, body)


def chatty(connection: Connection, body: Body) -> None:
    answer = json.dumps({"move": first_move(body)})
    say(f"What a game! Let me see.\n```json\n{answer}\n```\nGood luck!")(connection, body)


def thinking(connection: Connection, body: Body) -> None:
    answer = f'<think>{{"move": "S0"}}? No.</think>{json.dumps({"move": first_move(body)})}'
    say(answer, reasoning_content="Hm, hm.")(connection, body)
