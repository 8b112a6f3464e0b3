"""Clocks, which are passed as arguments so that tests can control the time.

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

__all__ = ["SYSTEM_CLOCK", "Clock", "SystemClock", "Timer", "utc_text"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager


class Timer(Protocol):
    """A scheduled call that can be canceled."""

    def cancel(self) -> object:
        """Cancel the call."""
        ...


class Clock(Protocol):
    """The source of time for the program."""

    def now(self) -> datetime:
        """Return the date and time in UTC. It may jump if the system clock is set."""
        ...

    def monotonic(self) -> float:
        """Return the seconds since a fixed moment. They never decrease."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        ...

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Return a context manager that raises TimeoutError after `seconds`. None sets no limit."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call a function in the running event loop after this many seconds."""
        ...


@dataclass(frozen=True)
class SystemClock(Clock):
    """The system clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        import asyncio

        await asyncio.sleep(seconds)

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        import asyncio

        return asyncio.timeout(seconds)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        import asyncio

        return asyncio.get_running_loop().call_later(seconds, callback)


#: The default clock.
SYSTEM_CLOCK = SystemClock()


def utc_text(time: datetime) -> str:
    """Write a time as records do.

    >>> utc_text(datetime(2026, 1, 5, 12, tzinfo=UTC))
    '2026-01-05T12:00:00Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
