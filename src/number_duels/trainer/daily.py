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
    """What the days from a first one on are chosen from."""

    number: int
    first_day: date
    #: Those of each game: all whose own edition is not later.
    puzzles: Mapping[str, tuple[Puzzle, ...]]

    @property
    def counts(self) -> dict[str, int]:
        return {name: len(some) for name, some in self.puzzles.items()}


def daily(day: date) -> Puzzle:
    """The puzzle of a day: games take turns, and Monday's is easy and Sunday's hard.

    >>> daily(date(2026, 11, 16)).stars, daily(date(2026, 11, 22)).stars
    ('★', '★★★★★')
    """
    return puzzle_of(edition_of(editions(), day), day)


@cache
def editions() -> tuple[Edition, ...]:
    every = {name: puzzles(name) for name in games_with_puzzles()}
    return tuple(
        Edition(number, first_day, up_to(number, every))
        for number, first_day in enumerate(FIRST_DAYS, start=1)
    )


def up_to(number: int, every: Mapping[str, tuple[Puzzle, ...]]) -> dict[str, tuple[Puzzle, ...]]:
    """The puzzles of an edition, for the games that have some."""
    some = {
        name: tuple(puzzle for puzzle in found if puzzle.edition <= number)
        for name, found in every.items()
    }
    return {name: found for name, found in some.items() if found}


def edition_of(known: Sequence[Edition], day: date) -> Edition:
    """The latest that had begun on a day; the first one also serves the days before it."""
    return [known[0], *(one for one in known if one.first_day <= day)][-1]


def puzzle_of(edition: Edition, day: date) -> Puzzle:
    """The puzzle of a day in an edition: what is new in it comes first."""
    name, grade = game_of(edition, day), GRADE_OF_WEEKDAY[day.weekday()]
    fitting = [puzzle for puzzle in edition.puzzles[name] if puzzle.grade == grade]
    fitting.sort(key=lambda one: (-one.edition, _digest("daily", edition.number, one.id)))
    return fitting[days_before(edition, day, name, grade) % len(fitting)]


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


def _digest(*parts: object) -> str:
    """An order that no version of Python changes."""
    return sha256(" ".join(map(str, parts)).encode()).hexdigest()
