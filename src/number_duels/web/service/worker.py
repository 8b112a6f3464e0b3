"""Thinking in another process, so that solving a game never holds up a table."""

from __future__ import annotations

import os
from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

from number_duels.web.errors import Refusal

P = ParamSpec("P")
R = TypeVar("R")


class Thinker:
    """One process that solves; it starts with the first question."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._asked = 0
        self._pool: ProcessPoolExecutor | None = None

    async def answer(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a function returns, worked out elsewhere; refused when too many wait."""
        if self._asked >= self._limit:
            raise Refusal(429, "Too many positions are being worked out; try again in a moment.")
        return await self.think(function, *args, **kwargs)

    async def think(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The same for the server's own questions, which are never refused."""
        assert not kwargs, "a pool takes positional arguments"
        self._asked += 1
        try:
            pool = self._ready()
            try:
                return await get_running_loop().run_in_executor(pool, function, *args)
            except BrokenProcessPool:
                # The process was killed, for want of memory perhaps: once more, from the start.
                self._forget(pool)
                return await get_running_loop().run_in_executor(self._ready(), function, *args)
        finally:
            self._asked -= 1

    def close(self) -> None:
        """Stop thinking at once."""
        if self._pool is not None:
            processes = list(self._pool._processes.values())
            self._forget(self._pool)
            for process in processes:
                process.kill()

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), die_with_the_server)
        return self._pool

    def _forget(self, pool: ProcessPoolExecutor) -> None:
        pool.shutdown(wait=False, cancel_futures=True)
        if self._pool is pool:
            self._pool = None


def die_with_the_server() -> None:
    """Leave no process behind when the server is killed."""
    server = parent_process()
    assert server is not None

    def watch() -> None:
        server.join()
        os._exit(0)

    Thread(target=watch, daemon=True).start()
