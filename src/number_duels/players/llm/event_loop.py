"""The event loop of all language models of this process, in a thread of its own.

A notebook has a loop already, and a time limit that holds for a whole answer needs a task that
can be cancelled: so requests never run in the thread that asks.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from threading import Event, Lock, Thread
from typing import TypeVar

T = TypeVar("T")
#: Two threads that ask first must not make two loops.
STARTING = Lock()


def event_loop() -> asyncio.AbstractEventLoop:
    """The loop, running from its first use to the end of the process."""
    with STARTING:
        return running_loop()


@cache
def running_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="language models", daemon=True).start()
    return loop


os.register_at_fork(after_in_child=running_loop.cache_clear)  # the thread stays with the parent


def start(task: Coroutine[object, object, T]) -> Future[T]:
    """A task on its way in the loop."""
    return asyncio.run_coroutine_threadsafe(task, event_loop())


def run(task: Coroutine[object, object, T]) -> T:
    """What a task brings; an interruption here ends it there."""
    running: list[asyncio.Task[T] | None] = []
    abandoned = Event()

    async def noted() -> T:
        running.append(asyncio.current_task())
        if abandoned.is_set():
            raise asyncio.CancelledError
        return await task

    def cancel() -> None:
        for one in running:
            if one is not None:
                one.cancel()

    try:
        return start(noted()).result()
    except BaseException:  # Ctrl-C may come before there is anything to cancel
        abandoned.set()
        event_loop().call_soon_threadsafe(cancel)
        raise
