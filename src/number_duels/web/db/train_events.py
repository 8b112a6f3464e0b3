"""The books of profiles: what was learned, and which games were looked through for mistakes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.core.game import Seat
from number_duels.trainer.events import AnswerGiven, RemoveCard, TrainingEvent, event_line
from number_duels.web.db.profile_rows import lock_profiles
from number_duels.web.db.tables import Values, among, games, results, training_events

if TYPE_CHECKING:
    from number_duels.web.db.repository import GameRepository

#: In which times are kept, so that events stay in their order.
MICROSECONDS = 1_000_000
#: How many events are removed in one transaction.
MAX_EVENTS_PER_BATCH = 1000


class BookFull(Exception):
    """A book with as many cards as it may have."""


def event_row(profile: str, event: TrainingEvent) -> Values:
    return {
        "profile": profile,
        "id": event.id,
        "time": int(event.time.timestamp() * MICROSECONDS),
        "kind": event.event,
        "game": "" if isinstance(event, RemoveCard) else event.spot.game[:64],
        "text": event_line(event),
    }


class TrainingRepository:
    """The books of one database."""

    def __init__(self, store: GameRepository) -> None:
        self.store = store

    async def add(self, profile: str, events: Sequence[TrainingEvent], most: int) -> int:
        """Keep what a book does not have yet; how much that was. BookFull: nothing was kept.

        Of more than `most` events the oldest answers go: what they taught is learned by now.
        """
        rows = {event.id: event_row(profile, event) for event in events}
        async with self.store.transaction() as connection:
            if not rows or not await lock_profiles(connection, [profile]):
                return 0
            mine = training_events.c.profile == profile
            ids = among(connection, training_events.c.id, list(rows))
            known = await connection.execute(select(training_events.c.id).where(mine, ids))
            for row in known:
                del rows[row.id]
            if rows:
                await connection.execute(insert(training_events), list(rows.values()))
                await self._trim(connection, profile, most)
            return len(rows)

    async def _trim(self, connection: AsyncConnection, profile: str, most: int) -> None:
        mine = training_events.c.profile == profile
        counted = await connection.execute(
            select(func.count()).select_from(training_events).where(mine)
        )
        excess = (counted.scalar() or 0) - most
        if excess <= 0:
            return
        answers = training_events.c.kind == AnswerGiven.event
        oldest = select(training_events.c.id).where(mine, answers)
        rows = await connection.execute(
            oldest.order_by(training_events.c.time, training_events.c.id).limit(excess)
        )
        old = [row.id for row in rows]
        if len(old) < excess:
            raise BookFull
        gone = among(connection, training_events.c.id, old)
        await connection.execute(delete(training_events).where(mine, gone))

    async def events(self, profile: str) -> list[str]:
        """All events of a book, a line each, the oldest first."""
        wanted = (
            select(training_events.c.text)
            .where(training_events.c.profile == profile)
            .order_by(training_events.c.time, training_events.c.id)
        )
        async with self.store.snapshot() as connection:
            return [row.text for row in await connection.execute(wanted)]

    async def newest_answers(self, profile: str, game: str, most: int) -> list[str]:
        """The last answers in a game, a line each, the oldest first."""
        mine = (training_events.c.profile == profile) & (training_events.c.game == game)
        wanted = (
            select(training_events.c.text)
            .where(mine, training_events.c.kind == AnswerGiven.event)
            .order_by(training_events.c.time.desc(), training_events.c.id)
            .limit(most)
        )
        async with self.store.snapshot() as connection:
            return [row.text for row in await connection.execute(wanted)][::-1]

    async def remove_beyond(self, most: int) -> None:
        """Remove the oldest of too many events."""
        while True:
            async with self.store.transaction() as connection:
                counted = await connection.execute(
                    select(func.count()).select_from(training_events)
                )
                excess = min((counted.scalar() or 0) - most, MAX_EVENTS_PER_BATCH)
                if excess <= 0:
                    return
                oldest = select(training_events.c.time).order_by(training_events.c.time)
                last = oldest.offset(excess - 1).limit(1).scalar_subquery()
                await connection.execute(
                    delete(training_events).where(training_events.c.time <= last)
                )

    # ---- one's own games -------------------------------------------------------------

    async def unread_games(self, profile: str, most: int) -> list[tuple[str, Seat]]:
        """Graded games that were not looked through yet, the newest first, with one's seat."""
        wanted = (
            select(results.c.game, results.c.seat)
            .join(games, games.c.id == results.c.game)
            .where(results.c.profile == profile, ~results.c.in_book)
            .where(results.c.figures.is_not(None))
            .order_by(results.c.finished_at.desc(), results.c.game)
            .limit(most)
        )
        async with self.store.snapshot() as connection:
            return [(row.game, Seat(row.seat)) for row in await connection.execute(wanted)]

    async def set_read(self, profile: str, read: Collection[str]) -> None:
        """Remember that games were looked through."""
        async with self.store.transaction() as connection:
            mine = (results.c.profile == profile) & among(connection, results.c.game, read)
            await connection.execute(update(results).where(mine).values(in_book=True))
