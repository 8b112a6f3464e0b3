"""A lock that clients get in turn, however many each of them waits for."""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairLock:
    """One holder at a time; one of each client in turn, and each client's own in their order."""

    def __init__(self) -> None:
        self._held = False
        #: The clients in the order of their turns.
        self._waiting: OrderedDict[str, deque[Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Hold the lock, when it is this client's turn."""
        if self._held:
            mine: Future[None] = get_running_loop().create_future()
            self._waiting.setdefault(client, deque()).append(mine)
            try:
                await mine
            except CancelledError:
                if not mine.cancelled():  # it was given at the same moment
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
