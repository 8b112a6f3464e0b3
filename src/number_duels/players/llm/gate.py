"""When an endpoint may be asked: what it says of too many requests holds for all of them."""

from __future__ import annotations

from random import uniform
from typing import Final

from number_duels.core.clock import SYSTEM_CLOCK, Clock

#: Requests that waited together go on within this time, not in one moment.
SPREAD_S: Final = 0.25


class Gate:
    """The requests to one endpoint, held back together."""

    def __init__(self, place: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self.place = place
        self.clock = clock
        self.closed_until = 0.0
        #: When the endpoint answered last; 0: never.
        self.answered_at = 0.0

    def hold(self, seconds: float) -> None:
        """Let nobody through for some time."""
        self.closed_until = max(self.closed_until, self.clock.monotonic() + seconds)

    def answered(self) -> None:
        self.answered_at = self.clock.monotonic()

    async def passed(self) -> None:
        """Wait until the endpoint may be asked."""
        while (left := self.closed_until - self.clock.monotonic()) > 0:
            await self.clock.sleep(left + uniform(0, SPREAD_S * min(1.0, left)))


#: The gates of this process.
GATES: Final[dict[tuple[str, Clock], Gate]] = {}


def gate_of(place: str, clock: Clock = SYSTEM_CLOCK) -> Gate:
    """The gate of an endpoint, one for the whole process."""
    return GATES.setdefault((place, clock), Gate(place, clock))
