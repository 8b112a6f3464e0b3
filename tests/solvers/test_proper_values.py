"""The value of a state follows from what may come next, by linear programs of SciPy's."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution
from number_duels.solvers import solve
from tests.review.positions import SMALL
from tests.solvers.test_proper import Program, matrix_of


def states_of_random_games(game: AnyGame, count: int) -> list[Hashable]:
    rng = Random(4)
    found: dict[Hashable, Hashable] = {}
    for _ in range(10 * count):  # a small game may not have so many
        if len(found) >= count:
            break
        state = game.start()
        while not isinstance(turn := game.turn(state), nd.Outcome):
            found[game.key(state)] = state
            if isinstance(turn, nd.Chance):
                state = game.drawn(state, rng.choice(list(turn.odds)))
            else:
                state = game.play(state, {s: rng.choice(o) for s, o in turn.options.items()})
    return list(found.values())[:count]


def value_by_what_follows(solution: AnySolution, state: Hashable) -> float:
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, nd.Chance):
        return sum(float(p) * solution.value(game.drawn(state, e)) for e, p in turn.odds.items())
    assert isinstance(turn, nd.Decision)
    if len(turn.options) == 2:
        matrix = matrix_of(solution, state, nd.Seat.ONE)
        return Program(len(matrix)).largest_least(list(np.unique(matrix, axis=1).T))
    ((seat, options),) = turn.options.items()
    best = max if seat is nd.Seat.ONE else min
    return best(solution.value(game.resolve(state, {seat: move})) for move in options)


@pytest.mark.parametrize("name", nd.games())
@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_values_follow_from_what_comes_next(name: str, count: int) -> None:
    # Where the usual settings take long to solve, smaller ones do.
    settings = SMALL.get(name, {}) if count < 1000 else {}
    solution: AnySolution = solve(nd.load(name, **settings))
    for state in states_of_random_games(solution.game, count):
        wanted = value_by_what_follows(solution, state)
        assert solution.value(state) == pytest.approx(wanted, abs=1e-9)
