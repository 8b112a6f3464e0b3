"""The store: games, moves and draws in a database; what was accepted is never changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import delete, insert, select

from number_duels.core.game import Seat
from number_duels.web.config import Config
from number_duels.web.db.engine import connect, driver_url, reaching
from number_duels.web.db.migrations import migrate
from number_duels.web.db.notify import GONE, tell
from number_duels.web.db.reader import Found, Reader
from number_duels.web.db.stored_game import Ledger
from number_duels.web.db.tables import among, games, people
from number_duels.web.db.writer import Entry, Writer


class Store:
    """The games of one database."""

    def __init__(self, url: str, config: Config | None = None) -> None:
        self.url = driver_url(url)
        with reaching():
            self.engine = connect(self.url, config or Config())
        self.writer = Writer(self.engine)
        self.reader = Reader(self.engine)
        #: Whether other processes may change games, too.
        self.shared = self.reader.shared

    async def open(self) -> None:
        """Bring the tables to their present shape; Newer if they are ahead of us."""
        async with self.writer.transaction() as connection:
            await connection.run_sync(migrate)

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        await self.writer.finish()
        await self.reader.finish()
        await self.engine.dispose()

    # ---- games -------------------------------------------------------------------

    async def create(self, ledger: Ledger) -> None:
        """Write a new game down."""
        await self.writer.write(Entry(new=ledger))

    async def advance(self, before: Ledger, after: Ledger, new: Ledger | None = None) -> None:
        """Write down, in one transaction, what came to a game; Stale if it changed meanwhile."""
        await self.writer.write(Entry((before, after), new))

    async def load(self, game: str) -> Ledger | None:
        """A game as it was written down; None if there is none."""
        found = await self.load_all([game])
        return found[game].ledger if found else None

    async def load_all(self, ids: Collection[str]) -> dict[str, Found]:
        """Games as they were written down; those that are not there are left out."""
        return await self.reader.games.ask_all(ids)

    async def expire(self, before: int) -> list[str]:
        """Remove unfinished games that nobody touched since; which ones they were."""
        old = (games.c.touched < before) & ~games.c.over
        async with self.reader.snapshot() as connection:
            if (await connection.execute(select(games.c.id).where(old).limit(1))).first() is None:
                return []
        remove = delete(games).where(old).returning(games.c.id)
        async with self.writer.transaction() as connection:
            gone = [row.id for row in await connection.execute(remove)]
            await tell(connection, [(game, GONE) for game in gone])
            return gone

    async def alive(self) -> None:
        """Raise Away if the database cannot answer."""
        async with self.reader.snapshot() as connection:
            await connection.execute(select(1))

    # ---- who is there --------------------------------------------------------------

    async def attend(self, present: Mapping[str, Collection[Seat]]) -> None:
        """Let the other processes know who is connected to this one, game by game."""
        # The number changes when the listening connection is made anew, also in the middle of this.
        process, ids = self.reader.process, list(present)
        rows = [
            {"process": process, "game": game, "seat": int(seat)}
            for game, seats in present.items()
            for seat in seats
        ]
        async with self.writer.transaction() as connection:
            mine = people.c.process == process
            await connection.execute(
                delete(people).where(mine, among(connection, people.c.game, ids))
            )
            if rows:
                await connection.execute(insert(people), rows)
            await tell(connection, [(game, -process) for game in ids])
