"""When an endpoint may be asked: what it says of too many requests holds for all of them."""

from __future__ import annotations

import asyncio
import time
from functools import cache
from random import uniform
from typing import Final

#: Requests that waited together go on within this time, not in one moment.
SPREAD_S: Final = 0.25


class Gate:
    """The requests to one endpoint, held back together."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.closed_until = 0.0
        #: When the endpoint answered last; 0: never.
        self.answered_at = 0.0

    def hold(self, seconds: float) -> None:
        """Let nobody through for some time."""
        self.closed_until = max(self.closed_until, time.monotonic() + seconds)

    def answered(self) -> None:
        self.answered_at = time.monotonic()

    async def passed(self) -> None:
        """Wait until the endpoint may be asked."""
        while (left := self.closed_until - time.monotonic()) > 0:
            await asyncio.sleep(left + uniform(0, SPREAD_S * min(1.0, left)))


@cache
def gate_of(place: str) -> Gate:
    """The gate of an endpoint, one for the whole process."""
    return Gate(place)
