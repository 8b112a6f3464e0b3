"""Two independent ways to the same values: from the rules alone, and by the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from number_duels import Seat, load
from number_duels.core.game import AnyGame, Decision
from number_duels.games.number_bid import NumberBid
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.solvers import solve
from number_duels.solvers.induction import Induction
from number_duels.solvers.kernels import find_kernel
from number_duels.solvers.kernels.number_stack_showdown import Kernel as CardKernel
from tests.core.playing import Settings, every
from tests.solvers.helpers import every_state, silent

OVERFLOW = ("forbidden", "allowed")
SMALL = [
    *every("number-bid", numbers=(2, 3, 7)),
    *every("high-low-battle", cards=(1, 4), rounds=(1,), level=("sudden-death", "draw")),
    ("high-low-battle", {"cards": 4, "rounds": 4}),
    ("high-low-battle", {"cards": 5, "rounds": 3}),
    ("high-low-battle", {"cards": 5, "rounds": 4, "level": "draw"}),
    *every("number-knot", life=(1, 4, 10), numbers=(5,), exhausted=("draw", "higher-life")),
    ("number-knot", {"life": 4, "numbers": 1}),
    ("number-knot", {"life": 4, "numbers": 5, "first": 2}),
    *every("number-drop", side=(1, 2), first=(1, 2)),
    *every("number-stack-showdown", target=(5, 12), highest=(3,), overflow=OVERFLOW),
    ("number-stack-showdown", {"target": 1, "highest": 3}),
    ("number-stack-showdown", {"target": 40, "highest": 3}),
    *every("number-stack-showdown", target=(7,), highest=(13,), copies=(1,), overflow=OVERFLOW),
    ("number-stack-showdown", {"target": 12, "highest": 4, "copies": 2, "first": 2}),
]

LARGE: list[tuple[str, Settings]] = [
    ("number-bid", {}),
    ("high-low-battle", {}),
    ("high-low-battle", {"level": "draw"}),
    ("number-knot", {}),
    ("number-knot", {"exhausted": "higher-life", "first": 2}),
    ("number-drop", {}),
    ("number-stack-showdown", {"target": 20, "highest": 5, "copies": 3}),
    ("number-stack-showdown", {"target": 20, "highest": 5, "copies": 3, "overflow": "allowed"}),
    ("number-stack-showdown", {"target": 66, "highest": 11, "copies": 1}),
]


def agree_everywhere(game: AnyGame) -> None:
    """Compare what a kernel and plain induction say, at every state there is."""
    # A deck so small that its own kernel does not pay is compared, too.
    kernel: Any = CardKernel(game) if isinstance(game, NumberStackShowdown) else find_kernel(game)
    assert kernel is not None
    plain = Induction(game)
    by_rules, by_kernel = plain.solve(silent), kernel.solve(silent)
    assert by_kernel.states == by_rules.states
    count = 0
    for state in every_state(game):
        count += 1
        expected = plain.known[game.key(state)]
        found = kernel.value(state, by_kernel.sections)
        assert found is not None
        assert abs(found - expected) <= 1e-9
    assert count == by_rules.states


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_small_games_have_the_same_values_both_ways(name: str, settings: Settings) -> None:
    agree_everywhere(load(name, **settings))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), LARGE)
def test_whole_games_have_the_same_values_both_ways(name: str, settings: Settings) -> None:
    agree_everywhere(load(name, **settings))


@pytest.mark.parametrize("name", ["number-bid", "high-low-battle"])
def test_exchanging_the_seats_exchanges_the_values(name: str) -> None:
    game = load(name)
    assert solve(game, cache=False).value(game.start()) == 0


@pytest.mark.parametrize("name", ["number-knot", "number-drop"])
def test_who_moves_first_makes_no_other_difference(name: str) -> None:
    first, second = load(name), load(name, first=2)
    value = solve(first, cache=False).value(first.start())
    assert solve(second, cache=False).value(second.start()) == -value


@pytest.mark.parametrize(
    ("name", "settings"),
    [("number-bid", {"numbers": 6}), ("high-low-battle", {"cards": 4, "rounds": 3})],
)
def test_strategies_guarantee_the_value_in_every_state(name: str, settings: Settings) -> None:
    game = load(name, **settings)
    solution = solve(game, cache=False)
    for state in every_state(game):
        value = solution.value(state)
        for seat in Seat:
            mix = solution.strategy(state, seat)
            assert sum(mix.values()) == pytest.approx(1)
            replies = solution.values(state, seat.other)
            # No reply gains on the strategy, and the strategy's own moves have the state's value.
            assert max(replies.values()) <= (-value if seat is Seat.ONE else value) + 1e-9
            own = solution.values(state, seat)
            for move, probability in mix.items():
                if probability > 1e-6:
                    assert own[move] == pytest.approx(max(own.values()), abs=1e-6)


@pytest.mark.parametrize("name", ["number-knot", "number-drop"])
def test_who_decides_alone_takes_a_best_move(name: str) -> None:
    game = load(name)
    solution = solve(game, cache=False)
    rng = np.random.default_rng(3)
    for _ in range(6):
        state, turn = game.start(), game.turn(game.start())
        while isinstance(turn, Decision):
            ((seat, options),) = turn.options.items()
            values = solution.values(state, seat)
            (best,) = (move for move, odds in solution.strategy(state, seat).items() if odds)
            assert tuple(values) == options
            assert values[best] == max(values.values())
            assert values[best] * (1 - 2 * seat) == solution.value(state)
            state = game.play(state, {seat: options[rng.integers(len(options))]})
            turn = game.turn(state)


def test_a_game_without_a_kernel_or_with_other_rules_is_solved_from_its_rules() -> None:
    class HouseRules(NumberBid):
        """A derived game must not get its parent's kernel."""

    assert find_kernel(NumberBid(numbers=3)) is not None
    HouseRules.__module__ = NumberBid.__module__
    assert find_kernel(HouseRules(numbers=3)) is None
