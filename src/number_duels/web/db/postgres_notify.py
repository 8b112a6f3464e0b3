"""Listening to the other processes on the same PostgreSQL, and telling them who is here.

One connection listens. It also holds a lock under this process's number: when
the process dies, however it dies, PostgreSQL lets go of the lock, and the
others then know that nobody is connected to it any more. After the connection
was lost, some news may have been missed, so everything is read again.
"""

from __future__ import annotations

import logging
import secrets
from asyncio import CancelledError, Event, Task, create_task, sleep, timeout, wait
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Protocol, cast

from number_duels.core.game import Seat
from number_duels.web.db.announcer import Announcer
from number_duels.web.db.engine import reaching
from number_duels.web.db.notify import CHANNEL, GONE, pack, unpack
from number_duels.web.db.repository import Store
from number_duels.web.errors import Away

log = logging.getLogger(__name__)

#: Seconds between two looks whether the connection and the other processes are alive.
CHECK = 3.0
#: Seconds that the first connection is waited for; without it the server starts, but is not ready.
FIRST = 10.0
#: Seconds that the last query may take when the server stops.
LAST = 2.0
#: Seconds before a lost connection is made again.
RETRY = 0.3
#: The name under which the numbers of processes are locked.
LOCKS = 0x6475
LOCK = "SELECT pg_advisory_lock($1, $2)"
BURY = """
DELETE FROM people WHERE process NOT IN (
    SELECT objid::bigint FROM pg_locks
    WHERE locktype = 'advisory' AND classid = $1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
RETURNING game, process
"""


class Wire(Protocol):
    """What we use of asyncpg's connection, which has no types of its own."""

    def add_termination_listener(self, callback: Callable[[object], None]) -> None:
        """Be told when the connection is lost."""

    async def add_listener(
        self, channel: str, callback: Callable[[object, int, str, object], None]
    ) -> None:
        """Be told of every message."""

    async def execute(self, query: str, *args: object) -> str:
        """Do something."""

    async def fetch(self, query: str, *args: object) -> Sequence[Mapping[str, object]]:
        """Ask for rows."""


class SharedAnnouncer(Announcer):
    """Hears what every process on the same database commits."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.connected = False
        self._news: dict[str, int] = {}
        self._arrived = Event()
        self._lost = False
        self._closing = False
        self._people: dict[str, Collection[Seat]] = {}
        self._came_or_went = Event()
        self._listening = Event()
        self._tasks: list[Task[None]] = []

    async def open(self) -> None:
        """Listen, from now on and whatever happens to the connection."""
        self._tasks = [create_task(self._stay()), create_task(self._tell_people())]
        with suppress(TimeoutError):
            async with timeout(FIRST):
                await self._listening.wait()

    async def close(self) -> None:
        """Let go of the connection, after what is under way: to cut off a query takes longer."""
        self._closing = self._lost = True
        self._arrived.set()
        self._came_or_went.set()
        if self._tasks:
            _, late = await wait(self._tasks, timeout=LAST)
            for task in late:
                task.cancel()
                with suppress(CancelledError):
                    await task

    # ---- hearing -------------------------------------------------------------------

    async def _stay(self) -> None:
        """Listen again whenever the connection was lost."""
        while not self._closing:
            try:
                async with self._connection() as connection:
                    await self._listen(connection)
            except Away as error:
                if self.connected and not self._closing:
                    log.warning("The connection that listens was lost: %s", error)
            except Exception:
                log.exception("Listening failed")
            self.connected = False
            if not self._closing:
                await sleep(RETRY)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Wire]:
        """A connection of our own, which nobody uses after us."""
        with reaching():
            async with self.store.engine.connect() as connection:
                raw = await connection.get_raw_connection()
                try:
                    yield cast(Wire, raw.driver_connection)
                finally:
                    await connection.invalidate()

    async def _listen(self, connection: Wire) -> None:
        self._lost = self._closing
        connection.add_termination_listener(self._on_loss)
        process = 1 + secrets.randbelow(2**31 - 1)
        await connection.execute(LOCK, LOCKS, process)
        await connection.add_listener(CHANNEL, self._on_message)
        self.store.reader.process = process
        for after_gap in self._after_gap:
            await after_gap()
        self.connected = True
        self._listening.set()
        checked = monotonic()
        while not self._lost:
            with suppress(TimeoutError):
                async with timeout(CHECK):
                    await self._arrived.wait()
            self._arrived.clear()
            news, self._news = self._news, {}
            if news:
                await self.announce(news)
            if monotonic() - checked >= CHECK and not self._lost:
                await self._bury(connection)
                checked = monotonic()
        raise Away("the server closed it")

    def _on_loss(self, _: object) -> None:
        self._lost = True
        self._arrived.set()

    def _on_message(self, _: object, __: int, ___: str, message: object) -> None:
        for game, version in unpack(str(message)):
            if version == -self.store.reader.process:
                continue
            self._news[game] = both(self._news.get(game, version), version)
        self._arrived.set()

    async def _bury(self, connection: Wire) -> None:
        """Remove who was connected to processes that have died; this also tries the connection."""
        gone = await connection.fetch(BURY, LOCKS)
        for message in pack([(str(row["game"]), -int(str(row["process"]))) for row in gone]):
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, message)

    # ---- telling -------------------------------------------------------------------

    def people(self, game: str, seats: Collection[Seat]) -> None:
        """Tell the other processes who is connected to this one."""
        self._people[game] = seats
        self._came_or_went.set()

    async def _tell_people(self) -> None:
        while not self._closing:
            await self._came_or_went.wait()
            self._came_or_went.clear()
            told, self._people = self._people, {}
            try:
                if told:
                    await self.store.attend(told)
            except Exception as error:
                if not isinstance(error, Away):
                    log.exception("Telling who is connected failed")
                self._people = {**told, **self._people}
                self._came_or_went.set()
                await sleep(RETRY)


def both(one: int, other: int) -> int:
    """What two pieces of news about a game come to: gone, to be read in any case, or the latest.

    >>> both(3, 5), both(3, 0), both(-7, 5)
    (5, 0, -7)
    """
    if GONE in (one, other):
        return GONE
    return max(one, other) if min(one, other) > 0 else min(one, other)
