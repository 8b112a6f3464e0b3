"""A worker process that runs one call at a time, with limits on time and memory."""

from __future__ import annotations

import os
import resource
import signal
from asyncio import CancelledError, current_task, wrap_future
from collections.abc import Callable
from concurrent.futures import Future as ProcessFuture
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_double
from functools import partial
from multiprocessing import get_context
from multiprocessing.sharedctypes import RawValue
from typing import Generic, TypeVar, TypeVarTuple

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.processes import exit_with_parent
from number_duels.solvers import Unsolvable
from number_duels.web.config import MIB, Config
from number_duels.web.errors import AnswerTimeout, ApiError
from number_duels.web.service.runner import STOPPING, FairLock, progress

Args = TypeVarTuple("Args")
R = TypeVar("R")

#: A call is killed this long after its time limit.
KILL_DELAY_S = 1.0
START_TIMEOUT_S = 60.0
PING = "ping"
BUSY = "The solver did not answer in time; try again in a moment."
NO_MEMORY = "With these settings the game needs more memory than this server allows."


def nothing() -> None: ...


class WorkerProcess:
    """A worker process. The first call starts it, and a later call restarts it if it has ended.

    A new process runs `load` before its first call.
    """

    def __init__(
        self,
        config: Config,
        niceness: int = 0,
        clock: Clock = SYSTEM_CLOCK,
        load: Callable[[], None] = nothing,
    ) -> None:
        self.clock = clock
        self.config = config
        self.niceness = niceness
        self.load = load
        self._lock = FairLock()
        self._pool: ProcessPoolExecutor | None = None
        self._ready: ProcessFuture[None] | None = None
        self._share: c_double | None = None
        self._broken = False
        self._closed = False

    async def run(
        self, client: str, limit_s: float, function: Callable[[*Args], R], *args: *Args
    ) -> R:
        async with self._lock.turn(client):
            self._broken = True
            try:
                found = await self._attempt(limit_s, function, *args)
            except BrokenProcessPool:
                try:
                    # The process was killed, perhaps for lack of memory. Try once more.
                    found = await self._attempt(limit_s, function, *args)
                except BrokenProcessPool:
                    raise Unsolvable(NO_MEMORY) from None
            except ValueError:  # the process works, but there is no solution or no time
                self._broken = False
                raise
            self._broken = False
            return found

    async def responds(self, limit_s: float) -> bool:
        starting = self._ready is None or not self._ready.done()
        if self._closed or (starting and not self._broken):
            return True
        try:
            async with self.clock.timeout(limit_s):
                await self.run(PING, limit_s, os.getpid)
        except (TimeoutError, Unsolvable, OSError):
            return False
        return True

    @property
    def share(self) -> float:
        return 0.0 if self._share is None else self._share.value

    def begin(self) -> None:
        if self._share is not None:
            self._share.value = 0.0

    def close(self) -> None:
        self._closed = True
        self._kill()

    async def _attempt(self, limit_s: float, function: Callable[[*Args], R], *args: *Args) -> R:
        try:
            pool, ready = self.start()
            async with self.clock.timeout(START_TIMEOUT_S):
                await wrap_future(ready)
            async with self.clock.timeout(limit_s + KILL_DELAY_S):
                return await wrap_future(pool.submit(Call(function, *args)))
        except TimeoutError:
            self._kill()
            raise AnswerTimeout(BUSY) from None
        except CancelledError:
            stopped, caller = self._closed, current_task()
            self._kill()
            # If `close` cancelled the call, report that. A cancelled caller stays cancelled.
            if stopped and caller is not None and not caller.cancelling():
                raise ApiError(503, STOPPING) from None
            raise
        except BaseException as error:
            # The process was killed, or nobody waits for its result.
            if not isinstance(error, Exception) or isinstance(error, BrokenProcessPool):
                self._kill()
            raise

    def start(self) -> tuple[ProcessPoolExecutor, ProcessFuture[None]]:
        """Start the process if needed.

        Return its pool, and a future that is done when it is ready.
        """
        if self._closed:
            raise ApiError(503, STOPPING)
        if self._pool is None or self._ready is None:
            self._share = RawValue(c_double, 0.0)
            limits = self.config.solve_memory, self._share
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), set_up, limits)
            # The new process inherits this mask, so that Ctrl-C stops only the server.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                self._ready = self._pool.submit(Call(get_ready, self.niceness, self.load))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self._pool, self._ready

    def _kill(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._ready = None
            for process in processes:
                process.kill()


def set_up(memory_mib: int, share: c_double) -> None:
    exit_with_parent()
    progress.shared = share
    # This limit does not count solutions, which are mapped read-only.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = memory_mib * MIB
    if hard != resource.RLIM_INFINITY:
        allowed = min(allowed, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))


def get_ready(niceness: int, load: Callable[[], None]) -> None:
    os.nice(niceness)
    load()


class Call(Generic[R]):
    """A function call in a process with limited memory. It raises Unsolvable if memory runs out."""

    def __init__(self, function: Callable[[*Args], R], *args: *Args) -> None:
        self.call: Callable[[], R] = partial(function, *args)

    def __call__(self) -> R:
        try:
            return self.call()
        except (MemoryError, SystemError):  # SystemError: NumPy was imported without memory
            raise Unsolvable(NO_MEMORY) from None
