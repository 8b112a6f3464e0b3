"""What a learner reads of past and coming days: lessons, the row of days, and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from number_duels.sessions.book import listed_cards
from number_duels.sessions.progress import (
    is_learned,
    lessons,
    next_lesson,
    next_lesson_words,
    standing,
    today,
)
from number_duels.trainer.book import AddCard, AnswerGiven, Book
from number_duels.trainer.lessons import Lesson
from number_duels.trainer.puzzles import daily
from number_duels.trainer.schedule import DAY
from number_duels.trainer.spot import OpenSpot, Spot

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
FIRST, SECOND, *_ = lessons()


def given(
    kind: str,
    spot: OpenSpot,
    time: datetime,
    form: str = "move",
    *,
    note: str = "",
    right: bool = True,
) -> AnswerGiven:
    """An answer. A wrong one costs 1."""
    cost = 0.0 if right else 1.0
    return AnswerGiven.of(
        spot, time, kind=kind, form=form, answer="", cost=cost, right=right, note=note
    )


def steps(one: Lesson, count: int) -> Iterator[AnswerGiven]:
    """Answers to the first steps of a lesson."""
    for number, step in enumerate(one.steps[:count], 1):
        if step.asks and step.spot:
            time = NOW + number * DAY / 1000
            yield given("lesson", step.spot.open(), time, step.form, note=str(number))


def solved(*days_ago: int) -> Iterator[AnswerGiven]:
    for days in days_ago:
        time = NOW - days * DAY
        spot, note = daily(time.date()).spot.open(), str(time.date())
        yield given("daily", spot, time, note=note)


def test_the_lesson_that_has_begun_comes_next_and_a_finished_one_never() -> None:
    assert next_lesson(Book()) == FIRST
    begun = Book(tuple(steps(SECOND, 3)))
    assert next_lesson(begun) == SECOND
    assert next_lesson_words(begun).endswith(f" of {len(SECOND.steps)} steps")
    done = Book((*begun.events, *steps(SECOND, len(SECOND.steps))))
    assert is_learned(done, SECOND)
    assert next_lesson(done) == FIRST
    # Skipping the last question ends a lesson too.
    *_, last = steps(SECOND, len(SECOND.steps))
    skipped = AnswerGiven.passed(SECOND.game, last.time, last.note)
    assert is_learned(Book((*done.events[:-1], skipped)), SECOND)
    # But whoever skips most questions has not learned it.
    assert not is_learned(Book((*begun.events, skipped)), SECOND)
    # To begin a lesson again does not take its end away.
    assert is_learned(done.merged(begun), SECOND)
    every = [event for one in lessons() for event in steps(one, len(one.steps))]
    assert (next_lesson(Book(tuple(every))), next_lesson_words(Book(tuple(every)))) == (None, "")


def test_home_says_the_row_of_days_the_lessons_and_what_comes_back_tomorrow() -> None:
    assert standing(Book(), NOW.date(), NOW) == ""
    learned = tuple(steps(FIRST, len(FIRST.steps)))
    spot = daily(NOW.date()).spot.open()
    missed = AddCard.of(spot, NOW - DAY, source="drill", cost=1.0)
    again = given("book", spot, NOW, right=False)
    book = Book((*learned, *solved(1, 2, 5, 6, 7), missed, again))
    said = "2 days in a row (best 3) · 1 of 5 lessons · 1 mistake due tomorrow"
    assert standing(book, NOW.date(), NOW) == said
    assert today(book, NOW) == "nothing to practice; the next comes back tomorrow"
    assert standing(Book(tuple(solved(5, 6, 7))), NOW.date(), NOW) == "best: 3 days in a row"


def test_a_search_of_the_book_opens_no_position(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = daily(NOW.date()).spot.open()
    book = Book((AddCard.of(spot, NOW, source="game", cost=1.0),))
    (card,) = listed_cards(book, NOW)
    assert card.position
    assert card.board

    def never(_: Spot) -> OpenSpot:
        raise AssertionError("a large book would take minutes to open")

    monkeypatch.setattr(Spot, "open", never)
    assert listed_cards(book, NOW, search=spot.spot.game) == (card,)
    assert listed_cards(book, NOW, search="nothing") == ()
