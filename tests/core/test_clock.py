"""The clock of a test does what the machine's does, when it is told to."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from tests.clock import START, ManualClock

CLOCKS: list[Clock] = [SYSTEM_CLOCK, ManualClock()]


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: type(clock).__name__)
def test_time_does_not_go_back(clock: Clock) -> None:
    times = [(clock.now(), clock.monotonic()) for _ in range(3)]
    assert times == sorted(times)
    assert clock.now().utcoffset() == timedelta(0)


def test_a_sleeper_wakes_when_its_time_has_come_and_not_before() -> None:
    async def run() -> list[str]:
        clock, woken = ManualClock(), []

        async def sleeper(seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append(f"{seconds} at {clock.passed}")

        tasks = [asyncio.create_task(sleeper(seconds)) for seconds in (5, 2)]
        await asyncio.sleep(0)
        assert clock.waiting == [2, 5]
        clock.advance(1.5)
        await asyncio.sleep(0)
        assert woken == []
        clock.advance(1.5)
        await tasks[1]
        clock.advance(10)
        await tasks[0]
        assert clock.waiting == []
        return woken

    assert asyncio.run(run()) == ["2 at 3.0", "5 at 13.0"]


def test_a_timeout_ends_what_takes_too_long_and_leaves_the_rest_alone() -> None:
    async def run() -> None:
        clock = ManualClock()
        async with clock.timeout(3):
            pass
        assert clock.waiting == []
        asyncio.get_running_loop().call_soon(clock.advance, 3)
        with pytest.raises(TimeoutError):
            async with clock.timeout(3):
                await asyncio.Event().wait()
        assert clock.waiting == []
        assert clock.now() == START + timedelta(seconds=3)

    asyncio.run(run())


def test_the_clock_of_the_machine_keeps_a_timeout() -> None:
    async def run() -> None:
        with pytest.raises(TimeoutError):
            async with SYSTEM_CLOCK.timeout(0):
                await SYSTEM_CLOCK.sleep(60)

    asyncio.run(run())
