"""Figures in words: a verdict says who wins, and a bar is as long as its share."""

from __future__ import annotations

import pytest

from number_duels import Seat
from number_duels.review.words import bar, verdict


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
