"""How long a failing endpoint is asked again, and when that is an outage."""

from __future__ import annotations

import math
from random import uniform
from typing import Final

from number_duels.core.player import Forfeit, Outage
from number_duels.players import external
from number_duels.players.llm import errors
from number_duels.players.llm.errors import EndpointError
from number_duels.players.llm.gate import Gate

#: Patience with an endpoint that has never answered at all: its address may be wrong.
FIRST_CONTACT_BUDGET_S: Final = 5.0
#: Each pause is twice the one before.
FIRST_PAUSE_S: Final = 0.5
MAX_PAUSE_S: Final = 20.0


class RetryBudget:
    """Pauses before a failing endpoint is asked again: each longer, up to a total."""

    def __init__(self, gate: Gate, seconds: float) -> None:
        """The seconds are all the time for an endpoint to recover, from its first error on."""
        self.gate = gate
        self.clock = gate.clock
        self.seconds = seconds
        self.began: float | None = None
        self.pause = FIRST_PAUSE_S

    async def wait(self, error: EndpointError) -> None:
        """Wait until it may be asked again; Forfeit or Outage when it may not."""
        if error.kind == errors.LATE:
            raise Forfeit(external.LATE, error.reason)
        if self.began is None:
            self.began = self.clock.monotonic() - error.silent_s
        what = f"the endpoint {self.gate.place} gives no answer: {error.reason}"
        if error.kind not in errors.RETRYABLE:
            raise Outage(what)
        # Jitter, so that players who failed together do not all retry together.
        pause = max(error.retry_after_s or 0.0, self.pause * uniform(0.75, 1.25))
        if self.spent(error) + pause > self.limit(error):
            raise Outage(f"{what}, and patience ends ({self.limit(error):g} seconds)")
        if error.kind == errors.BUSY or error.retry_after_s is not None:
            self.gate.hold(pause)  # what it asks of one, it asks of all
        else:
            await self.clock.sleep(pause)
        self.pause = min(2 * self.pause, MAX_PAUSE_S)

    def spent(self, error: EndpointError) -> float:
        """How long there was no answer; one that is busy may be busy with answers to others."""
        busy = error.kind == errors.BUSY
        return self.clock.monotonic() - max(
            self.began or 0.0, self.gate.answered_at if busy else 0.0
        )

    def limit(self, error: EndpointError) -> float:
        known = self.gate.answered_at or error.status is not None
        return min(math.inf if known else FIRST_CONTACT_BUDGET_S, self.seconds)
