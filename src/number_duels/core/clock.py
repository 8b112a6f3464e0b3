"""Time, passed in: the program never reads a clock that a test cannot set.

>>> clock: Clock = SystemClock()
>>> before = clock.monotonic()
>>> clock.monotonic() >= before
True
>>> import asyncio
>>> async def change_ones_mind() -> None:
...     timer: Timer = clock.call_later(60, print)
...     timer.cancel()
>>> asyncio.run(change_ones_mind())
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

__all__ = ["SYSTEM_CLOCK", "Clock", "SystemClock", "Timer"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager


class Timer(Protocol):
    """A call that is still to come."""

    def cancel(self) -> object:
        """Do not call."""
        ...


class Clock(Protocol):
    """What the program asks about time."""

    def now(self) -> datetime:
        """Return the date and time in UTC; it may jump when somebody sets the machine's clock."""
        ...

    def monotonic(self) -> float:
        """Return seconds since some moment in the past; it never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after this many seconds."""
        ...

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Return a context that raises TimeoutError after this many seconds; None: never."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call something in the running event loop after this many seconds."""
        ...


@dataclass(frozen=True)
class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return the date and time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since the machine started."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let other tasks run for this many seconds."""
        import asyncio

        await asyncio.sleep(seconds)

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Cancel what runs inside after this many seconds."""
        import asyncio

        return asyncio.timeout(seconds)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call something in the running event loop after this many seconds."""
        import asyncio

        return asyncio.get_running_loop().call_later(seconds, callback)


#: The clock of everything that was not given another one.
SYSTEM_CLOCK = SystemClock()
