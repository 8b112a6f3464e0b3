"""Writing to the store: what arrives together shares one commit.

Every commit waits for the disk: in an embedded database because there is one
writer, on a server because commits that notify others come one after another.
So the entries that arrive during one commit are written together by the next.
An entry whose game has changed is left out; should another not fit, they are
written again one by one, so that it takes nothing with it. Nobody is answered
before its entry is on the disk.
"""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from number_duels.web.db.engine import reaching
from number_duels.web.db.notify import tell
from number_duels.web.db.stored_game import Ledger
from number_duels.web.db.tables import (
    CHANGING,
    Values,
    among,
    draw_rows,
    draws,
    game_row,
    games,
    move_rows,
    moves,
    resignations,
)
from number_duels.web.errors import Away, Stale

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

    @property
    def changes(self) -> str | None:
        """The game that it changes."""
        return self.change[0].id if self.change else None


class Writer:
    """Writes the entries that wait in one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._waiting: list[tuple[Entry, Future[None]]] = []
        self._task: Task[None] | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that changes something."""
        with reaching():
            async with self.engine.connect() as connection:
                await connection.execution_options(writes=True)
                async with connection.begin():
                    yield connection

    async def write(self, entry: Entry) -> None:
        """Write an entry; when this returns, it is there for good. Stale: it does not fit now."""
        done: Future[None] = get_running_loop().create_future()
        self._waiting.append((entry, done))
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        await done

    async def finish(self) -> None:
        """Wait for what is under way."""
        if self._task is not None:
            await self._task

    async def commit(self, entries: Sequence[Entry]) -> set[str]:
        """Write entries in one transaction; the games that were not as they were seen."""
        async with self.transaction() as connection:
            stale = await self._stale(connection, [e.change[0] for e in entries if e.change])
            fitting = [entry for entry in entries if entry.changes not in stale]
            changes = [entry.change for entry in fitting if entry.change]
            if changes:
                await connection.execute(CHANGE, [change_values(*change) for change in changes])
            for table, rows in new_rows(fitting, changes).items():
                if rows:
                    await connection.execute(insert(table), rows)
            await tell(connection, [(after.id, after.version) for _, after in changes])
        return stale

    async def _stale(self, connection: AsyncConnection, seen: Sequence[Ledger]) -> set[str]:
        """The games that have changed; the others are ours alone until the commit."""
        if not seen:
            return set()
        # In one order, so that two processes never wait for each other.
        ids = sorted(ledger.id for ledger in seen)
        found = await connection.execute(
            select(games.c.id, games.c.version)
            .where(among(connection, games.c.id, ids))
            .order_by(games.c.id)
            .with_for_update()
        )
        versions = {row.id: row.version for row in found}
        return {ledger.id for ledger in seen if versions.get(ledger.id) != ledger.version}

    async def _work(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                stale = await self.commit([entry for entry, _ in batch])
            except Away as error:
                # One by one they would wait for the same silence, each after the other.
                for _, done in batch:
                    settle(done, error)
                continue
            except Exception as error:
                if len(batch) == 1:
                    settle(batch[0][1], error)
                    continue
                for entry, done in batch:
                    await self._alone(entry, done)
                continue
            for entry, done in batch:
                settle(done, Stale() if entry.changes in stale else None)

    def _next_batch(self) -> list[tuple[Entry, Future[None]]]:
        """What waits; of two changes to the same game, one."""
        batch: list[tuple[Entry, Future[None]]] = []
        later: list[tuple[Entry, Future[None]]] = []
        changed: set[str] = set()
        for entry, done in self._waiting:
            again = entry.changes in changed
            (later if again else batch).append((entry, done))
            if entry.changes:
                changed.add(entry.changes)
        self._waiting = later
        return batch

    async def _alone(self, entry: Entry, done: Future[None]) -> None:
        try:
            stale = await self.commit([entry])
        except Exception as error:
            settle(done, error)
        else:
            settle(done, Stale() if stale else None)


def settle(done: Future[None], error: Exception | None) -> None:
    """Let who waits go on, if it still waits."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


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
