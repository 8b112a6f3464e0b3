"""Frequencies against perfect play: distances, and intervals that keep their promise."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

import number_duels as nd
from number_duels.trainer.exercise import Answer, Exercise
from number_duels.trainer.feedback import bounds, series, series_sentences
from number_duels.trainer.spot import Spot


@pytest.fixture(scope="module")
def opening() -> Exercise:
    spot = Spot("high-low-battle", {}, None, "", nd.Seat.ONE).open()
    return Exercise(spot, nd.solve(spot.game))


def answers(*moves: str) -> list[Answer]:
    return [Answer({move: 1.0}) for move in moves]


def test_shares_and_distance_are_counted(opening: Exercise) -> None:
    perfect = {option.move: option.probability for option in opening.options}
    found = series(opening, answers("9", "9", "1", "8"))
    assert {one.move: one.share for one in found.moves if one.count} == {
        "9": 0.5,
        "1": 0.25,
        "8": 0.25,
    }
    mine = {"9": 0.5, "1": 0.25, "8": 0.25}
    apart = sum(abs(mine.get(move, 0.0) - share) for move, share in perfect.items()) / 2
    assert found.distance == pytest.approx(apart)
    assert found.taken > 0


@pytest.mark.parametrize("tries", [60, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("bias", [0.0, 0.3, 1.0])
def test_intervals_hold_as_often_as_they_promise(
    opening: Exercise, bias: float, tries: int
) -> None:
    """A player with a known strategy: the true distance lies within the bounds 19 times in 20."""
    perfect = {option.move: option.probability for option in opening.options}
    true = {m: (1 - bias) * p + bias * (m == "9") for m, p in perfect.items()}
    distance = sum(max(0.0, perfect[m] - true[m]) for m in perfect)
    rng, held = Random(7), 0
    for _ in range(tries):
        made = rng.choices(list(true), list(true.values()), k=rng.choice((10, 40, 160)))
        found = series(opening, answers(*made))
        held += found.low - 1e-9 <= distance <= found.high + 1e-9
        assert found.low <= found.distance + 1e-9
        assert found.distance <= found.high + 1e-9
    assert held / tries >= 0.95


def test_a_long_series_of_perfect_play_comes_close(opening: Exercise) -> None:
    perfect = {option.move: option.probability for option in opening.options}
    made = Random(7).choices(list(perfect), list(perfect.values()), k=2000)
    found = series(opening, answers(*made))
    assert found.distance < 0.05
    assert found.low < 0.01
    assert "2000 answers" in next(series_sentences(found))


def test_nothing_is_no_series(opening: Exercise) -> None:
    with pytest.raises(ValueError, match="one answer that is a single move"):
        series(opening, [])


@pytest.mark.parametrize(("share", "total"), [(0.99, 10), (0.97, 2), (0.5, 5), (0.02, 40)])
def test_a_bound_is_exceeded_no_more_often_than_it_says(share: float, total: int) -> None:
    """Over all that can be counted, weighted by how likely it is."""
    chances = [comb(total, n) * share**n * (1 - share) ** (total - n) for n in range(total + 1)]
    held = [low <= share <= high for low, high in (bounds(n, total, 1) for n in range(total + 1))]
    assert sum(chance for chance, holds in zip(chances, held, strict=True) if holds) >= 0.95
