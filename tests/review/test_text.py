"""Verdicts in words, and bars."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.review.position import Chances, chances
from number_duels.review.words import bar, parts, verdict


@pytest.mark.parametrize(
    ("value", "viewer", "chances", "sentence"),
    [
        (1.0, None, None, "Player 1 wins if both play perfectly."),
        (-1.0, None, None, "Player 2 wins if both play perfectly."),
        (0.0, None, None, "It is even if both play perfectly."),
        (0.0, None, Chances(0.0, 1.0, 0.0), "It is a draw if both play perfectly."),
        (1.0, Seat.TWO, None, "Your opponent wins if both play perfectly."),
        (-1.0, Seat.TWO, None, "You win if both play perfectly."),
        (
            0.22,
            Seat.TWO,
            Chances(0.61, 0.0, 0.39),
            "You win 39% and lose 61% of the time if both play perfectly.",
        ),
        (
            0.22,
            None,
            Chances(0.5, 0.22, 0.28),
            "Player 1 wins 50%, draws 22% and loses 28% of the time if both play perfectly.",
        ),
        (
            0.22,
            Seat.TWO,
            None,
            "You have a winning chance of 39% if both play perfectly; a draw counts half.",
        ),
    ],
)
def test_a_verdict_is_told_to_its_viewer(
    value: float, viewer: Seat | None, chances: Chances | None, sentence: str
) -> None:
    assert verdict(value, viewer, chances) == sentence


def test_a_bar_is_as_long_as_its_share() -> None:
    assert bar(0.0) == "·" * 12
    assert bar(0.5) == "█" * 6 + "·" * 6
    assert bar(1.0) == "█" * 12
    assert len(bar(0.37)) == 12


def test_the_draws_of_high_low_battle_read_half_a_percent() -> None:
    solution = nd.solve("high-low-battle")
    found = chances(solution, solution.game.start())
    assert found is not None
    assert found.draw == pytest.approx(0.005235, abs=1e-6)
    shown = "49.7%", "0.5%", "49.7%"
    assert tuple(re.findall(r"[\d.]+%", verdict(0.0, None, found))) == shown
    assert tuple(re.findall(r"[\d.]+%", parts(found, ("{}", "{}", "{}")))) == shown


@pytest.mark.parametrize("draw", [0.0, 0.0054, 0.008, 0.0108784, 0.15017, 0.25293, 0.5, 0.7068687])
def test_the_chances_of_a_position_add_up(draw: float) -> None:
    for win in (0.5 - draw / 2, 0.31 * (1 - draw)):
        said = verdict(0.1, None, Chances(win, draw, 1 - draw - win))
        shares = re.findall(r"(?<![<.\d])[\d.]+(?=%)", said)
        missing = 100 - sum(map(Fraction, shares))
        assert missing == 0 or (0 < draw < 0.01 and abs(missing) == Fraction(1, 10))
