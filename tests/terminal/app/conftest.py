"""A pilot that waits until the application has nothing left to do."""

from __future__ import annotations

import asyncio

import pytest

#: A timer that rings sooner than this is part of what goes on: a screen is drawn by one.
SOON_SECONDS = 1 / 50
PATIENCE_SECONDS = 10.0


async def wait_for_idle(_min_sleep: float = 0, _max_sleep: float = 0) -> None:
    """Wait until nothing is ready to run, and no timer rings soon.

    Textual sleeps until the process uses little of the processor; on a busy machine so does a
    process that has not been given its turn yet.
    """
    loop = asyncio.get_running_loop()
    ready, timers = vars(loop)["_ready"], vars(loop)["_scheduled"]
    gives_up_at = loop.time() + PATIENCE_SECONDS
    while loop.time() < gives_up_at:
        await asyncio.sleep(0)
        soon = loop.time() + SOON_SECONDS
        next_ring = min((t.when() for t in timers if not t.cancelled()), default=soon)
        if ready:
            continue
        if next_ring >= soon:
            return
        await asyncio.sleep(max(0.0, next_ring - loop.time()))


@pytest.fixture(autouse=True)
def patient_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait_for_idle)
