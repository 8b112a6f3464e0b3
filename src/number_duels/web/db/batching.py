"""Requests that arrive while an answer is under way share the next one."""

from __future__ import annotations

from asyncio import Future, Task, create_task, gather, get_running_loop
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")


class RequestBatcher(Generic[V]):
    """Turns many requests into few queries; an answer is never older than its request."""

    def __init__(
        self, query: Callable[[Collection[str]], Awaitable[Mapping[str, V]]], batch_size: int
    ) -> None:
        self._query = query
        self._batch_size = batch_size
        self._waiting: dict[str, list[Future[V | None]]] = {}
        self._task: Task[None] | None = None

    async def get(self, key: str) -> V | None:
        """What is found for a key; None if there is nothing."""
        found: Future[V | None] = get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(found)
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        return await found

    async def get_all(self, keys: Collection[str]) -> dict[str, V]:
        """What is found for keys; those without anything are left out."""
        found = await gather(*map(self.get, keys))
        return {key: one for key, one in zip(keys, found, strict=True) if one is not None}

    async def finish(self) -> None:
        """Wait for what is under way."""
        if self._task is not None:
            await self._task

    async def _work(self) -> None:
        while self._waiting:
            keys = list(self._waiting)[: self._batch_size]
            batch = {key: self._waiting.pop(key) for key in keys}
            try:
                found = await self._query(keys)
            except Exception as error:
                for waiting in (one for asked in batch.values() for one in asked):
                    if not waiting.done():
                        waiting.set_exception(error)
                continue
            for key, asked in batch.items():
                for waiting in asked:
                    if not waiting.done():
                        waiting.set_result(found.get(key))
