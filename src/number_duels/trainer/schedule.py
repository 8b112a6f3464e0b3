"""Spaced repetition: the `fsrs` library decides when a card comes back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsrs import Scheduler

#: A card may be answered this long before it is due: a card answered at 21:00 can be answered at
#: 19:00 on the day it comes back.
EARLY = timedelta(hours=8)
DAY = timedelta(days=1)
#: The default parameters of FSRS 6, so that every release of the library gives one schedule.
PARAMETERS = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796),
    *(1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)


@cache
def scheduler() -> Scheduler:
    """Return the scheduler for mistake books. Raise ValueError if `fsrs` is not installed."""
    try:
        from fsrs import Scheduler
    except ModuleNotFoundError:
        raise ValueError("The mistake book needs fsrs: pip install 'number-duels[play]'") from None
    return Scheduler(PARAMETERS, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def due_after(card: str, added: datetime, answers: Iterable[tuple[datetime, bool]]) -> datetime:
    """Return when a card comes back. `answers` has each answer's time, and whether it was right.

    >>> from datetime import UTC
    >>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> due_after("0f0f0f0f0f0f0f0f", monday, [(monday, True)]) - monday
    datetime.timedelta(days=2)
    """
    schedule = scheduler()
    from fsrs import Card, Rating

    memory = Card(card_id=int(card, 16), due=added)
    for time, right in answers:
        when = memory.due if time < memory.due <= time + EARLY else time
        memory, _ = schedule.review_card(memory, Rating.Good if right else Rating.Again, when)
    return memory.due


def is_due(due: datetime, now: datetime) -> bool:
    return due <= now + EARLY


def in_words(due: datetime, now: datetime) -> str:
    """Say in words when a card comes back.

    >>> from datetime import UTC
    >>> now = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> [in_words(now + days * DAY, now) for days in (0, 1, 3, 90)]
    ['today', 'tomorrow', 'in 3 days', 'in 3 months']
    """
    if is_due(due, now):
        return "today"
    days = max(1, round((due - now) / DAY))
    if days >= 60:
        return f"in {round(days / 30)} months"
    return "tomorrow" if days == 1 else f"in {days} days"
