"""Number Stack Showdown at its defaults: too large to compare everywhere, so compared at random."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import fsum
from random import Random

import pytest

from number_duels import Chance, Decision, Outcome
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from number_duels.solvers import Solution, solve
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from tests.solvers.helpers import silent


@pytest.fixture(scope="module")
def solution() -> Solution[State, Choice, Card]:
    return solve(NumberStackShowdown())  # by whichever test of this run comes first


def random_draws(game: NumberStackShowdown, rng: Random) -> Iterator[State]:
    """States before a draw, from games played at random."""
    while True:
        state = game.start()
        while isinstance(turn := game.turn(state), Chance):
            yield state
            state = game.drawn(state, rng.choice(list(turn.odds)))
            decision = game.turn(state)
            assert isinstance(decision, Decision)
            state = game.resolve(state, {state.mover: rng.choice(game.choices(state))})


def look_ahead(solution: Solution[State, Choice, Card], state: State) -> float:
    """Return the value of a state before a draw, by the rules and the values one turn later."""
    game, turn = solution.game, solution.game.turn(state)
    assert isinstance(turn, Chance)
    values = []
    for card, odds in turn.odds.items():
        drawn = game.drawn(state, card)
        decision = game.turn(drawn)
        assert isinstance(decision, Decision)
        after = [
            solution.value(game.resolve(drawn, {state.mover: choice}))
            for choice in decision.options[state.mover]
        ]
        values.append(float(odds) * (max(after) if state.mover == 0 else min(after)))
    return fsum(values)


def agree_at_random(solution: Solution[State, Choice, Card], count: int) -> None:
    assert isinstance(solution.game, NumberStackShowdown)
    states = random_draws(solution.game, Random(11))
    for state, _ in zip(states, range(count), strict=False):
        assert abs(solution.value(state) - look_ahead(solution, state)) <= 1e-9


def test_the_rules_confirm_values_at_random_states(
    solution: Solution[State, Choice, Card],
) -> None:
    agree_at_random(solution, 500)


@pytest.mark.slow
def test_the_rules_confirm_values_at_very_many_random_states(
    solution: Solution[State, Choice, Card],
) -> None:
    agree_at_random(solution, 100_000)


def test_moving_first_helps_a_little(solution: Solution[State, Choice, Card]) -> None:
    assert solution.value(solution.game.start()) == pytest.approx(0.0196973640, abs=1e-9)


def test_a_card_in_hand_has_the_value_of_the_better_choice(
    solution: Solution[State, Choice, Card],
) -> None:
    game = solution.game
    state = game.drawn(game.start(), Card(10))
    values = solution.values(state, state.mover)
    assert solution.value(state) == max(values.values())
    assert set(values) == set(Choice)


def test_the_keys_are_counted_as_a_few_lines_count_them() -> None:
    game = NumberStackShowdown(target=75, highest=11, copies=1)
    keys = 0
    for counts in product(range(2), repeat=11):
        laid = [n for n, count in enumerate(counts, 1) if count]
        totals = {0}
        for n in laid:
            totals |= {total + n for total in totals}
        splits = sum(t < 75 and sum(laid) - t < 75 for t in totals)
        kinds = 11 - len(laid)
        keys += splits * (1 + kinds) if kinds else 0
    assert Kernel(game).solve(silent).states == keys


def test_an_empty_deck_is_a_draw() -> None:
    game = NumberStackShowdown(target=100, highest=2, copies=1)
    solution = solve(game, cache=False)
    assert solution.value(game.start()) == 0
    assert isinstance(game.turn(State(((1,), (2,)), game.start().mover)), Outcome)


def test_one_card_decides_a_game_to_its_number() -> None:
    # Target 2 with the cards 1 and 2: who draws the 2 keeps it and wins; after a 1 is laid, the
    # other draws the 2 and wins too, whether by keeping it or because the other stack has a 1.
    game = NumberStackShowdown(target=2, highest=2, copies=1)
    solution = solve(game, cache=False)
    chance = game.turn(game.start())
    assert isinstance(chance, Chance)
    assert chance.odds[Card(2)] == Fraction(1, 2)
    assert solution.value(game.drawn(game.start(), Card(2))) == 1
