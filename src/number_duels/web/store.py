"""The store: games, moves and draws in a database; what was accepted is never changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import Connection, delete, event, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from number_duels.core.game import Seat
from number_duels.web.ledger import Draw, Ledger, Move
from number_duels.web.schema import (
    draws,
    games,
    metadata,
    moves,
    read_ledger,
    resignations,
    seat_or_none,
)
from number_duels.web.writing import Entry, SharedWriter, Writer


class Store:
    """The games of one database."""

    def __init__(self, url: str) -> None:
        self.url = driver_url(url)
        self.embedded = self.url.get_backend_name() == "sqlite"
        self.engine = connect(self.url)
        self.writer = (SharedWriter if self.embedded else Writer)(self.engine)

    async def open(self) -> None:
        """Make the tables that are missing."""
        async with self.writer.transaction() as connection:
            await connection.run_sync(metadata.create_all)

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        await self.writer.finish()
        await self.engine.dispose()

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that sees the same moment throughout."""
        async with self.engine.connect() as connection:
            if not self.embedded:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            async with connection.begin():
                yield connection

    # ---- games -------------------------------------------------------------------

    async def create(self, ledger: Ledger) -> None:
        """Write a new game down."""
        await self.writer.write(Entry(new=ledger))

    async def advance(self, before: Ledger, after: Ledger, new: Ledger | None = None) -> None:
        """Write down, in one transaction, what came to a game; Stale if it changed meanwhile."""
        await self.writer.write(Entry((before, after), new))

    async def load(self, game: str) -> Ledger | None:
        """A game as it was written down; None if there is none."""
        async with self.reader() as connection:
            row = (await connection.execute(select(games).where(games.c.id == game))).first()
            if row is None:
                return None
            chosen = await connection.execute(
                select(moves).where(moves.c.game == game).order_by(moves.c.turn, moves.c.seat)
            )
            drawn = await connection.execute(
                select(draws).where(draws.c.game == game).order_by(draws.c.number)
            )
            resigned = await connection.execute(
                select(resignations.c.seat).where(resignations.c.game == game)
            )
            return read_ledger(
                row,
                tuple(Move(one.turn, Seat(one.seat), one.move) for one in chosen),
                tuple(Draw(one.turn, seat_or_none(one.seat), one.event) for one in drawn),
                seat_or_none(resigned.scalar()),
            )

    async def expire(self, before: int) -> list[str]:
        """Remove unfinished games that nobody touched since; which ones they were."""
        old = (games.c.touched < before) & ~games.c.over
        async with self.reader() as connection:
            if (await connection.execute(select(games.c.id).where(old).limit(1))).first() is None:
                return []
        remove = delete(games).where(old).returning(games.c.id)
        async with self.writer.transaction() as connection:
            return [row.id for row in await connection.execute(remove)]

    async def alive(self) -> None:
        """Raise whatever the database raises when it cannot answer."""
        async with self.reader() as connection:
            await connection.execute(select(1))


def driver_url(text: str) -> URL:
    """The address with the driver that we use; a ValueError says what addresses there are."""
    try:
        url = make_url(text)
    except ArgumentError:
        url = URL.create("unknown")
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    if url.drivername not in drivers or (url.drivername == "sqlite" and not url.database):
        raise ValueError("A database is sqlite:///FILE or postgresql://USER@HOST/NAME.")
    return url.set(drivername=drivers[url.drivername])


def make_file(url: URL) -> Path:
    """The file of an embedded database; it holds secrets, so it is its owner's alone."""
    path = Path(str(url.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    return path


def connect(url: URL) -> AsyncEngine:
    """The engine for an address; an embedded database is made safe and quick first."""
    engine = create_async_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")
    if url.get_backend_name() != "sqlite":
        return engine
    make_file(url)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        cursor = connection.cursor()
        for pragma in (
            "busy_timeout=10000",
            "journal_mode=WAL",
            "synchronous=FULL",  # an accepted move outlives a power cut
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
