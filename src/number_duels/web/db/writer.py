"""Writing to the database: what arrives together shares one commit.

Every commit waits for the disk: in an embedded database because there is one
writer, on a server because commits that notify others come one after another.
So the requests that arrive during one commit are written together by the next.
One whose game has changed is left out; should another not fit, they are
written again one by one, so that it takes nothing with it. Nobody is answered
before its data is on the disk.
"""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from number_duels.web.db.engine import translate_driver_errors
from number_duels.web.db.transactions import WriteRequest, write_all
from number_duels.web.db.writer_thread import WriterThread
from number_duels.web.errors import ConcurrentUpdate, DatabaseUnavailable


class Writer:
    """Writes all requests that wait in one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._thread = WriterThread(engine.url) if engine.dialect.name == "sqlite" else None
        self._waiting: list[tuple[WriteRequest, Future[None]]] = []
        self._task: Task[None] | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that changes something."""
        with translate_driver_errors():
            async with self.engine.connect() as connection:
                await connection.execution_options(writes=True)
                async with connection.begin():
                    yield connection

    async def write(self, request: WriteRequest) -> None:
        """Write for good; ConcurrentUpdate if the game has changed since it was read."""
        done: Future[None] = get_running_loop().create_future()
        self._waiting.append((request, done))
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        await done

    async def finish(self) -> None:
        """Wait for what is under way, and write no more."""
        if self._task is not None:
            await self._task
        if self._thread is not None:
            await self._thread.close()

    async def commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        """Write requests in one transaction; the games that were not as they were seen."""
        if self._thread is not None:
            with translate_driver_errors():
                return await self._thread.commit(requests)
        async with self.transaction() as connection:
            return await connection.run_sync(write_all, requests)

    async def _work(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                stale = await self.commit([request for request, _ in batch])
            except DatabaseUnavailable as error:
                # One by one they would wait for the same silence, each after the other.
                for _, done in batch:
                    resolve(done, error)
                continue
            except Exception as error:
                if len(batch) == 1:
                    resolve(batch[0][1], error)
                    continue
                for request, done in batch:
                    await self._alone(request, done)
                continue
            for request, done in batch:
                resolve(done, ConcurrentUpdate() if request.changes in stale else None)

    def _next_batch(self) -> list[tuple[WriteRequest, Future[None]]]:
        """What waits; of two changes to the same game, one."""
        batch: list[tuple[WriteRequest, Future[None]]] = []
        later: list[tuple[WriteRequest, Future[None]]] = []
        changed: set[str] = set()
        for request, done in self._waiting:
            again = request.changes in changed
            (later if again else batch).append((request, done))
            if request.changes:
                changed.add(request.changes)
        self._waiting = later
        return batch

    async def _alone(self, request: WriteRequest, done: Future[None]) -> None:
        try:
            stale = await self.commit([request])
        except Exception as error:
            resolve(done, error)
        else:
            resolve(done, ConcurrentUpdate() if stale else None)


def resolve(done: Future[None], error: Exception | None) -> None:
    """Answer whoever still waits."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
