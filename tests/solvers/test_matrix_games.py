from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from number_duels.solvers import batch_matrix_games
from number_duels.solvers.matrix_games import CERTIFIED_GAP, equilibrium
from tests.lazy import Lazy

optimize = Lazy("scipy.optimize")

sizes = st.tuples(st.integers(1, 8), st.integers(1, 8))
results = st.sampled_from([-1.0, -0.5, 0.0, 1 / 3, 1.0])
values = st.floats(-1, 1)
#: Differences that may or may not be more than rounding.
nearly = st.sampled_from([0.0, 1e-16, -3e-14, 1e-12, 5e-11, 1e-9, 1e-7, -0.5, 0.5])


def matrices(entries: st.SearchStrategy[float]) -> st.SearchStrategy[list[list[float]]]:
    def of_size(size: tuple[int, int]) -> st.SearchStrategy[list[list[float]]]:
        row = st.lists(entries, min_size=size[1], max_size=size[1])
        return st.lists(row, min_size=size[0], max_size=size[0])

    return sizes.flatmap(of_size)


@given(st.one_of(matrices(results), matrices(values), matrices(nearly)))
def test_both_sides_guarantee_the_value(matrix: list[list[float]]) -> None:
    found = equilibrium(matrix)
    table = np.array(matrix)
    for mix in (found.rows, found.columns):
        assert min(mix) >= 0
        assert sum(mix) == pytest.approx(1, abs=1e-12)
    assert (np.array(found.rows) @ table).min() >= found.value - CERTIFIED_GAP
    assert (table @ np.array(found.columns)).max() <= found.value + CERTIFIED_GAP


@given(st.one_of(matrices(results), matrices(values), matrices(nearly)))
def test_many_at_a_time_give_the_same(matrix: list[list[float]]) -> None:
    several = np.array([matrix, np.negative(matrix), np.zeros_like(matrix)])
    one_by_one = [equilibrium(each.tolist()).value for each in several]
    assert batch_matrix_games.values(several) == pytest.approx(one_by_one, abs=CERTIFIED_GAP)


def test_a_library_finds_the_same_values() -> None:
    rng = np.random.default_rng(7)
    for height, width in ((2, 2), (3, 5), (9, 9), (10, 4)):
        for matrix in rng.integers(-3, 4, (5, height, width)) / 3:
            program = optimize.linprog(
                [*np.zeros(height), -1],
                A_ub=np.hstack((-matrix.T, np.ones((width, 1)))),
                b_ub=np.zeros(width),
                A_eq=[[*np.ones(height), 0]],
                b_eq=[1],
                bounds=[(0, None)] * height + [(None, None)],
            )
            assert equilibrium(matrix.tolist()).value == pytest.approx(-program.fun, abs=1e-9)


def test_a_saddle_point_is_played_pure() -> None:
    found = equilibrium([[0.5, 0.25], [0.0, -1.0]])
    assert (found.value, found.rows, found.columns) == (0.25, (1.0, 0.0), (0.0, 1.0))


def test_the_same_question_has_the_same_answer() -> None:
    matrix = [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [2 / 3, 2 / 3, 2 / 3]]
    assert equilibrium(matrix) == equilibrium(matrix)


def test_every_pivoting_rule_ends_at_the_same_value() -> None:
    # Ties everywhere: the kind of matrix on which careless pivoting goes round in circles.
    for size in range(2, 9):
        table = np.eye(size)[:, ::-1] - np.eye(size)
        careful = batch_matrix_games.values(table[None])
        assert equilibrium(table.tolist()).value == pytest.approx(careful[0], abs=CERTIFIED_GAP)
