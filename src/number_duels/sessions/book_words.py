"""How training stands: what is due today, and all answers so far, in a few words."""

from __future__ import annotations

from datetime import date, datetime

from number_duels.core.text import counted
from number_duels.trainer.book import Book


def today(book: Book, now: datetime) -> str:
    """What is due in a book."""
    due = len(book.due(now))
    if due:
        return f"{counted(due, 'position')} of your book"
    if book.cards:
        return f"nothing is due; the next position: {book.cards[0].comes_back(now)}"
    return "what you miss in drills and games comes back here"


def so_far(book: Book, day: date) -> str:
    """All answers so far, and how many days in a row."""
    count = len(book.answers)
    if not count:
        return "drills, puzzles, and a book of your mistakes"
    right = sum(answer.right for answer in book.answers)
    streak = book.daily_streak(day)
    days = f", daily streak {streak}" if streak else ""
    return f"{counted(count, 'answer')}, {right / count:.0%} right{days}"
