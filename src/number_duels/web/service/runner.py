"""Where the solver's work runs: what every runner offers, and the one that needs no process."""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop, sleep
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar, TypeVarTuple

from number_duels.web.errors import ApiError

if TYPE_CHECKING:
    from ctypes import c_double

Args = TypeVarTuple("Args")
R = TypeVar("R")

STOPPING = "The server is stopping; try again in a moment."


class Runner(Protocol):
    """Runs one call at a time. Clients take turns."""

    @property
    def share(self) -> float:
        """Return how much of the present call is done."""
        ...

    async def run(
        self, client: str, limit_s: float, function: Callable[[*Args], R], *args: *Args
    ) -> R: ...

    async def responds(self, limit_s: float) -> bool: ...

    def start(self) -> object: ...

    def begin(self) -> None: ...

    def close(self) -> None: ...


class InlineRunner(Runner):
    """Runs calls in this thread, which does nothing else meanwhile."""

    def __init__(self) -> None:
        self._lock = FairLock()
        self._closed = False

    @property
    def share(self) -> float:
        return 0.0

    async def run(
        self, client: str, limit_s: float, function: Callable[[*Args], R], *args: *Args
    ) -> R:
        async with self._lock.turn(client):
            await sleep(0)  # requests that have arrived are answered first
            if self._closed:
                raise ApiError(503, STOPPING)
            return function(*args)

    async def responds(self, limit_s: float) -> bool:
        return True

    def start(self) -> None: ...

    def begin(self) -> None: ...

    def close(self) -> None:
        self._closed = True


class FairLock:
    """A lock that clients take in turn. Requests of the same client keep their order."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: OrderedDict[str, deque[Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        if self._held:
            mine: Future[None] = get_running_loop().create_future()
            self._waiting.setdefault(client, deque()).append(mine)
            try:
                await mine
            except CancelledError:
                if not mine.cancelled():  # the lock was granted at the same moment
                    self._pass_on()
                raise
        self._held = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            client, waiting = self._waiting.popitem(last=False)
            following = waiting.popleft()
            if waiting:
                self._waiting[client] = waiting
            if not following.done():
                following.set_result(None)
                return
        self._held = False


class Progress:
    """The progress of a call, in memory that the worker process shares with the server."""

    def __init__(self) -> None:
        self.shared: c_double | None = None

    def report(self, share: float) -> None:
        if self.shared is not None:
            self.shared.value = max(self.shared.value, share)


progress = Progress()
