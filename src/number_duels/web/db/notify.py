"""Notices between server processes about changed games and connected people."""

from __future__ import annotations

import json
import logging
import secrets
from asyncio import CancelledError, Event, Task, create_task, wait
from collections import Counter, defaultdict
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Protocol

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    String,
    bindparam,
    cast,
    delete,
    func,
    insert,
    null,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.sql.base import Executable

from number_duels.core.game import Seat
from number_duels.web.db.engine import translate_driver_errors
from number_duels.web.db.schema import WATCHING, Values, among, last_seen, presence
from number_duels.web.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from number_duels.web.db.repository import GameRepository

log = logging.getLogger(__name__)

CHANNEL = "number_duels"
#: A PostgreSQL message must be shorter than 8,000 bytes. A notice has at most 110.
MAX_NOTICES_PER_MESSAGE = 70
SEND = select(
    func.pg_notify(
        CHANNEL, func.unnest(bindparam("messages", type_=ARRAY(String))).column_valued("message")
    )
)


@dataclass(frozen=True)
class GameNotice:
    """A notice that a game or its connections have changed, or that the game was removed."""

    game: str
    version: int | None = None
    process: int | None = None
    removed: bool = False

    def __add__(self, other: GameNotice) -> GameNotice:
        """Combine two notices about the same game. Keep the later version.

        >>> GameNotice("a", version=3) + GameNotice("a", process=7) + GameNotice("a", version=5)
        GameNotice(game='a', version=5, process=7, removed=False)
        """
        versions = [one.version for one in (self, other) if one.version is not None]
        return GameNotice(
            self.game,
            max(versions, default=None),
            other.process if self.process is None else self.process,
            self.removed or other.removed,
        )

    def outdates(self, version: int) -> bool:
        newer = self.version is not None and self.version > version
        return newer or self.process is not None or self.removed


def pack(notices: Iterable[GameNotice]) -> Iterator[str]:
    """Pack notices into as few messages as possible.

    >>> list(pack([GameNotice("a", version=3), GameNotice("b", removed=True)]))
    ['[["a", 3, null, false], ["b", null, null, true]]']
    """
    rows = [astuple(notice) for notice in notices]
    for start in range(0, len(rows), MAX_NOTICES_PER_MESSAGE):
        yield json.dumps(rows[start : start + MAX_NOTICES_PER_MESSAGE])


def unpack(message: str) -> Iterator[GameNotice]:
    """Yield the notices in a message. Ignore messages in other formats.

    >>> list(unpack('[["a", 3, null, false]]')), list(unpack("nonsense"))
    ([GameNotice(game='a', version=3, process=None, removed=False)], [])
    """
    with suppress(ValueError, TypeError):
        yield from [GameNotice(*row) for row in json.loads(message)]


def announce(connection: Connection, notices: Iterable[GameNotice]) -> None:
    """Notify all processes when this transaction commits. With SQLite, do nothing."""
    if connection.dialect.name == "postgresql":
        messages = list(pack(notices))
        if messages:
            connection.execute(SEND, {"messages": messages})


async def send(connection: AsyncConnection, notices: Iterable[GameNotice]) -> None:
    await connection.run_sync(announce, notices)


class Notifier:
    connected = True
    publish: Callable[[Collection[GameNotice]], Awaitable[None]]
    after_gap: Callable[[], Awaitable[None]]

    def set_presence(self, game: str, here: Attendance) -> None:
        """Do nothing, because there are no other processes."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Attendance:
    """The connected seats of a game, and how many people watch it."""

    seats: frozenset[Seat] = frozenset()
    watching: int = 0
    last_seen: Mapping[Seat, int] = field(default_factory=dict)


async def write_attendance(
    connection: AsyncConnection, process: int, found: Mapping[str, Attendance]
) -> None:
    rows: list[Values] = []
    seen: list[Values] = []
    # A fixed order prevents deadlocks between processes.
    for game, here in sorted(found.items()):
        numbers: dict[int, int] = dict.fromkeys(here.seats, 1)
        numbers[WATCHING] = here.watching
        rows.extend(
            {"process": process, "game": game, "seat": int(s), "number": number}
            for s, number in numbers.items()
            if number
        )
        seen.extend(
            {"game": game, "seat": int(s), "at": at} for s, at in sorted(here.last_seen.items())
        )
    these = among(connection, presence.c.game, list(found))
    await connection.execute(delete(presence).where(presence.c.process == process, these))
    if rows:
        await connection.execute(insert(presence), rows)
    if seen:
        insertion = upsert(last_seen)
        later = func.greatest(last_seen.c.at, insertion.excluded.at)
        await connection.execute(
            insertion.on_conflict_do_update(index_elements=["game", "seat"], set_={"at": later}),
            seen,
        )


async def read_attendance(
    connection: AsyncConnection, process: int, ids: Collection[str]
) -> dict[str, Attendance]:
    """Return each game's connections to other processes, and when its players were last seen."""
    seats = defaultdict[str, set[Seat]](set)
    seen = defaultdict[str, dict[Seat, int]](dict)
    watching = Counter[str]()
    # A single statement, because this runs after every change by another process.
    everything: Executable = union_all(
        select(presence.c.game, presence.c.seat, presence.c.number, cast(null(), BigInteger)).where(
            among(connection, presence.c.game, ids), presence.c.process != process
        ),
        select(last_seen.c.game, last_seen.c.seat, cast(null(), Integer), last_seen.c.at).where(
            among(connection, last_seen.c.game, ids)
        ),
    )
    for game, seat, number, at in await connection.execute(everything):
        if at is not None:
            seen[game][Seat(seat)] = at
        elif seat == WATCHING:
            watching[game] += number
        else:
            seats[game].add(Seat(seat))
    return {game: Attendance(frozenset(seats[game]), watching[game], seen[game]) for game in ids}


