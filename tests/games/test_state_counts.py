"""How many positions can be reached: figures on which two independent counts once agreed."""

from __future__ import annotations

from collections import Counter

import pytest

import number_duels as nd
from number_duels.core.reachable_states import states
from tests.core.playing import Settings

#: Positions at which play goes on, and at which it is over.
COUNTS: list[tuple[str, Settings, tuple[int, int]]] = [
    ("number-bid", {"numbers": 2}, (3, 3)),
    ("number-bid", {"numbers": 3}, (13, 7)),
    ("number-bid", {"numbers": 5}, (189, 29)),
    ("number-bid", {"numbers": 8}, (5595, 69)),
    ("high-low-battle", {"cards": 1, "rounds": 1}, (1, 1)),
    ("high-low-battle", {"cards": 2, "rounds": 1}, (3, 3)),
    ("high-low-battle", {"cards": 2, "rounds": 1, "level": "draw"}, (1, 4)),
    ("high-low-battle", {"cards": 5, "rounds": 2}, (191, 491)),
    ("high-low-battle", {"cards": 5, "rounds": 2, "level": "draw"}, (26, 310)),
    ("high-low-battle", {"cards": 6, "rounds": 4}, (4625, 3555)),
    ("number-knot", {"life": 1, "numbers": 1}, (1, 2)),
    ("number-knot", {"life": 99, "numbers": 4}, (147, 55)),
    ("number-knot", {"life": 99, "numbers": 4, "first": 2}, (147, 55)),
    ("number-knot", {"life": 5, "numbers": 6}, (1716, 508)),
    ("number-knot", {"life": 20, "numbers": 7}, (8875, 377)),
    ("number-drop", {"side": 1}, (1, 1)),
    ("number-drop", {"side": 2}, (76, 11)),
    ("number-drop", {"side": 2, "first": 2}, (76, 11)),
]
WHOLE_GAMES = {
    "number-bid": (39993, 107),
    "number-knot": (68317, 11173),
    "number-drop": (204722, 398),
    "high-low-battle": (307111, 347311),
}


def count(game: nd.AnyGame) -> tuple[int, int]:
    over = Counter(isinstance(game.turn(state), nd.Outcome) for _, state in states(game))
    return over[False], over[True]


@pytest.mark.parametrize(("name", "settings", "figures"), COUNTS)
def test_small_games(name: str, settings: Settings, figures: tuple[int, int]) -> None:
    assert count(nd.load(name, **settings)) == figures


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_whole_games(name: str) -> None:
    assert count(nd.load(name)) == WHOLE_GAMES[name]


@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_the_solver_counts_the_same(name: str) -> None:
    assert nd.solve(nd.load(name)).states == WHOLE_GAMES[name][0]
