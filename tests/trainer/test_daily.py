"""The daily puzzle: one for everybody, and for good."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256

from number_duels.trainer.puzzles import (
    FIRST_DAYS,
    GRADE_OF_WEEKDAY,
    Edition,
    daily,
    edition_of,
    editions,
    games_with_puzzles,
    puzzle_of,
    puzzles,
    squares,
    up_to,
)

FIRST = FIRST_DAYS[0]
YEAR = [FIRST + timedelta(days=n) for n in range(365)]


def test_the_days_of_the_first_edition_stay_as_they_are() -> None:
    """If this fails, puzzles of a release were changed: add new ones as a new edition instead."""
    told = "\n".join(f"{day} {daily(day).id}" for day in YEAR)
    counts = {name: len(some) for name, some in editions()[0].puzzles.items()}
    assert counts == dict.fromkeys(games_with_puzzles(), 320)
    assert sha256(told.encode()).hexdigest()[:16] == "e30bcbd6fc3debdd"


def test_it_is_easy_on_monday_and_hard_on_sunday() -> None:
    assert [daily(day).grade for day in YEAR] == [GRADE_OF_WEEKDAY[d.weekday()] for d in YEAR]
    assert (*GRADE_OF_WEEKDAY,) == tuple(sorted(GRADE_OF_WEEKDAY))
    assert daily(date(2026, 11, 16)).grade == 1  # a Monday
    assert daily(date(2026, 11, 22)).grade == 5


def test_games_take_turns() -> None:
    shown = [daily(day).game for day in YEAR]
    start = -FIRST.toordinal() % 5
    for place in range(start, 360, 5):
        assert sorted(shown[place : place + 5]) == list(games_with_puzzles())
    sundays = Counter(game for day, game in zip(YEAR, shown, strict=True) if day.weekday() == 6)
    assert min(sundays[game] for game in games_with_puzzles()) >= 5


def test_no_puzzle_comes_twice_in_a_year() -> None:
    assert len({daily(day).id for day in YEAR}) == len(YEAR)


def test_any_day_has_a_puzzle() -> None:
    for day in (date.min, date(1999, 12, 31), FIRST - timedelta(days=1), date(2060, 1, 1)):
        assert daily(day) == daily(day)


def test_a_later_edition_changes_no_earlier_day() -> None:
    """It has twice as many puzzles, and another game."""
    old = {name: puzzles(name) for name in games_with_puzzles()}
    longer = {
        name: (*some, *(replace(one, id=f"{one.id}0", edition=2) for one in some))
        for name, some in old.items()
    }
    longer["sixth-game"] = tuple(replace(one, edition=2) for one in old["number-knot"])
    known = [
        Edition(1, FIRST, up_to(1, longer)),
        Edition(2, YEAR[100], up_to(2, longer)),
    ]
    after = [puzzle_of(edition_of(known, day), day) for day in YEAR]
    assert after[:100] == [daily(day) for day in YEAR[:100]]
    assert {puzzle.edition for puzzle in after[100:]} == {2}  # what is new comes first


# ---- the line to share -----------------------------------------------------------


def test_squares_tell_tries_and_streak_and_no_answer() -> None:
    day = date(2026, 11, 18)
    puzzle = daily(day)
    title = puzzle.spot.open().game.title
    told = f"Number Duels 2026-11-18 · {title} ★★"
    assert squares(day, [True]) == f"{told} 🟩"
    assert squares(day, [False, False, True], streak=12) == f"{told} ⬛⬛🟩 · streak 12"
    assert squares(day, []) == told
