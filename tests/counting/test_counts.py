"""Reachable positions: the engine's count, a count by hand, and the figures they gave."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import number_duels as nd
from tests.counting import by_hand, engine

#: Positions at which play goes on, and at which it is over, at the default settings.
GOLDEN = {
    "number-knot": (68317, 11173),
    "number-drop": (204722, 398),
    "number-bid": (39993, 107),
    "high-low-battle": (307111, 347311),
}

BY_HAND: dict[str, Callable[[], tuple[int, int]]] = {
    "number-knot": by_hand.number_knot,
    "number-drop": by_hand.number_drop,
    "number-bid": by_hand.number_bid,
    "high-low-battle": by_hand.high_low_battle,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_count_by_hand_is_the_golden_figure(name: str) -> None:
    assert BY_HAND[name]() == GOLDEN[name]


@pytest.mark.parametrize("name", ["number-knot", "number-bid"])
def test_the_engine_counts_the_golden_figure(name: str) -> None:
    assert engine.count(nd.load(name)) == GOLDEN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["number-drop", "high-low-battle"])
def test_the_engine_counts_the_golden_figure_of_the_large_games_too(name: str) -> None:
    assert engine.count(nd.load(name)) == GOLDEN[name]


@pytest.mark.parametrize("numbers", [2, 3, 4, 5, 8])
def test_small_number_bids_count_the_same(numbers: int) -> None:
    assert engine.count(nd.load("number-bid", numbers=numbers)) == by_hand.number_bid(numbers)


@pytest.mark.parametrize("level", ["sudden-death", "draw"])
@pytest.mark.parametrize(("cards", "rounds"), [(1, 1), (2, 1), (3, 3), (5, 2), (6, 4), (6, 6)])
def test_small_high_low_battles_count_the_same(cards: int, rounds: int, level: str) -> None:
    game = nd.load("high-low-battle", cards=cards, rounds=rounds, level=level)
    counted = by_hand.high_low_battle(cards, rounds, sudden_death=level == "sudden-death")
    assert engine.count(game) == counted


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize(("life", "numbers"), [(1, 1), (99, 4), (5, 6), (20, 7)])
def test_small_number_knots_count_the_same(life: int, numbers: int, first: int) -> None:
    game = nd.load("number-knot", life=life, numbers=numbers, first=first)
    assert engine.count(game) == by_hand.number_knot(life, numbers)


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("side", [1, 2])
def test_small_number_drops_count_the_same(side: int, first: int) -> None:
    assert engine.count(nd.load("number-drop", side=side, first=first)) == by_hand.number_drop(side)


def test_a_number_drop_counts_the_same_from_its_third_turn() -> None:
    own, other = by_hand.gone(by_hand.full(9), 1, 5, 7), by_hand.gone(by_hand.full(9), 6, 7)
    counted = by_hand.number_drop(own=own, other=other)
    assert engine.count(nd.load("number-drop"), "7+5 7-6") == counted
