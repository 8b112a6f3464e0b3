"""The puzzle of the day: from the date alone, the same for everybody and for good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from hashlib import sha256

from number_duels.trainer.puzzles import Puzzle, games_with_puzzles, puzzles

#: The first day of each edition, counted from 1: a longer list never changes an earlier day.
FIRST_DAYS = (date(2026, 11, 1),)
#: Easy on Monday, hard on Sunday.
GRADE_OF_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)
RIGHT, WRONG = "🟩", "⬛"


@dataclass(frozen=True)
class Edition:
    """The puzzles of the days from a first one on: all whose own edition is not later."""

    number: int
    first_day: date

    @property
    def puzzles(self) -> Mapping[str, tuple[Puzzle, ...]]:
        """Those of each game that has some."""
        return _puzzles_of(self.number)

    @property
    def counts(self) -> dict[str, int]:
        return {name: len(found) for name, found in self.puzzles.items()}


def edition_of(day: date) -> Edition:
    """The edition of a day; the first one also serves the days before it."""
    number = max(1, sum(first <= day for first in FIRST_DAYS))
    return Edition(number, FIRST_DAYS[number - 1])


def daily(day: date) -> Puzzle:
    """The puzzle of a day: games take turns, and Monday's is easy and Sunday's hard.

    >>> monday = daily(date(2026, 11, 16))
    >>> monday.grade, daily(date(2026, 11, 22)).grade
    (1, 5)
    """
    edition = edition_of(day)
    name, grade = game_of(edition, day), GRADE_OF_WEEKDAY[day.weekday()]
    fitting = [puzzle for puzzle in edition.puzzles[name] if puzzle.grade == grade]
    order = sorted(
        fitting,
        key=lambda puzzle: (-puzzle.edition, _digest("daily", edition.number, puzzle.id)),
    )
    return order[days_before(edition, day, name, grade) % len(order)]


def game_of(edition: Edition, day: date) -> str:
    """Every game once in as many days as there are games, in another order each time."""
    names = list(edition.puzzles)
    turn, place = divmod(day.toordinal(), len(names))
    return sorted(names, key=lambda name: _digest("game", edition.number, turn, name))[place]


def days_before(edition: Edition, day: date, name: str, grade: int) -> int:
    """How many days of an edition had this game and grade before: so no puzzle comes back soon."""
    first = min(edition.first_day, day)
    days = (first + timedelta(days=n) for n in range((day - first).days))
    return sum(
        GRADE_OF_WEEKDAY[one.weekday()] == grade and game_of(edition, one) == name for one in days
    )


def squares(day: date, tries: Sequence[bool], streak: int = 0) -> str:
    """A line to share that gives nothing away: wrong and right tries of the day's puzzle.

    >>> squares(date(2026, 11, 16), [False, True], streak=3)  # doctest: +ELLIPSIS
    'Number Duels 2026-11-16 · ... ★ ⬛🟩 · streak 3'
    """
    puzzle = daily(day)
    shown = "".join(RIGHT if right else WRONG for right in tries)
    title = puzzle.spot.open().game.title
    told = f"Number Duels {day.isoformat()} · {title} {puzzle.stars} {shown}".rstrip()
    return f"{told} · streak {streak}" if streak else told


@cache
def _puzzles_of(number: int) -> Mapping[str, tuple[Puzzle, ...]]:
    found = {
        name: tuple(puzzle for puzzle in puzzles(name) if puzzle.edition <= number)
        for name in games_with_puzzles()
    }
    return {name: some for name, some in found.items() if some}


def _digest(*parts: object) -> str:
    """An order that no version of Python changes."""
    return sha256(" ".join(map(str, parts)).encode()).hexdigest()
