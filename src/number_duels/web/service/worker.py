"""Work in another process, so that solving a game never holds up a request."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar, TypeVarTuple

from number_duels.core.processes import exit_with_parent
from number_duels.web.errors import ApiError

Args = TypeVarTuple("Args")
R = TypeVar("R")


class SolverWorker:
    """One process that solves; it starts with the first call."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running = 0
        self._pool: ProcessPoolExecutor | None = None

    async def run_limited(self, function: Callable[[*Args], R], *args: *Args) -> R:
        """What a function returns, worked out elsewhere; refused when too many wait."""
        if self._running >= self._limit:
            raise ApiError(429, "Too many positions are being worked out; try again in a moment.")
        return await self.run(function, *args)

    async def run(self, function: Callable[[*Args], R], *args: *Args) -> R:
        """The same for the server's own turns, which are never refused."""
        self._running += 1
        try:
            pool = self._start()
            try:
                return await get_running_loop().run_in_executor(pool, function, *args)
            except BrokenProcessPool:
                # The process was killed, for want of memory perhaps: once more, from the start.
                self._discard(pool)
                return await get_running_loop().run_in_executor(self._start(), function, *args)
        finally:
            self._running -= 1

    def close(self) -> None:
        """Stop at once."""
        if self._pool is not None:
            processes = list(self._pool._processes.values())
            self._discard(self._pool)
            for process in processes:
                process.kill()

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), exit_with_parent)
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        pool.shutdown(wait=False, cancel_futures=True)
        if self._pool is pool:
            self._pool = None
