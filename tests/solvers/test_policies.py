"""A policy is checked in one place: what it may say, and how a mistake is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import cast

import numpy as np
import pytest

import number_duels as nd
from number_duels.games.number_bid import Bid, NumberBid, State
from number_duels.solvers import solve
from number_duels.solvers.policies import Policy, UniformPolicy, known_error_rate, probabilities
from tests.solvers.helpers import wrapped

GAME = NumberBid(numbers=3)
ONE, TWO, THREE = OPTIONS = [GAME.parse(text) for text in "123"]


def said(function: Callable[..., object]) -> dict[Bid, float]:
    policy = cast("Policy[State, Bid]", function)
    return probabilities(GAME, policy, GAME.start(), nd.Seat.TWO, OPTIONS)


@pytest.mark.parametrize(
    "odds",
    [
        {ONE: 0.25, THREE: 0.75},
        {"1": 0.25, "3": 0.75},
        {THREE: 0.5, "1": Fraction(1, 4), "3": np.float32(0.25)},
        {ONE: 0.25, TWO: 0, THREE: 0.75},
    ],
)
def test_every_option_gets_its_probability(odds: dict[Hashable, float]) -> None:
    assert said(lambda *_: odds) == {ONE: 0.25, TWO: 0.0, THREE: 0.75}


@pytest.mark.parametrize(
    ("odds", "reason"),
    [
        ({ONE: 0.5, TWO: 0.25}, "probabilities for Player 2 add up to 0.75; they must add up to 1"),
        ({}, "add up to 0;"),
        ({ONE: float("inf")}, "add up to inf;"),
        ({ONE: 1.5, TWO: -0.5}, "gives 2 a negative probability; probabilities must be 0 or more"),
        ({ONE: float("nan")}, "gives 1 the probability nan; probabilities must be 0 or more"),
        ({"1": "often"}, "gives 1 the probability 'often'"),
        ({"1": None}, "gives 1 the probability None"),
        ({"1": 0.5, "7": 0.5}, "to 7, which Player 2 may not play; the legal moves are 1, 2, 3"),
        ({"hello": 1.0}, "to hello, which Player 2 may not play"),
        ({1.5: 1.0}, "to 1.5, which Player 2 may not play"),
        (ONE, "must return a probability for every move, such as {'1': 1.0}"),
        (None, "returned None for Player 2; it must return"),
        ([1.0, 0.0, 0.0], "must return a probability for every move"),
    ],
)
def test_what_is_no_probability_is_refused_in_a_sentence(odds: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        said(lambda *_: odds)
    assert "\n" not in str(refused.value)
    assert re.search(r" \(the view is State\(.*\)\.$", str(refused.value))


@pytest.mark.parametrize(
    "policy", [lambda _: {ONE: 1.0}, lambda _, __, ___: {ONE: 1.0}, {ONE: 1.0}]
)
def test_a_policy_is_a_function_of_view_and_seat(policy: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="a function with two arguments, the view and the seat"):
        said(policy)


def test_a_mistake_inside_a_policy_is_its_own() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        said(lambda view, seat: {ONE: view / seat})


def test_perfect_play_is_known_by_its_kind_and_its_game() -> None:
    solution, other = solve(GAME, cache=False), NumberBid(numbers=4)
    perfect = solution.strategy
    assert perfect == solution.strategy
    assert known_error_rate(GAME, perfect) == 0.0
    assert known_error_rate(GAME, perfect.with_errors(0.25)) == 0.25
    assert known_error_rate(GAME, UniformPolicy(GAME)) == 1.0
    assert known_error_rate(other, perfect) is None
    assert known_error_rate(other, UniformPolicy(GAME)) is None
    assert known_error_rate(GAME, wrapped(perfect)) is None
