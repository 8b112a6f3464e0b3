"""Figures in words: a verdict says who wins, and a bar is as long as its share."""

from __future__ import annotations

import pytest

from number_duels import Seat
from number_duels.review.position import Option
from number_duels.review.text import bar, option_lines, verdict


@pytest.mark.parametrize(
    ("value", "viewer", "sentence"),
    [
        (1.0, None, "Player 1 wins if both play perfectly."),
        (-1.0, None, "Player 2 wins if both play perfectly."),
        (0.0, None, "It is even if both play perfectly."),
        (1.0, Seat.TWO, "Your opponent wins if both play perfectly."),
        (-1.0, Seat.TWO, "You win if both play perfectly."),
        (0.22, Seat.ONE, "You win 61% of the time if both play perfectly,"),
        (0.22, Seat.TWO, "You win 39% of the time if both play perfectly,"),
    ],
)
def test_a_verdict_is_told_to_its_viewer(value: float, viewer: Seat | None, sentence: str) -> None:
    assert verdict(value, viewer).startswith(sentence)


def test_a_bar_is_as_long_as_its_share() -> None:
    assert bar(0.0) == "·" * 12
    assert bar(0.5) == "█" * 6 + "·" * 6
    assert bar(1.0) == "█" * 12
    assert len(bar(0.37)) == 12


def test_many_options_of_equal_worth_are_told_together() -> None:
    good = Option("8-3", 1.0, 1.0)
    bad = tuple(Option(f"{n}+1", -1.0, 0.0) for n in range(2, 40))
    best, rest = option_lines((good, *bad))
    assert best.endswith("+1.000  best: 8-3")
    assert rest.endswith("-1.000  " + " ".join(option.move for option in bad))


def test_who_is_lost_anyway_sees_what_is_as_good() -> None:
    options = tuple(Option(f"{n}+1", -1.0, float(n == 5)) for n in range(2, 40))
    best, rest = option_lines(options)
    assert best.endswith("best: 5+1")
    assert "as good: 2+1 3+1 4+1 6+1" in rest
