"""A setting that the machine rules do not know is never ignored: the readable rules are used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.batch import Batch, playouts
from number_duels.adapters.batch.python_engine import PythonEngine
from number_duels.adapters.tables import Tables
from number_duels.core.settings import within
from number_duels.games.high_low_battle import Card, HighLowBattle, State, lower_before
from number_duels.machine import find_packed, high_low_battle
from number_duels.solvers import kernels
from tests.lazy import Lazy
from tests.solvers.helpers import every_state

optimize, jax_games = Lazy("scipy.optimize"), Lazy("number_duels.adapters.jax")


@dataclass(frozen=True)
class TiedBattle(HighLowBattle):
    """High-Low Battle with one more setting: how many points a tie earns."""

    tie: int = within(0, 9, default=2, meaning="the points for a tie")

    def resolve(self, state: State, moves: Mapping[nd.Seat, Card]) -> State:
        after = super().resolve(state, moves)
        lower = lower_before(state)
        if moves[nd.Seat.ONE] != moves[nd.Seat.TWO] or lower is None:
            return after
        scores = [*state.scores]
        scores[lower] += self.tie
        return State(after.hands, (scores[0], scores[1]), after.rounds)


@pytest.fixture(autouse=True)
def as_if_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of the game has this class now, under the same name."""
    monkeypatch.setattr(TiedBattle, "__module__", HighLowBattle.__module__)
    monkeypatch.setattr(high_low_battle, "GAME_CLASS", TiedBattle)


def value_of(game: TiedBattle, state: State) -> float:
    """Return the value of a state to Player 1, by the document's rules and linear programs."""

    @cache
    def value(one: frozenset[int], two: frozenset[int], lead: int, lower: int) -> float:
        played = game.cards - len(one)
        if played >= game.rounds and (lead or not one):
            return float(np.sign(lead))
        rows = []
        for a in sorted(one):
            row = []
            for b in sorted(two):
                won = int(np.sign(a - b))
                gained, below = (won, -won) if won else (game.tie * lower, lower)
                row.append(value(one - {a}, two - {b}, lead + gained, below))
            rows.append(row)
        return maximin(np.array(rows))

    lower = {None: 0, nd.Seat.ONE: 1, nd.Seat.TWO: -1}[lower_before(state)]
    hands = [frozenset(hand) for hand in state.hands]
    return value(hands[0], hands[1], state.scores[0] - state.scores[1], lower)


def maximin(matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """The value of a matrix game by SciPy: maximize v with at least v in every column."""
    rows, columns = matrix.shape
    found = optimize.linprog(
        c=[*[0.0] * rows, -1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*[1.0] * rows, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, 1)] * rows, (None, None)],
    )
    return float(-found.fun)


@pytest.mark.parametrize("tie", [0, 3])
def test_values_of_a_game_with_a_new_setting_are_those_of_linear_programs(tie: int) -> None:
    game = TiedBattle(cards=3, rounds=3, tie=tie)
    solution = nd.solve(game, cache=False)
    for state in every_state(game):
        assert solution.value(state) == pytest.approx(value_of(game, state), abs=1e-9)


def test_the_new_setting_makes_a_difference() -> None:
    states = list(every_state(HighLowBattle(cards=3, rounds=3)))
    usual, other = (TiedBattle(cards=3, rounds=3, tie=tie) for tie in (2, 0))
    assert any(value_of(usual, state) != pytest.approx(value_of(other, state)) for state in states)


def test_a_game_with_a_new_setting_is_played_by_its_readable_rules() -> None:
    game = TiedBattle(cards=3, rounds=3, tie=3)
    assert find_packed(game) is None
    assert kernels.find_kernel(game) is None
    assert isinstance(Batch(game, 2)._engine, PythonEngine)
    assert playouts(game, 50) == playouts(game, 50, compiled=False)
    with pytest.raises(ValueError, match="cannot be stored as arrays"):
        Tables(game)
    with pytest.raises(ValueError, match="has no machine rules for these settings"):
        jax_games.JaxBatch(game)


@pytest.mark.parametrize("who", ["perfect", "level:3"])
def test_players_know_the_new_setting(who: str) -> None:
    game = TiedBattle(cards=2, rounds=2, tie=5)
    match = nd.Match(game, seed=7)
    nd.play_match(match, {seat: nd.player(who, game) for seat in nd.Seat})
    assert isinstance(match.turn, nd.Outcome)


def test_a_value_out_of_the_known_range_is_played_by_the_readable_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(high_low_battle, "GAME_CLASS", HighLowBattle)
    assert find_packed(HighLowBattle(level="draw")) is not None
    monkeypatch.setitem(high_low_battle.KNOWN_SETTINGS, "level", ("sudden-death",))
    assert find_packed(HighLowBattle(level="draw")) is None
    assert kernels.find_kernel(HighLowBattle(level="draw")) is None
