"""The day of whoever sits here, and what is due on it."""

from __future__ import annotations

from datetime import date

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.text import counted
from number_duels.trainer.book import BookFile


def local_day(clock: Clock = SYSTEM_CLOCK) -> date:
    """The day of whoever sits here."""
    return clock.now().astimezone().date()


def due_today(clock: Clock = SYSTEM_CLOCK) -> str:
    """How many positions are due, for the first screen; nothing where that cannot be said."""
    try:
        due = len(BookFile().read().due(clock.now()))
    except ValueError:
        return ""
    return counted(due, "position") if due else ""
