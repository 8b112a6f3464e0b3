"""Slow work beside the screen, which nobody waits for who leaves the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from number_duels.core.clock import SYSTEM_CLOCK, Clock

T = TypeVar("T")
#: How often the progress of slow work is shown.
PROGRESS_SECONDS = 0.2


async def in_background(work: Callable[[], T]) -> T:
    """The result of a function, called in a thread that ends with the program.

    Textual's own threads are waited for at the end, and compiling a solver takes ten seconds.

    >>> asyncio.run(in_background(lambda: 6 * 7))
    42
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def finish(result: T | None, error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # without an error there is one

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except Exception as error:  # whoever awaits it handles it
            problem = error
        with suppress(RuntimeError):  # the program has ended
            loop.call_soon_threadsafe(finish, result, problem)

    Thread(target=run, daemon=True).start()
    return await done


def now_and_then(
    report: Callable[[float], None], clock: Clock = SYSTEM_CLOCK
) -> Callable[[float], None]:
    """A report of progress that is made a few times a second at most, however often it is told."""
    told = clock.monotonic()

    def tell(fraction: float) -> None:
        nonlocal told
        if clock.monotonic() - told > PROGRESS_SECONDS:
            told = clock.monotonic()
            report(fraction)

    return tell