CHECK_INTERVAL_S = 3.0
#: After this time without a connection, the server starts, but is not ready.
CONNECT_TIMEOUT_S = 10.0
CLOSE_TIMEOUT_S = 2.0
RETRY_DELAY_S = 0.3
#: The first key of each process's lock. The second key is the number of the process.
PROCESS_LOCK_CLASS = 0x6475
LOCK = "SELECT pg_advisory_lock($1, $2)"
#: Players connected to a dead process count as away from now on.
REMOVE_DEAD_PROCESSES = """
WITH alive AS (
    SELECT objid::bigint AS process FROM pg_locks
    WHERE locktype = 'advisory' AND classid = $1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
gone AS (
    DELETE FROM presence WHERE process NOT IN (SELECT process FROM alive)
    RETURNING game, process, seat),
seen AS (
    INSERT INTO last_seen (game, seat, at)
    SELECT DISTINCT game, seat, $2::bigint FROM gone WHERE seat >= 0
    ON CONFLICT (game, seat) DO UPDATE SET at = greatest(last_seen.at, excluded.at))
SELECT DISTINCT game, process FROM gone
"""


class AsyncpgConnection(Protocol):
    """The methods of an asyncpg connection that this module uses, with types."""

    def add_termination_listener(self, callback: Callable[[object], None]) -> None: ...

    async def add_listener(
        self, channel: str, callback: Callable[[object, int, str, object], None]
    ) -> None: ...

    async def execute(self, query: str, *args: object) -> str: ...

    async def fetch(self, query: str, *args: object) -> Sequence[Mapping[str, object]]: ...


class PostgresNotifier(Notifier):
    """Sends notices between all processes that share a PostgreSQL database.

    The listening connection holds a lock. If a process dies, PostgreSQL releases the lock, and the
    other processes know that its clients are gone.
    """

    def __init__(self, repository: GameRepository) -> None:
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
        self._tasks = [create_task(self._keep_listening()), create_task(self._write_presence())]
        with suppress(TimeoutError):
            async with self.clock.timeout(CONNECT_TIMEOUT_S):
                await self._listening.wait()

    async def close(self) -> None:
        # The current query may end first.
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
                    log.warning("The connection for notifications was lost: %s", error)
            except Exception:
                log.exception("Listening failed")
            self.connected = False
            if not self._closing:
                await self.clock.sleep(RETRY_DELAY_S)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncpgConnection]:
        with translate_driver_errors():
            async with self.repository.engine.connect() as connection:
                raw = await connection.get_raw_connection()
                listening: AsyncpgConnection | None = raw.driver_connection
                assert listening is not None
                try:
                    yield listening
                finally:
                    await connection.invalidate()

    async def _listen(self, connection: AsyncpgConnection) -> None:
        self._lost = self._closing
        connection.add_termination_listener(self._on_loss)
        process = 1 + secrets.randbelow(2**31 - 1)
        await connection.execute(LOCK, PROCESS_LOCK_CLASS, process)
        await connection.add_listener(CHANNEL, self._on_message)
        self.repository.process = process
        await self.after_gap()
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
                    log.exception("The list of connected players could not be saved")
                self._presence = {**changed, **self._presence}
                self._presence_changed.set()
                await self.clock.sleep(RETRY_DELAY_S)


async def remove_dead_processes(connection: AsyncpgConnection, now: int) -> None:
    """Mark players and spectators as disconnected if their server process has died."""
    rows = await connection.fetch(REMOVE_DEAD_PROCESSES, PROCESS_LOCK_CLASS, now)
    gone = [GameNotice(str(row["game"]), process=int(str(row["process"]))) for row in rows]
    for message in pack(gone):
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, message)
