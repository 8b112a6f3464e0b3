"""Writing to the store: what arrives together shares one commit where there is one writer.

An embedded database has one writer, which waits for the disk at every commit.
So the entries that arrive during one commit are written together by the next;
should one of them not fit, they are written again one by one, so that it takes
nothing with it. Nobody is answered before its entry is on the disk. A database
server does the same by itself.
"""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from number_duels.web.errors import Stale
from number_duels.web.ledger import Ledger
from number_duels.web.schema import (
    CHANGING,
    Values,
    draw_rows,
    draws,
    game_row,
    games,
    move_rows,
    moves,
    resignations,
)

CHANGE = (
    update(games)
    .where(games.c.id == bindparam("seen_id"), games.c.version == bindparam("seen_version"))
    .values({name: bindparam(name) for name in CHANGING})
)


@dataclass(frozen=True)
class Entry:
    """What comes to a game (as it was and as it is to be), a new game, or both."""

    change: tuple[Ledger, Ledger] | None = None
    new: Ledger | None = None


class Writer:
    """Writes each entry in a transaction of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that changes something."""
        async with self.engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                yield connection

    async def write(self, entry: Entry) -> None:
        """Write an entry; when this returns, it is there for good."""
        await self.commit([entry])

    async def commit(self, entries: Sequence[Entry]) -> None:
        """Write entries in one transaction; Stale if a game is not as it was seen."""
        changes = [entry.change for entry in entries if entry.change]
        async with self.transaction() as connection:
            if changes:
                values = [change_values(*change) for change in changes]
                # One at a time, its count is reliable with every driver.
                done = await connection.execute(CHANGE, values if len(values) > 1 else values[0])
                if done.rowcount != len(changes):
                    raise Stale
            for table, rows in new_rows(entries, changes).items():
                if rows:
                    await connection.execute(insert(table), rows)

    async def finish(self) -> None:
        """Wait for what is under way."""


class SharedWriter(Writer):
    """Writes the entries that wait in one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._waiting: list[tuple[Entry, Future[None]]] = []
        self._task: Task[None] | None = None

    async def write(self, entry: Entry) -> None:
        """Write an entry with the next commit."""
        done: Future[None] = get_running_loop().create_future()
        self._waiting.append((entry, done))
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        await done

    async def finish(self) -> None:
        """Wait for what is under way."""
        if self._task is not None:
            await self._task

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await self.commit([entry for entry, _ in batch])
            except Exception:
                for entry, done in batch:
                    await self._alone(entry, done)
                continue
            for _, done in batch:
                if not done.cancelled():
                    done.set_result(None)

    async def _alone(self, entry: Entry, done: Future[None]) -> None:
        try:
            await self.commit([entry])
        except Exception as error:
            if not done.cancelled():
                done.set_exception(error)
        else:
            if not done.cancelled():
                done.set_result(None)


def change_values(before: Ledger, after: Ledger) -> Values:
    """What changes in a game's own row, and how it must be found."""
    row = game_row(after)
    changed = {name: row[name] for name in CHANGING}
    return {**changed, "seen_id": before.id, "seen_version": before.version}


def new_rows(
    entries: Sequence[Entry], changes: Sequence[tuple[Ledger, Ledger]]
) -> dict[Table, list[Values]]:
    """The rows that entries add, table by table."""
    return {
        games: [game_row(entry.new) for entry in entries if entry.new],
        moves: [row for change in changes for row in move_rows(*change)],
        draws: [row for change in changes for row in draw_rows(*change)],
        resignations: [
            {"game": after.id, "seat": int(after.resigned)}
            for before, after in changes
            if after.resigned is not None and before.resigned is None
        ],
    }
