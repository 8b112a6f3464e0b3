"""The list of the mistake book says what was answered, true by the book's events."""

from __future__ import annotations

from datetime import timedelta

from number_duels.sessions.book import listed_cards
from number_duels.trainer.book import AddCard, AnswerGiven, Book
from number_duels.trainer.puzzles import puzzles
from tests.clock import ManualClock

NOW = ManualClock().now()


def position_after(*right: bool, kind: str) -> str:
    """Return the words for a card that a wrong answer created, after answers of its own."""
    (puzzle, *_) = puzzles("number-knot")
    spot, events = puzzle.spot.open(), []
    good, bad = (
        puzzle.best[0],
        next(str(move) for move in spot.options if str(move) not in puzzle.best),
    )
    for n, is_right in enumerate((False, *right)):
        answer = good if is_right else bad
        events.append(
            AnswerGiven.of(
                spot,
                NOW + timedelta(minutes=n),
                kind="book" if n else kind,
                form="move",
                answer=answer,
                cost=0.0 if is_right else 1.0,
                right=is_right,
            )
        )
    card = AddCard.of(spot, NOW, source="puzzle", cost=1.0)
    (listed,) = listed_cards(Book((card, *events)), NOW)
    return listed.position


def test_a_later_right_answer_leaves_the_last_wrong_one_named_as_such() -> None:
    before, after = position_after(kind="puzzle"), position_after(True, kind="puzzle")
    assert before == after
    assert before.startswith("turn ")
    assert ": " in before  # the answer


def test_a_card_of_the_daily_puzzle_says_so_instead_of_a_turn() -> None:
    assert position_after(True, kind="daily").startswith("daily puzzle: ")
    assert not position_after(True, kind="puzzle").startswith("daily puzzle")
