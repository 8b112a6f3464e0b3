"""Room in a full book: what can go from it so that nothing is missed, worked out elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from number_duels.trainer.book import AddCard, Book, RemoveCard, TrainingEvent


@dataclass(frozen=True)
class Room:
    """What is kept of new events, the ids of those that go for them, and how many are left."""

    kept: tuple[TrainingEvent, ...]
    gone: tuple[str, ...]
    size: int


def make_room(old: Book, new: Sequence[TrainingEvent], most: int) -> Room | None:
    """How new events fit into a book of up to `most`; None if they do not.

    Cards can be removed from every book, also from one that has too many events.
    """
    book = old.merged(Book(tuple(new)))
    known = {event.id for event in old.events}
    spare = list(spare_events(book))[: max(0, len(book.events) - most)]
    gone, size = frozenset(spare), len(book.events) - len(spare)
    kept = tuple(e for e in book.events if e.id not in known and e.id not in gone)
    removes = kept and all(isinstance(event, RemoveCard) for event in kept)
    if size > most and not (removes and size <= len(old.events)):
        return None
    return Room(kept, tuple(gone & known), size)


def spare_events(book: Book) -> Iterator[str]:
    """The ids of events without which all cards and their days stay what they are.

    First the oldest answers that are no card's, then what is in the book twice, then cards that
    were removed: that they were is still known.
    """
    added = {card.id: card.added for card in book.cards}
    yield from (one.id for one in book.answers if one.card not in added)
    adds = [event for event in book.events if isinstance(event, AddCard)]
    first = {event.card: event.id for event in adds[::-1] if event.time == added.get(event.card)}
    yield from (one.id for one in adds if one.card in added and first[one.card] != one.id)
    yield from (event.id for event in adds if event.card not in added)
    removals = [event for event in book.events if isinstance(event, RemoveCard)]
    last = {event.card: event.id for event in removals}
    yield from (event.id for event in removals if last[event.card] != event.id)
