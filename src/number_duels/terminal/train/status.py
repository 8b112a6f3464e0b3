"""How training stands: what is due today, and all answers so far, in a few words."""

from __future__ import annotations

from datetime import date

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.trainer.book import Book
from number_duels.trainer.book_file import BookFile


def local_day(clock: Clock = SYSTEM_CLOCK) -> date:
    """The day of who sits here."""
    return clock.now().astimezone().date()


def counted(count: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "game"), counted(0, "game")
    ('1 game', '0 games')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def due_today(clock: Clock = SYSTEM_CLOCK) -> str:
    """How many positions are due, for the first screen; nothing where that cannot be said."""
    try:
        due = len(BookFile().read().due(clock.now()))
    except ValueError:
        return ""
    return counted(due, "position") if due else ""


def today(book: Book, clock: Clock = SYSTEM_CLOCK) -> str:
    """What is due in a book, in a few words."""
    now = clock.now()
    due = len(book.due(now))
    if due:
        return f"{counted(due, 'position')} of your book"
    if book.cards:
        return f"nothing is due; the next position: {book.cards[0].comes_back(now)}"
    return "what you miss in drills and games comes back here"


def summary(book: Book, clock: Clock = SYSTEM_CLOCK) -> str:
    """All answers so far, and how many days in a row."""
    count = len(book.answers)
    if not count:
        return "drills, puzzles, and a book of your mistakes"
    right = sum(answer.right for answer in book.answers)
    streak = book.daily_streak(local_day(clock))
    days = f", daily streak {streak}" if streak else ""
    return f"{counted(count, 'answer')}, {right / count:.0%} right{days}"
