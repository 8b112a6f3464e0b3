"""Payoff matrices: another library finds our values and equilibria."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from tests.lazy import Lazy
from tests.solvers.helpers import Settings, every_state

nashpy = Lazy("nashpy")

ONE, TWO = nd.Seat
GAMES: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 4, "rounds": 3}),
]


def some_states(game: AnyGame) -> Iterator[object]:
    """Every seventh state."""
    yield from list(every_state(game))[::7]


def test_another_library_finds_our_values_and_our_equilibria() -> None:
    mixed = 0
    for name, settings in GAMES:
        game = nd.load(name, **settings)
        solution = nd.solve(game, cache=False)
        for state in some_states(game):
            one, two = solution.matrix(state).arrays()
            other = nashpy.Game(one, two)
            assert other.zero_sum
            theirs = other.linear_program()
            assert theirs[0] @ one @ theirs[1] == pytest.approx(solution.value(state), abs=1e-7)
            ours = [np.array(list(solution.strategy(state, seat).values())) for seat in nd.Seat]
            assert (one @ ours[1]).max() == pytest.approx(ours[0] @ one @ ours[1], abs=1e-9)
            assert (ours[0] @ two).max() == pytest.approx(ours[0] @ two @ ours[1], abs=1e-9)
            mixed += len(ours[0].nonzero()[0]) > 1
    assert mixed


def test_the_first_bid_is_a_matrix_of_ten_numbers() -> None:
    game = nd.load("number-bid")
    solution = nd.solve(game)
    matrix = solution.matrix(game.start())
    assert [str(move) for move in matrix.rows] == [str(n) for n in range(1, 11)]
    assert matrix.columns == matrix.rows
    for i, row in enumerate(matrix.rows):
        for j, column in enumerate(matrix.columns):
            then = game.play(game.start(), {ONE: row, TWO: column})
            assert matrix.values[i][j] == pytest.approx(solution.value(then), abs=1e-12)


def test_there_is_no_matrix_where_one_decides_or_nobody() -> None:
    knot = nd.load("number-knot", numbers=3, life=3)
    stack = nd.load("number-stack-showdown", target=5, highest=3, copies=1)
    with pytest.raises(ValueError, match="where both players choose at once have a matrix"):
        nd.solve(knot, cache=False).matrix(knot.start())
    with pytest.raises(ValueError, match="where both players choose at once have a matrix"):
        nd.solve(stack, cache=False).matrix(stack.start())


def test_a_state_that_cannot_arise_has_none() -> None:
    game, larger = nd.load("number-bid", numbers=3), nd.load("number-bid", numbers=4)
    with pytest.raises(ValueError, match="cannot arise"):
        nd.solve(game, cache=False).matrix(larger.start())
