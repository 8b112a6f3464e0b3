"""Reading from the store: whole games, and the versions that they have by now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from number_duels.core.game import Seat
from number_duels.web.db.batching import Together
from number_duels.web.db.engine import reaching
from number_duels.web.db.stored_game import Draw, Ledger, Move
from number_duels.web.db.tables import (
    among,
    draws,
    games,
    moves,
    people,
    read_ledger,
    resignations,
    seat_or_none,
)


@dataclass(frozen=True)
class Found:
    """A game in the store, and the seats that are connected to other processes than ours."""

    ledger: Ledger
    elsewhere: frozenset[Seat] = frozenset()


class Reader:
    """Reads games, many at a time."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.shared = engine.dialect.name == "postgresql"
        #: The number of this process while it listens; who is elsewhere has another.
        self.process = 0
        #: Whole games, and the versions that they have at the moment of asking or later.
        self.games = Together(self.load, most=100)
        self.now = Together(self.versions, most=1000)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that sees the same moment throughout."""
        with reaching():
            async with self.engine.connect() as connection:
                if self.shared:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                async with connection.begin():
                    yield connection

    # ---- whole games -------------------------------------------------------------

    async def load(self, ids: Collection[str]) -> dict[str, Found]:
        """Games as they were written down; those that are not there are left out."""
        chosen, drawn = defaultdict[str, list[Move]](list), defaultdict[str, list[Draw]](list)
        async with self.snapshot() as connection:
            rows = await connection.execute(select(games).where(among(connection, games.c.id, ids)))
            found = {row.id: row for row in rows}
            if not found:
                return {}
            for one in await connection.execute(
                select(moves)
                .where(among(connection, moves.c.game, ids))
                .order_by(moves.c.turn, moves.c.seat)
            ):
                chosen[one.game].append(Move(one.turn, Seat(one.seat), one.move))
            for one in await connection.execute(
                select(draws).where(among(connection, draws.c.game, ids)).order_by(draws.c.number)
            ):
                drawn[one.game].append(Draw(one.turn, seat_or_none(one.seat), one.event))
            over = [game for game, row in found.items() if row.over]
            resigned = await self._resigned(connection, over) if over else {}
            elsewhere = await self._elsewhere(connection, ids) if self.shared else {}
        return {
            game: Found(
                read_ledger(row, tuple(chosen[game]), tuple(drawn[game]), resigned.get(game)),
                frozenset(elsewhere.get(game, ())),
            )
            for game, row in found.items()
        }

    async def _resigned(
        self, connection: AsyncConnection, ids: Collection[str]
    ) -> dict[str, Seat | None]:
        rows = await connection.execute(
            select(resignations).where(among(connection, resignations.c.game, ids))
        )
        return {row.game: Seat(row.seat) for row in rows}

    async def _elsewhere(
        self, connection: AsyncConnection, ids: Collection[str]
    ) -> dict[str, set[Seat]]:
        there = defaultdict[str, set[Seat]](set)
        rows = await connection.execute(
            select(people).where(
                among(connection, people.c.game, ids), people.c.process != self.process
            )
        )
        for row in rows:
            there[row.game].add(Seat(row.seat))
        return there

    # ---- versions ----------------------------------------------------------------

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """The versions of those games that are there."""
        with reaching():
            async with self.engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                rows = await connection.execute(
                    select(games.c.id, games.c.version).where(among(connection, games.c.id, ids))
                )
                return {row.id: row.version for row in rows}

    async def finish(self) -> None:
        """Wait for what is under way."""
        await self.games.finish()
        await self.now.finish()
