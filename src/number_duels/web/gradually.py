"""What many ask for at once and nobody waits for is done a little at a time.

To close a connection takes about fifteen microseconds. Whoever has thousands of them and hangs
up on all would stop every game for a tenth of a second.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from number_duels.core.clock import SYSTEM_CLOCK, Clock

#: How much is done before others have their turn, and how long they have it.
AT_ONCE = 10
PAUSE_S = 0.002


class Gradually:
    """Does what it is given, in order, a few at a time."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self._left: deque[Callable[[], None]] = deque()

    def add(self, action: Callable[[], None]) -> None:
        """Do something soon."""
        self._left.append(action)
        if len(self._left) == 1:
            asyncio.get_running_loop().call_soon(self._do_some)

    def _do_some(self) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(min(AT_ONCE, len(self._left))):
            loop.call_soon(self._left.popleft())
        if self._left:
            self.clock.call_later(PAUSE_S, self._do_some)
