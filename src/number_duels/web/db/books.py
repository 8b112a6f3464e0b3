"""The mistake books of profiles, stored in the database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import delete, false, insert, or_, select, update

from number_duels.core.game import Seat
from number_duels.trainer.book import RemoveCard, TrainingEvent, event_line
from number_duels.web.db.profiles import lock_profiles
from number_duels.web.db.schema import Values, among, count_rows, games, results, training_events

if TYPE_CHECKING:
    from number_duels.web.db.repository import GameRepository


#: Stored times are in microseconds, so that events keep their order.
MICROSECONDS = 1_000_000


class BookFull(Exception): ...


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
    def __init__(self, store: GameRepository) -> None:
        self.store = store

    async def add(
        self, profile: str, events: Sequence[TrainingEvent], most: int, gone: Collection[str] = ()
    ) -> int:
        """Add the events that are not in the book yet, and return how many were added.

        Also remove the events in `gone`. If the book would then have more than `most` events, raise
        BookFull and change nothing.
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
            if gone:
                old = among(connection, training_events.c.id, gone)
                await connection.execute(delete(training_events).where(mine, old))
            if rows:
                if await count_rows(connection, training_events, mine) + len(rows) > most:
                    raise BookFull
                await connection.execute(insert(training_events), list(rows.values()))
            return len(rows)

    async def events(self, profile: str, cards: Collection[str] | None = None) -> list[str]:
        """Return a book's events, or those of `cards`, as lines of JSON, oldest first."""
        wanted = (
            select(training_events.c.text)
            .where(training_events.c.profile == profile)
            .order_by(training_events.c.time, training_events.c.id)
        )
        if cards is not None:
            written = (training_events.c.text.contains(f'"card": "{card}"') for card in cards)
            wanted = wanted.where(or_(false(), *written))
        return [row.text for row in await self.store.rows(wanted)]

    async def unread_games(self, profile: str, most: int) -> list[tuple[str, Seat]]:
        wanted = (
            select(results.c.game, results.c.seat)
            .join(games, games.c.id == results.c.game)
            .where(results.c.profile == profile, ~results.c.in_book)
            .where(results.c.figures.is_not(None))
            .order_by(results.c.finished_at.desc(), results.c.game)
            .limit(most)
        )
        return [(row.game, Seat(row.seat)) for row in await self.store.rows(wanted)]

    async def set_read(self, profile: str, read: Collection[str]) -> None:
        async with self.store.transaction() as connection:
            mine = (results.c.profile == profile) & among(connection, results.c.game, read)
            await connection.execute(update(results).where(mine).values(in_book=True))
