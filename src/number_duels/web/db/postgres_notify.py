"""Notices between the processes that share a PostgreSQL, and who is connected to which.

One connection listens for `NOTIFY`, which is sent in the same transaction as the
change. It also holds a lock under this process's number: when the process dies,
however it dies, PostgreSQL releases the lock, and the others then know that nobody
is connected to it any more. After the connection was lost, some notices may have
been missed, so everything is read again.
"""

from __future__ import annotations

import logging
import secrets
from asyncio import CancelledError, Event, Task, create_task, wait
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol, cast

from number_duels.web.db.attendance import Attendance
from number_duels.web.db.engine import translate_driver_errors
from number_duels.web.db.notify import CHANNEL, GameNotice, Notifier, pack, unpack
from number_duels.web.db.repository import GameRepository
from number_duels.web.errors import DatabaseUnavailable

log = logging.getLogger(__name__)

#: Between two looks whether the connection and the other processes are alive.
CHECK_INTERVAL_S = 3.0
#: For the first connection; without it the server starts, but is not ready.
CONNECT_TIMEOUT_S = 10.0
#: For the last query when the server stops.
CLOSE_TIMEOUT_S = 2.0
RETRY_DELAY_S = 0.3
#: The first key of the advisory locks; the second is the number of a process.
PROCESS_LOCK_CLASS = 0x6475
LOCK = "SELECT pg_advisory_lock($1, $2)"
#: Who was connected to a process that has died is away from now on.
REMOVE_DEAD_PROCESSES = """
WITH alive AS (
    SELECT objid::bigint AS process FROM pg_locks
    WHERE locktype = 'advisory' AND classid = $1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
players AS (
    DELETE FROM presence WHERE process NOT IN (SELECT process FROM alive)
    RETURNING game, process, seat),
watchers AS (
    DELETE FROM spectators WHERE process NOT IN (SELECT process FROM alive)
    RETURNING game, process),
seen AS (
    INSERT INTO last_seen (game, seat, at) SELECT DISTINCT game, seat, $2::bigint FROM players
    ON CONFLICT (game, seat) DO UPDATE SET at = greatest(last_seen.at, excluded.at))
SELECT game, process FROM players UNION SELECT game, process FROM watchers
"""


class AsyncpgConnection(Protocol):
    """What we use of asyncpg's connection, which has no types of its own."""

    def add_termination_listener(self, callback: Callable[[object], None]) -> None: ...

    async def add_listener(
        self, channel: str, callback: Callable[[object, int, str, object], None]
    ) -> None: ...

    async def execute(self, query: str, *args: object) -> str: ...

    async def fetch(self, query: str, *args: object) -> Sequence[Mapping[str, object]]: ...


class PostgresNotifier(Notifier):
    """Notices what every process on the same database commits."""

    def __init__(self, repository: GameRepository) -> None:
        super().__init__()
        self.repository = repository
        self.clock = repository.clock.machine
        self.connected = False
        self._notices: dict[str, GameNotice] = {}
        self._arrived = Event()
        self._lost = False
        self._closing = False
        self._presence: dict[str, Attendance] = {}
        self._presence_changed = Event()
        self._listening = Event()
        self._tasks: list[Task[None]] = []

    async def open(self) -> None:
        """Listen from now on, and again whenever the connection was lost."""
        self._tasks = [create_task(self._keep_listening()), create_task(self._write_presence())]
        with suppress(TimeoutError):
            async with self.clock.timeout(CONNECT_TIMEOUT_S):
                await self._listening.wait()

    async def close(self) -> None:
        """Close the connection, after what is under way: to cut off a query takes longer."""
        self._closing = self._lost = True
        self._arrived.set()
        self._presence_changed.set()
        if self._tasks:
            _, late = await wait(self._tasks, timeout=CLOSE_TIMEOUT_S)
            for task in late:
                task.cancel()
                with suppress(CancelledError):
                    await task

    async def _keep_listening(self) -> None:
        while not self._closing:
            try:
                async with self._connection() as connection:
                    await self._listen(connection)
            except DatabaseUnavailable as error:
                if self.connected and not self._closing:
                    log.warning("The connection that listens was lost: %s", error)
            except Exception:
                log.exception("Listening failed")
            self.connected = False
            if not self._closing:
                await self.clock.sleep(RETRY_DELAY_S)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncpgConnection]:
        """A connection of our own, which is not used again after us."""
        with translate_driver_errors():
            async with self.repository.engine.connect() as connection:
                raw = await connection.get_raw_connection()
                try:
                    yield cast(AsyncpgConnection, raw.driver_connection)
                finally:
                    await connection.invalidate()

    async def _listen(self, connection: AsyncpgConnection) -> None:
        self._lost = self._closing
        connection.add_termination_listener(self._on_loss)
        process = 1 + secrets.randbelow(2**31 - 1)
        await connection.execute(LOCK, PROCESS_LOCK_CLASS, process)
        await connection.add_listener(CHANNEL, self._on_message)
        self.repository.process = process
        for after_gap in self._after_gap:
            await after_gap()
        self.connected = True
        self._listening.set()
        checked = self.clock.monotonic()
        while not self._lost:
            with suppress(TimeoutError):
                async with self.clock.timeout(CHECK_INTERVAL_S):
                    await self._arrived.wait()
            self._arrived.clear()
            notices, self._notices = self._notices, {}
            if notices:
                await self.publish(notices.values())
            if self.clock.monotonic() - checked >= CHECK_INTERVAL_S and not self._lost:
                await remove_dead_processes(connection, self.repository.clock.now())
                checked = self.clock.monotonic()
        raise DatabaseUnavailable("the server closed it")

    def _on_loss(self, _: object) -> None:
        self._lost = True
        self._arrived.set()

    def _on_message(self, _: object, __: int, ___: str, message: object) -> None:
        for notice in unpack(str(message)):
            if notice.process == self.repository.process:
                continue
            earlier = self._notices.get(notice.game)
            self._notices[notice.game] = earlier + notice if earlier else notice
        self._arrived.set()

    def set_presence(self, game: str, here: Attendance) -> None:
        """Tell the other processes who is connected to this one."""
        self._presence[game] = here
        self._presence_changed.set()

    async def _write_presence(self) -> None:
        while not self._closing:
            await self._presence_changed.wait()
            self._presence_changed.clear()
            changed, self._presence = self._presence, {}
            try:
                if changed:
                    await self.repository.set_presence(changed)
            except Exception as error:
                if not isinstance(error, DatabaseUnavailable):
                    log.exception("Writing down who is connected failed")
                self._presence = {**changed, **self._presence}
                self._presence_changed.set()
                await self.clock.sleep(RETRY_DELAY_S)


async def remove_dead_processes(connection: AsyncpgConnection, now: int) -> None:
    """Remove who was connected to processes that have died; this also tries the connection."""
    rows = await connection.fetch(REMOVE_DEAD_PROCESSES, PROCESS_LOCK_CLASS, now)
    gone = [GameNotice(str(row["game"]), process=int(str(row["process"]))) for row in rows]
    for message in pack(gone):
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, message)
