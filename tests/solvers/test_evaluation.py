"""What policies bring: by hand, and what perfect play brings against itself."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected, expected_with_errors, played_out
from number_duels.solvers.errors import hides_something
from number_duels.solvers.policies import UniformPolicy
from number_duels.solvers.strategy_arrays import ArrayPolicy


def test_random_against_random_by_hand() -> None:
    # Half of the first moves win at once; after A1, S2 wins for the other; else a draw.
    game = nd.load("number-knot", numbers=2, life=1)
    assert expected(game, UniformPolicy(game), UniformPolicy(game)) == pytest.approx(
        1 / 2 - 1 / 4 * 1 / 2
    )


@pytest.mark.parametrize("name", nd.games())
def test_perfect_against_perfect_brings_the_value(name: str) -> None:
    small: dict[str, dict[str, int | str]] = {
        "high-low-battle": {"cards": 4, "rounds": 3},
        "number-bid": {"numbers": 6},
        "number-drop": {"side": 2},
        "number-knot": {"numbers": 5, "life": 6},
        "number-stack-showdown": {"target": 10, "highest": 4, "copies": 2},
    }
    game = nd.load(name, **small.get(name, {}))
    solution = solve(game, cache=False)
    found = expected_with_errors(solution, [(0.0, 0.0)])
    assert found == [pytest.approx(solution.value(game.start()), abs=1e-7)]


def test_policies_laid_out_for_another_game_are_asked_move_by_move() -> None:
    game, other = nd.load("number-knot", numbers=3, life=3), nd.load("number-knot", numbers=4)
    policy = ArrayPolicy.perfect(nd.solve(other))
    assert played_out(game, [(policy, policy)]) is None
    assert played_out(other, [(policy, policy)]) == [nd.solve(other).value(other.start())]


def test_something_hidden_is_found_wherever_it_is() -> None:
    for part in ((1, nd.HIDDEN), [{"card": nd.HIDDEN}], frozenset({nd.HIDDEN})):
        assert hides_something(part)
    assert not hides_something([{"card": 1}])
