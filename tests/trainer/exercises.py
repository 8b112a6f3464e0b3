"""Exercises of every game, as its players come to them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from number_duels.review.position import AnySolution
from number_duels.trainer.drills import sampled_spots
from number_duels.trainer.exercise import Exercise


def some_exercises(solution: AnySolution, form: str = "move", games: int = 5) -> Iterator[Exercise]:
    """All decisions of a few games, each spot once."""
    rng, seen = Random(7), set[str]()
    for _ in range(games):
        for spot, phase in sampled_spots(solution, rng):
            if spot.id not in seen:
                seen.add(spot.id)
                yield Exercise(spot, solution, form, phase=phase)
