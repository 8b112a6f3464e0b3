"""An event loop that knows when it has nothing left to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from selectors import DefaultSelector, SelectorKey
from time import monotonic
from typing import ParamSpec

from tests.patience import PATIENCE_S

P = ParamSpec("P")
#: A timer that rings sooner than this is part of what goes on: Textual lays out and draws a screen
#: by one that rings after one or two sixtieths of a second.
SOON_SECONDS = 1 / 25


class IdleSelector(DefaultSelector):
    """Is asked by its loop to wait, once nothing is ready to run; tells so to whoever wants it.

    While a test waits for that, the loop's time jumps to the next timer that rings soon.
    """

    def __init__(self) -> None:
        super().__init__()
        self.idle: list[asyncio.Future[None]] = []
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return events
        if not self.idle:
            return super().select(timeout)
        if timeout is not None and timeout < SOON_SECONDS:
            self.skipped += timeout
            return []
        for waiting in self.idle:
            if not waiting.done():
                waiting.set_result(None)
        self.idle.clear()
        return []


class IdleLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.selector = IdleSelector()
        super().__init__(self.selector)

    def time(self) -> float:
        return super().time() + self.selector.skipped


def loop_time() -> float:
    """The time of the running loop, for Textual's timers; the system's in other threads."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return monotonic()


async def wait_for_idle(_min_sleep: float = 0, _max_sleep: float = 0) -> None:
    """Wait until nothing is ready to run and no timer rings soon; takes the place of Textual's.

    Textual sleeps until the process uses little of the processor; on a busy machine so does a
    process that has not been given its turn yet.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, IdleLoop)
    idle = loop.create_future()
    loop.selector.idle.append(idle)
    async with asyncio.timeout(PATIENCE_S):
        await idle


def awaited(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """A test that waits for an application."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=IdleLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run
