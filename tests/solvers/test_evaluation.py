"""What policies bring: by hand, by the readable rules, and by the kernel's own way."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.solvers import solve
from number_duels.solvers.evaluation import expected, expected_with_errors
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from number_duels.solvers.policies import UniformPolicy

SLIPS = [(0.0, 0.0), (1.0, 0.0), (0.0, 0.5), (0.25, 1.0), (1.0, 1.0)]
SMALL = [
    NumberStackShowdown(target=10, highest=4, copies=2),
    NumberStackShowdown(target=10, highest=4, copies=2, first=2, overflow="allowed"),
    NumberStackShowdown(target=12, highest=3, copies=3),
    NumberStackShowdown(target=7, highest=5, copies=1, overflow="allowed"),
    NumberStackShowdown(target=4, highest=6, copies=2, first=2),
]


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


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_the_kernel_plays_out_slips_as_the_rules_do(game: NumberStackShowdown) -> None:
    solution = solve(game, cache=False)
    by_rules = [
        expected(game, solution.strategy.with_errors(one), solution.strategy.with_errors(two))
        for one, two in SLIPS
    ]
    kernel = Kernel(game)
    by_kernel = kernel.expected_results(SLIPS, kernel.solve(lambda _: None).sections)
    assert by_kernel == pytest.approx(by_rules, abs=1e-7)
