"""Games in the database, and the clock by which they expire."""

from __future__ import annotations

from asyncio import Future, Task, create_task, gather, get_running_loop, shield
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from sqlalchemy import (
    URL,
    ColumnElement,
    Executable,
    Row,
    Table,
    case,
    delete,
    func,
    literal,
    literal_column,
    select,
    update,
)

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.config import Config
from number_duels.web.db.engine import driver_url, make_engine, translate_driver_errors
from number_duels.web.db.notify import (
    Attendance,
    GameNotice,
    read_attendance,
    send,
    write_attendance,
)
from number_duels.web.db.results import GameResult
from number_duels.web.db.schema import (
    POSTGRES_NOW,
    WATCHING,
    among,
    clock,
    count_rows,
    create_tables,
    games,
    last_seen,
    presence,
    read_games,
)
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.db.writer import Writer, WriteRequest
from number_duels.web.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MAX_GAMES_PER_QUERY = 100
MAX_VERSIONS_PER_QUERY = 1000
REMOVAL_LOCK_KEY = 0x6475656C74


@dataclass(frozen=True)
class LoadedGame:
    stored: StoredGame
    elsewhere: Attendance = field(default_factory=Attendance)


class GameRepository:
    def __init__(
        self, url: str | URL, config: Config | None = None, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self.url = driver_url(url) if isinstance(url, str) else url
        with translate_driver_errors():
            self.engine = make_engine(self.url, config or Config())
        self.shared = self.engine.dialect.name == "postgresql"
        #: The number of this process, or 0 before it listens for notices.
        self.process = 0
        self.clock = StoreClock((config or Config()).sweep_every, clock)
        #: The SQLite file, and its identity when it was opened.
        self._file = None if self.shared else Path(str(self.url.database))
        self._file_id: tuple[int, int] | None = None
        self._checking: Task[None] | None = None
        self._writer = Writer(self.engine)
        self._games = RequestBatcher(self._load, MAX_GAMES_PER_QUERY)
        self._versions = RequestBatcher(self._load_versions, MAX_VERSIONS_PER_QUERY)

    async def open(self) -> None:
        async with self.transaction() as connection:
            await connection.run_sync(create_tables)
        await self.advance_clock()
        self._file_id = None if self._file is None else file_id(self._file)

    async def close(self) -> None:
        for batches in (self._writer, self._games, self._versions):
            await batches.finish()
        await self.engine.dispose()

    def transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._writer.transaction()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """Open a read transaction in which all queries see the same state."""
        with translate_driver_errors():
            async with self.engine.connect() as connection:
                if self.shared:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                async with connection.begin():
                    yield connection

    async def check(self) -> None:
        """Raise DatabaseUnavailable if the database can't be written to now."""
        if self._file is not None and self._file_id != file_id(self._file):
            raise DatabaseUnavailable("the file was moved or deleted")
        if self._checking is None or self._checking.done():
            self._checking = create_task(self.advance_clock())
        await shield(self._checking)

    async def create(self, stored: StoredGame) -> None:
        await self._writer.write(WriteRequest(new=stored))

    async def advance(
        self,
        before: StoredGame,
        after: StoredGame,
        new: StoredGame | None = None,
        results: tuple[GameResult, ...] = (),
    ) -> None:
        """Write a changed game, an optional new game, and results, in one transaction.

        If the database no longer has the version in `before`, raise ConcurrentUpdate and write
        nothing.
        """
        await self._writer.write(WriteRequest((before, after), new, results))

    @asynccontextmanager
    async def removal(self) -> AsyncIterator[bool]:
        """Yield whether this process may remove games now. Only one process at a time may."""
        if not self.shared:
            yield True
            return
        async with self.transaction() as connection:
            mine = select(func.pg_try_advisory_xact_lock(REMOVAL_LOCK_KEY))
            yield bool((await connection.execute(mine)).scalar())

    async def advance_clock(
        self, connected: Collection[str] = (), older_than_s: float = 0.0
    ) -> None:
        """Advance the clock, and keep the games in `connected` from expiring.

        Games that have changed in the last `older_than_s` seconds are skipped, to save writes.
        """
        async with self.transaction() as connection:
            await self.clock.advance(connection)
            if connected:
                old = games.c.updated_at < int(self.clock.now() - older_than_s)
                await connection.execute(
                    update(games)
                    .where(among(connection, games.c.id, connected), old)
                    .values(updated_at=self.clock.now())
                )

    async def count(self, table: Table, *which: ColumnElement[bool]) -> int:
        async with self.snapshot() as connection:
            return await count_rows(connection, table, *which)

    async def rows(self, query: Executable) -> Sequence[Row[tuple[object, ...]]]:
        async with self.snapshot() as connection:
            return (await connection.execute(query)).all()

    async def execute(self, *statements: Executable) -> None:
        async with self.transaction() as connection:
            for statement in statements:
                await connection.execute(statement)

    async def oldest(self, most: int, *, over: bool, before: int | None = None) -> list[str]:
        """Return the ids of up to `most` games that have not changed for the longest time."""
        found = select(games.c.id).where(is_over(over)).order_by(games.c.updated_at).limit(most)
        if before is not None:
            found = found.where(games.c.updated_at < before)
        if self.shared:
            players = select(presence.c.game).where(presence.c.seat != WATCHING)
            found = found.where(games.c.id.not_in(players))
        return [row.id for row in await self.rows(found)]

    async def remove(self, ids: Collection[str], *, over: bool, before: int) -> list[str]:
        async with self.transaction() as connection:
            remove = (
                delete(games)
                .where(among(connection, games.c.id, ids), is_over(over))
                .where(games.c.updated_at < before)
                .returning(games.c.id)
            )
            gone = [row.id for row in await connection.execute(remove)]
            await self._after_removal(connection, gone)
            return gone

    async def remove_unchanged(self, stored: StoredGame) -> bool:
        async with self.transaction() as connection:
            same = (games.c.id == stored.id, games.c.version == stored.version)
            remove = delete(games).where(*same).returning(games.c.id)
            gone = [row.id for row in await connection.execute(remove)]
            await self._after_removal(connection, gone)
            return bool(gone)

    async def _after_removal(self, connection: AsyncConnection, gone: Collection[str]) -> None:
        if self.shared and gone:
            await connection.execute(
                delete(last_seen).where(among(connection, last_seen.c.game, gone))
            )
        await send(connection, [GameNotice(game, removed=True) for game in gone])

    async def load(self, game: str) -> StoredGame | None:
        found = await self.load_all([game])
        return found[game].stored if found else None

    async def load_all(self, ids: Collection[str]) -> dict[str, LoadedGame]:
        return await self._games.get_all(ids)

    async def version(self, game: str) -> int | None:
        return await self._versions.get(game)

    async def _load(self, ids: Collection[str]) -> dict[str, LoadedGame]:
        async with self.snapshot() as connection:
            mine = among(connection, games.c.id, ids)
            found = await read_games(connection, select(games).where(mine))
            if not found:
                return {}
            elsewhere = await read_attendance(connection, self.process, ids) if self.shared else {}
        return {one.id: LoadedGame(one, elsewhere.get(one.id, Attendance())) for one in found}

    async def _load_versions(self, ids: Collection[str]) -> dict[str, int]:
        with translate_driver_errors():
            async with self.engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                rows = await connection.execute(
                    select(games.c.id, games.c.version).where(among(connection, games.c.id, ids))
                )
                return {row.id: row.version for row in rows}

    async def set_presence(self, present: Mapping[str, Attendance]) -> None:
        # The number changes with the listening connection, so read it only once.
        process = self.process
        async with self.transaction() as connection:
            await write_attendance(connection, process, present)
            await send(connection, [GameNotice(game, process=process) for game in present])


def is_over(over: bool) -> ColumnElement[bool]:
    return games.c.over if over else ~games.c.over


def file_id(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


#: The longest step of the clock, as a multiple of the interval between reads.
MAX_INTERVALS = 2
MIN_STEP_S = 5


class StoreClock:
    """The clock by which games expire. It stands still while no server is running."""

    def __init__(self, interval_s: float, machine: Clock = SYSTEM_CLOCK) -> None:
        self.machine = machine
        #: The longest step. A longer time between two reads is a jump of the machine's clock.
        self.max_step_s = max(MIN_STEP_S, int(MAX_INTERVALS * interval_s))
        self._now = int(machine.now().timestamp())
        self._looked_at = machine.monotonic()
        #: How many seconds the machine's clock is ahead. People see dates by the machine's clock.
        self.lag_s = 0

    def now(self) -> int:
        return self._now + int(min(self.machine.monotonic() - self._looked_at, self.max_step_s))

    async def advance(self, connection: AsyncConnection) -> None:
        """Advance the clock by the time since it was last advanced, and read it."""
        wall = self.machine_time(connection)
        passed = wall - clock.c.seen
        step = case((passed < 0, 0), (passed > self.max_step_s, self.max_step_s), else_=passed)
        # The counter makes every call write something, to test that writing works.
        changed = {"now": clock.c.now + step, "seen": wall, "looks": clock.c.looks + 1}
        await connection.execute(update(clock).values(changed))
        row = (await connection.execute(select(clock.c.now, clock.c.seen))).one()
        self._now, self._looked_at = row.now, self.machine.monotonic()
        self.lag_s = row.seen - row.now

    def machine_time(self, connection: AsyncConnection) -> ColumnElement[int]:
        """Return an SQL expression for the current time. PostgreSQL uses its own clock."""
        if connection.dialect.name == "postgresql" and self.machine is SYSTEM_CLOCK:
            return literal_column(POSTGRES_NOW)
        return literal(int(self.machine.now().timestamp()))


V = TypeVar("V")


class RequestBatcher(Generic[V]):
    """Collects the requests that arrive during a query, and answers them with the next query."""

    def __init__(
        self, query: Callable[[Collection[str]], Awaitable[Mapping[str, V]]], batch_size: int
    ) -> None:
        self._query = query
        self._batch_size = batch_size
        self._waiting: dict[str, list[Future[V | None]]] = {}
        self._task: Task[None] | None = None

    async def get(self, key: str) -> V | None:
        found: Future[V | None] = get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(found)
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        return await found

    async def get_all(self, keys: Collection[str]) -> dict[str, V]:
        found = await gather(*map(self.get, keys))
        return {key: one for key, one in zip(keys, found, strict=True) if one is not None}

    async def finish(self) -> None:
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
