"""All strategies as arrays: the same answers as state by state, and built once."""

from __future__ import annotations

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.reachable_states import successors
from number_duels.review.position import AnySolution
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected, expected_with_errors
from number_duels.solvers.cache import solutions_folder
from number_duels.solvers.strategy_arrays import ArrayPolicy
from tests.solvers import toys
from tests.solvers.helpers import LAYERED, Settings, every_state, wrapped

every_kernel = pytest.mark.parametrize(("name", "settings"), LAYERED)


@every_kernel
def test_arrays_answer_as_the_rules_do(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    plain, quick = (solve(game, cache=False) for _ in range(2))
    assert quick.open_arrays() is quick.open_arrays() is not None
    for state in every_state(game):
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        assert quick.following(state) == [plain.value(s) for s in successors(game, state, turn)]
        for seat in turn.options:
            for ask in ("strategy", "values", "guarantees"):
                found, wanted = (getattr(s, ask)(state, seat) for s in (quick, plain))
                assert found == pytest.approx(wanted, abs=1e-12)
                assert list(found) == list(wanted)


@every_kernel
def test_best_response_and_evaluation_take_arrays(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    solution: AnySolution = solve(game, cache=False)
    erring = ArrayPolicy.perfect(solution, error_rate=0.25)
    exact = nd.best_response(game, solution.strategy.with_errors(0.25), cache=False)
    assert nd.best_response(game, erring, cache=False).values == pytest.approx(exact.values)
    (wanted,) = expected_with_errors(solution, [(0.25, 0.0)])
    perfect = ArrayPolicy.perfect(solution)
    assert expected(game, erring, perfect) == pytest.approx(wanted, abs=1e-12)
    assert expected(game, wrapped(erring), perfect) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.usefixtures("own_cache")
def test_arrays_are_built_once_and_mapped_after_that() -> None:
    game = nd.load("number-bid", numbers=6)
    told: list[float] = []
    first = solve(game)
    first.open_arrays(told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    again = solve(game)
    arrays = again.open_arrays(lambda _: pytest.fail("they are built again"))
    assert arrays is not None
    assert not arrays.codes.flags.writeable
    assert solve(game).strategy(game.start(), nd.Seat.ONE) == again.strategy(
        game.start(), nd.Seat.ONE
    )


@pytest.mark.usefixtures("own_cache")
def test_damaged_arrays_are_built_again() -> None:
    game = nd.load("number-bid", numbers=5)
    solve(game)
    solved = set(solutions_folder().iterdir())
    wanted = solve(game).open_arrays()
    assert wanted is not None
    (file,) = set(solutions_folder().iterdir()) - solved
    data = bytearray(file.read_bytes())
    data[-20] ^= 1
    file.write_bytes(data)
    found = solve(game).open_arrays()
    assert found is not None
    assert np.array_equal(found.sides[1].guarantees, wanted.sides[1].guarantees)


def test_what_has_no_kernel_answers_as_before() -> None:
    solution = solve(toys.RockPaperScissors(), cache=False)
    assert solution.open_arrays() is None
    assert solution.following("") == [0, -1, 1, 1, 0, -1, -1, 1, 0]
    assert solution.strategy("", nd.Seat.ONE) == pytest.approx(dict.fromkeys("rps", 1 / 3))
    with pytest.raises(ValueError, match="cannot be stored as arrays"):
        ArrayPolicy.perfect(solution)
