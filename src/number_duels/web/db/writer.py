"""Write to the database. Requests that arrive during a commit share the next commit."""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, bindparam, create_engine, insert, select, update

from number_duels.web.db.engine import make_safe, translate_driver_errors
from number_duels.web.db.notify import GameNotice, announce
from number_duels.web.db.results import GameResult, result_row
from number_duels.web.db.schema import (
    CHANGING_COLUMNS,
    Values,
    among,
    event_rows,
    events,
    game_row,
    games,
    profiles,
    results,
)
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ConcurrentUpdate, DatabaseUnavailable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Writer:
    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._thread = WriterThread(engine.url) if engine.driver == "aiosqlite" else None
        self._waiting: Batch = []
        self._task: Task[None] | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        with translate_driver_errors():
            async with self.engine.connect() as connection:
                await connection.execution_options(writes=True)
                async with connection.begin():
                    yield connection

    async def write(self, request: WriteRequest) -> None:
        done: Future[None] = get_running_loop().create_future()
        self._waiting.append((request, done))
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        await done

    async def finish(self) -> None:
        if self._task is not None:
            await self._task
        if self._thread is not None:
            await self._thread.close()

    async def commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        if self._thread is not None:
            with translate_driver_errors():
                return await self._thread.commit(requests)
        async with self.transaction() as connection:
            return await connection.run_sync(write_all, requests)

    async def _work(self) -> None:
        while self._waiting:
            await self._write(self._next_batch())

    async def _write(self, batch: Batch) -> None:
        try:
            stale = await self.commit([request for request, _ in batch])
        except Exception as error:
            # If the database does not answer, writing one by one would only take longer.
            if len(batch) == 1 or isinstance(error, DatabaseUnavailable):
                for _, done in batch:
                    resolve(done, error)
            else:
                for one in batch:
                    await self._write([one])
            return
        for request, done in batch:
            resolve(done, ConcurrentUpdate() if request.changes in stale else None)

    def _next_batch(self) -> Batch:
        batch: Batch = []
        later: Batch = []
        changed: set[str] = set()
        for request, done in self._waiting:
            again = request.changes in changed
            (later if again else batch).append((request, done))
            if request.changes:
                changed.add(request.changes)
        self._waiting = later
        return batch


def resolve(done: Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


UPDATE_IF_UNCHANGED = (
    update(games)
    .where(games.c.id == bindparam("seen_id"), games.c.version == bindparam("seen_version"))
    .values({name: bindparam(name) for name in CHANGING_COLUMNS})
)


@dataclass(frozen=True)
class WriteRequest:
    """A request to change a game, to add a new game, or both.

    `change` is the game before and after. If the game ends, `results` has the players' results.
    """

    change: tuple[StoredGame, StoredGame] | None = None
    new: StoredGame | None = None
    results: tuple[GameResult, ...] = ()

    @property
    def changes(self) -> str | None:
        return self.change[0].id if self.change else None


Batch = list[tuple[WriteRequest, Future[None]]]


def write_all(connection: Connection, requests: Sequence[WriteRequest]) -> set[str]:
    """Write the requests, except those whose game has changed since it was read.

    Return the ids of the games that have changed.
    """
    # Lock profiles before games, in the same order as the removal of a profile.
    known = hold_profiles(connection, requests)
    stale = find_stale(connection, [each.change[0] for each in requests if each.change])
    fitting = [request for request in requests if request.changes not in stale]
    changes = [request.change for request in fitting if request.change]
    if changes:
        connection.execute(UPDATE_IF_UNCHANGED, [change_values(*change) for change in changes])
    started = [request.new for request in fitting if request.new]
    new_games = [game_row(new) for new in started]
    # A new game may begin with moves that were played before.
    written = [*changes, *((replace(new, events=()), new) for new in started)]
    new_events = [row for change in written for row in event_rows(*change)]
    ended = [one for request in fitting for one in request.results]
    new_results = [result_row(one) for one in ended if one.profile in known]
    for table, rows in ((games, new_games), (events, new_events), (results, new_results)):
        if rows:
            connection.execute(insert(table), rows)
    announce(connection, [GameNotice(after.id, version=after.version) for _, after in changes])
    return stale


def hold_profiles(connection: Connection, requests: Sequence[WriteRequest]) -> set[str]:
    """Until the commit, lock the profiles that get results. Return the ids of those that exist."""
    wanted = {one.profile for request in requests for one in request.results}
    if not wanted:
        return set()
    rows = connection.execute(
        select(profiles.c.id)
        .where(among(connection, profiles.c.id, sorted(wanted)))
        .order_by(profiles.c.id)
        .with_for_update(read=True, key_share=True)
    )
    return {row.id for row in rows}


def find_stale(connection: Connection, seen: Sequence[StoredGame]) -> set[str]:
    """Lock the games in `seen` until the commit. Return the ids of those that have changed."""
    if not seen:
        return set()
    # A fixed order prevents deadlocks between processes.
    ids = sorted(stored.id for stored in seen)
    found = connection.execute(
        select(games.c.id, games.c.version)
        .where(among(connection, games.c.id, ids))
        .order_by(games.c.id)
        .with_for_update()
    )
    versions = {row.id: row.version for row in found}
    return {stored.id for stored in seen if versions.get(stored.id) != stored.version}


def change_values(before: StoredGame, after: StoredGame) -> Values:
    row = game_row(after)
    changed = {name: row[name] for name in CHANGING_COLUMNS}
    return {**changed, "seen_id": before.id, "seen_version": before.version}


class WriterThread:
    """A thread with its own SQLite connection. It runs each transaction as one job.

    The asynchronous driver is slower, because it sends every step to a thread and back.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), hide_parameters=True)
        make_safe(self._engine)
        self._thread = ThreadPoolExecutor(1, "duels-writer")

    async def commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        return await get_running_loop().run_in_executor(self._thread, self._commit, requests)

    def _commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        with self._engine.connect() as found:
            connection = found.execution_options(writes=True)
            with connection.begin():
                return write_all(connection, requests)

    async def close(self) -> None:
        await get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()
