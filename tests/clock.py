"""A clock that stands still until a test advances it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Condition

from number_duels.core.clock import SystemClock
from tests.patience import PATIENCE_S

START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


class ForwardedClock(SystemClock):
    """The system's clock, whose seconds a test can skip."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.skipped

    def advance(self, seconds: float) -> None:
        self.skipped += seconds


@dataclass(eq=False)
class Alarm:
    """A sleeper or a timeout that waits for a time of the clock."""

    at: float
    loop: asyncio.AbstractEventLoop
    rung: asyncio.Event | None = None
    timeout: asyncio.Timeout | None = None
    callback: Callable[[], object] | None = None
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True

    def ring(self) -> None:
        """Wake who waits; runs in its own loop."""
        if self.rung is not None:
            self.rung.set()
        elif self.callback is not None and not self.cancelled:
            self.callback()
        elif self.timeout is not None:
            with suppress(RuntimeError):  # its block was left in the meantime
                self.timeout.reschedule(self.loop.time())


@dataclass(eq=False)  # hashable, as a key of caches
class ManualClock:
    """A `Clock` that a test sets; safe to advance from another thread than the program's."""

    start: datetime = START
    passed: float = 0.0
    _alarms: list[Alarm] = field(default_factory=list)
    _changed: Condition = field(default_factory=Condition)

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        return 1000.0 + self.passed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        alarm = Alarm(self.monotonic() + seconds, asyncio.get_running_loop(), asyncio.Event())
        self.set_alarm(alarm)
        try:
            assert alarm.rung is not None
            await alarm.rung.wait()
        finally:
            self.forget(alarm)

    @asynccontextmanager
    async def timeout(self, seconds: float | None) -> AsyncIterator[None]:
        async with asyncio.timeout(None) as limit:
            if seconds is None:
                yield
                return
            loop = asyncio.get_running_loop()
            alarm = self.set_alarm(Alarm(self.monotonic() + seconds, loop, timeout=limit))
            try:
                yield
            finally:
                self.forget(alarm)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Alarm:
        loop = asyncio.get_running_loop()
        return self.set_alarm(Alarm(self.monotonic() + seconds, loop, callback=callback))

    def set_alarm(self, alarm: Alarm) -> Alarm:
        with self._changed:
            self._alarms.append(alarm)
            self._changed.notify_all()
        return alarm

    def forget(self, alarm: Alarm) -> None:
        with self._changed:
            if alarm in self._alarms:
                self._alarms.remove(alarm)
            self._changed.notify_all()

    def advance(self, seconds: float) -> None:
        """Let time pass, and wake whoever waited for it."""
        with self._changed:
            self.passed += seconds
            due = [alarm for alarm in self._alarms if alarm.at <= self.monotonic()]
            self._alarms = [alarm for alarm in self._alarms if alarm not in due]
            for alarm in due:
                with suppress(RuntimeError):  # its loop has ended: nobody waits any more
                    alarm.loop.call_soon_threadsafe(alarm.ring)

    @property
    def waiting(self) -> list[float]:
        """In how many seconds each alarm rings, the next first."""
        with self._changed:
            return sorted(self._left_s())

    def _left_s(self) -> list[float]:
        return [alarm.at - self.monotonic() for alarm in self._alarms if not alarm.cancelled]

    def until_waiting(self, within: float, count: int = 1, after: float = 0.0) -> None:
        """Wait until at least `count` alarms ring in this time; not in the program's thread."""

        def enough() -> bool:
            return sum(after <= left <= within for left in self._left_s()) >= count

        with self._changed:
            assert self._changed.wait_for(enough, PATIENCE_S), "nobody waits for the clock"
