"""The mistake book: cards, when they come back, and what all answers tell of a learner.

All of it follows from the events alone. Books of two machines are put together by taking every
event once, in the order of time; so it does not matter who merges what into what, or how often.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property

from number_duels.trainer.events import (
    AddCard,
    AnswerGiven,
    RemoveCard,
    TrainingEvent,
    event_line,
    read_event,
)
from number_duels.trainer.learner import Learner
from number_duels.trainer.schedule import DAY, due_after, in_words, is_due
from number_duels.trainer.spot import Spot

__all__ = ["Book", "Card"]


@dataclass(frozen=True)
class Card:
    """A spot to be repeated, where it came from, and how it went so far.

    >>> from number_duels.core.game import Seat
    >>> spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
    >>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> (card,) = Book((AddCard.of(spot, monday, source="analysis", cost=0.5),)).cards
    >>> card.is_due(monday), card.comes_back(monday), card.tries
    (True, 'now', 0)
    """

    #: The id of its spot.
    id: str
    #: What is asked.
    spot: Spot
    #: Where it came from: `game`, `drill`, `analysis` or `puzzle`.
    source: str
    #: What the mistake cost, from 0 to 2; half of it is the winning chance thrown away.
    cost: float
    #: When it came into the book.
    added: datetime
    #: The day of the game it was made in, if it was made in one.
    played: str
    #: When it comes back.
    due: datetime
    #: How often it was answered.
    tries: int = 0
    #: How often that was wrong.
    misses: int = 0

    def is_due(self, now: datetime) -> bool:
        """Whether it comes back today; a card may be answered hours early."""
        return is_due(self.due, now)

    def comes_back(self, now: datetime) -> str:
        """`now`, `tomorrow`, `in 3 days`."""
        return in_words(self.due, now)


@dataclass(frozen=True)
class Book:
    """Every event once, oldest first, whatever order they are given in.

    >>> from datetime import UTC
    >>> from number_duels.core.game import Seat
    >>> spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
    >>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> book = Book((AddCard.of(spot, monday, source="analysis", cost=0.5),))
    >>> [card.spot.game for card in book.due(monday)], book.merged(book) == book
    (['number-knot'], True)
    """

    #: All that happened.
    events: tuple[TrainingEvent, ...] = ()
    #: What its reader should know, in a sentence; empty if there is nothing.
    notice: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", in_order(self.events))

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Book:
        """The book that some lines of a file tell."""
        return cls(tuple(read_event(json.loads(line)) for line in lines))

    def merged(self, other: Book) -> Book:
        """The events of both books."""
        return Book((*self.events, *other.events))

    # ---- cards -----------------------------------------------------------------

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards, longest overdue first; of those that came together the worst mistake first."""
        live: dict[str, tuple[AddCard, list[AnswerGiven]]] = {}
        removed = set[str]()
        for event in self.events:
            if isinstance(event, RemoveCard):
                live.pop(event.card, None)
                removed.add(event.card)
            elif isinstance(event, AnswerGiven):
                # The answer for which a card was made is no repetition of it.
                if event.card in live and event.time > live[event.card][0].time:
                    live[event.card][1].append(event)
            elif event.card not in live and (event.card not in removed or is_wanted(event)):
                live[event.card] = (event, [])
        cards = (scheduled(added, answers) for added, answers in live.values())
        return tuple(sorted(cards, key=lambda card: (card.due, -card.cost, card.id)))

    @cached_property
    def ever_added(self) -> frozenset[str]:
        """The ids of all cards that are in the book or were removed from it."""
        return frozenset(e.card for e in self.events if not isinstance(e, AnswerGiven))

    def due(self, now: datetime) -> tuple[Card, ...]:
        """The cards of today, longest overdue first."""
        return tuple(card for card in self.cards if card.is_due(now))

    def card(self, card_id: str) -> Card | None:
        """A card by its id; None where there is none."""
        return next((card for card in self.cards if card.id == card_id), None)

    # ---- answers ---------------------------------------------------------------

    @cached_property
    def answers(self) -> tuple[AnswerGiven, ...]:
        """All answers, oldest first."""
        return tuple(event for event in self.events if isinstance(event, AnswerGiven))

    def learner(self, game: str) -> Learner:
        """What all answers in a game tell."""
        return Learner.of(answer for answer in self.answers if answer.spot.game == game)

    def daily_streak(self, today: date) -> int:
        """How many days in a row the puzzle of the day was solved; today may still be to come."""
        solved = {answer.note for answer in self.answers if is_daily_solved(answer)}
        last = today if today.isoformat() in solved else today - DAY
        streak = 0
        while (last - streak * DAY).isoformat() in solved:
            streak += 1
        return streak

    def lesson_place(self, game: str) -> str:
        """The note of the last answer in a game's lesson; empty if there was none."""
        notes = (a.note for a in self.answers if a.kind == "lesson" and a.spot.game == game)
        return ["", *notes][-1]


def in_order(events: Iterable[TrainingEvent]) -> tuple[TrainingEvent, ...]:
    """Every id once, oldest first; of two events with one id the same one wins everywhere."""
    found: dict[str, TrainingEvent] = {}
    for event in events:
        known = found.setdefault(event.id, event)
        if known != event:
            found[event.id] = min(known, event, key=event_line)
    return tuple(sorted(found.values(), key=lambda event: (event.time, event.id)))


def is_wanted(event: AddCard) -> bool:
    """Whether somebody asked for a card; a game that is read only finds it."""
    return event.source != "game"


def scheduled(added: AddCard, answers: list[AnswerGiven]) -> Card:
    due = due_after(added.card, added.time, ((one.time, one.right) for one in answers))
    misses = sum(not one.right for one in answers)
    where = (added.source, added.cost, added.time, added.played)
    return Card(added.card, added.spot, *where, due, len(answers), misses)


def is_daily_solved(answer: AnswerGiven) -> bool:
    """Whether a puzzle of the day was solved on its day, wherever on earth that was."""
    if answer.kind != "daily" or not answer.right:
        return False
    try:
        noon = datetime.fromisoformat(answer.note).replace(hour=12, tzinfo=UTC)
    except ValueError:
        return False
    return abs(answer.time - noon) <= timedelta(hours=26)
