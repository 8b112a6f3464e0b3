"""A batch: the same games whatever its size, in compiled code and in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from number_duels import Seat, load
from number_duels.adapters.batch import Batch, playouts
from number_duels.adapters.batch.compiled_engine import find_kernel
from number_duels.adapters.batch.python_engine import PythonEngine
from number_duels.core.game import AnyGame, Decision, Outcome, SomeGame
from number_duels.games.number_bid import NumberBid
from tests.adapters.tables import (
    every_small_table,
    every_table_small_first,
    every_way_to_copy,
)
from tests.core.playing import Table
from tests.lazy import Lazy
from tests.some_games import sample

pytestmark = pytest.mark.usefixtures("compiled_kernels")
stats = Lazy("scipy.stats")
SHOWN = ("movers", "observations", "masks", "rewards", "done", "illegal", "final_observations")


def some_actions(batch: Batch, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Any legal action for everybody, and now and then one that may not be."""
    weights = rng.random(batch.masks.shape)
    actions = np.where(batch.masks, weights, -1).argmax(axis=2)
    wild = rng.integers(-2, batch.encoding.action_count + 2, actions.shape)
    some: npt.NDArray[np.int64] = np.where(rng.random(actions.shape) < 0.05, wild, actions)
    return some


def show_the_same(one: Batch, two: Batch, games: slice = slice(None)) -> bool:
    return all((getattr(one, name)[games] == getattr(two, name)[games]).all() for name in SHOWN)


def both_ways(game: SomeGame, rival: Seat | None, size: int, steps: int) -> Counter[str]:
    """Play the same games both ways; what has happened is counted."""
    compiled, plain = (Batch(game, size, 11, rival=rival, compiled=c) for c in (True, False))
    rng = np.random.default_rng(5)
    seen: Counter[str] = Counter()
    for _ in range(steps):
        assert show_the_same(compiled, plain)
        actions = some_actions(plain, rng)
        compiled.step(actions)
        plain.step(actions)
        seen["ends"] += int(plain.done.sum())
        seen["illegal"] += int(plain.illegal.sum())
        seen["turns"] += size
    assert show_the_same(compiled, plain)
    return seen


@pytest.mark.parametrize("rival", sample([Seat.ONE, None, Seat.TWO], 1))
@every_table_small_first
def test_compiled_and_readable_rules_play_the_same_games(table: Table, rival: Seat | None) -> None:
    seen = both_ways(table.game, rival, size=10, steps=40)
    assert seen["ends"] > 10
    assert seen["illegal"] > 0


@pytest.mark.parametrize(
    "game",
    sample(
        [
            load("number-stack-showdown", target=100, highest=13, copies=8),
            load("number-bid", numbers=20),
            load("high-low-battle", cards=13, rounds=13),
            load("number-knot", life=99, numbers=15, exhausted="higher-life"),
            load("number-drop", side=5),
        ],
        1,
    ),
    ids=lambda game: game.name,
)
def test_the_largest_settings_are_played_alike(game: AnyGame) -> None:
    both_ways(game, Seat.TWO, size=5, steps=40)
    assert playouts(game, 20, 4) == playouts(game, 20, 4, compiled=False)


def test_a_deck_of_cards_is_drawn_alike_for_thousands_of_turns() -> None:
    assert both_ways(load("number-stack-showdown"), None, size=100, steps=50)["turns"] == 5_000


@pytest.mark.slow
@pytest.mark.parametrize("overflow", ["forbidden", "allowed"])
def test_a_deck_of_cards_is_drawn_alike_for_millions_of_turns(overflow: str) -> None:
    game = load("number-stack-showdown", overflow=overflow)
    assert both_ways(game, None, size=1000, steps=1000)["turns"] == 1_000_000


@pytest.mark.parametrize("compiled", [True, False])
@every_small_table
def test_a_game_does_not_know_how_many_others_there_are(table: Table, compiled: bool) -> None:
    few, many = (Batch(table.game, size, 3, compiled=compiled) for size in (4, 9))
    rng = np.random.default_rng(1)
    for _ in range(40):
        actions = some_actions(many, rng)
        many.step(actions)
        few.step(actions[:4])
        assert show_the_same(few, many, slice(4))


def test_seeds_indices_and_later_games_have_other_cards() -> None:
    game = load("number-stack-showdown")
    one, two = Batch(game, 50, 1), Batch(game, 50, 2)
    again = Batch(game, 50, 2)
    assert show_the_same(two, again)
    assert not show_the_same(one, two)
    first = two.observations.copy()
    assert len(np.unique(first[:, 0], axis=0)) == 10
    two.step(np.full(50, -1))  # an illegal action ends every game
    assert two.done.all()
    assert (two.observations != first).any()
    two.reset()
    assert (two.observations == first).all()
    two.reset(1)
    assert show_the_same(one, two)


@pytest.mark.parametrize("compiled", [True, False])
@every_small_table
@every_way_to_copy
def test_a_copy_goes_on_alike_and_by_itself(
    table: Table, compiled: bool, duplicate: Callable[[Batch], Batch]
) -> None:
    batch, rng = (
        Batch(table.game, 6, 8, rival=Seat.TWO, compiled=compiled),
        np.random.default_rng(2),
    )
    for _ in range(3):
        batch.step(some_actions(batch, rng))
    twin = duplicate(batch)
    before = batch.observations.copy(), batch._arrays.rows.copy(), batch.rewards.copy()
    for _ in range(20):
        twin.step(some_actions(twin, rng))
    assert (before[0] == batch.observations).all()
    assert (before[1] == batch._arrays.rows).all()
    assert (before[2] == batch.rewards).all()
    twin = duplicate(batch)
    for _ in range(20):
        actions = some_actions(batch, rng)
        batch.step(actions)
        twin.step(actions)
        assert show_the_same(batch, twin)


STEP = """
import numpy as np, number_duels as nd
from number_duels.adapters.batch import Batch
Batch(nd.load("number-bid"), 2).step(np.zeros((2, 2), np.int64))
"""


@pytest.mark.slow
def test_a_step_is_compiled_by_one_process_and_loaded_by_the_next(tmp_path: Path) -> None:
    kept = []
    for _ in range(2):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", STEP], env=environment, check=True)
        kept.append({file.name: file.stat().st_ino for file in tmp_path.iterdir()})
    assert len(kept[0]) == 1
    assert kept[0] == kept[1]


# ---- chance -----------------------------------------------------------------------


def test_the_first_cards_are_equally_likely_and_know_nothing_of_each_other() -> None:
    batch = Batch(load("number-stack-showdown"), 100_000, 6)
    hand = slice(14, 24)
    first = batch.observations[:, 0, hand].argmax(axis=1)
    batch.step(np.zeros(batch.size, np.int64))
    second = batch.observations[:, 0, hand].argmax(axis=1)
    batch.step(np.full(batch.size, -1))  # the next games
    later = batch.observations[:, 0, hand].argmax(axis=1)
    assert stats.chisquare(np.bincount(first, minlength=10)).pvalue > 0.001
    assert stats.chisquare(np.bincount(later, minlength=10)).pvalue > 0.001
    assert stats.chi2_contingency(pairs(first, later)).pvalue > 0.001
    assert stats.chi2_contingency(pairs(first[:-1], first[1:])).pvalue > 0.001
    # Three of a card are left once one of the four has been drawn.
    odds = (4 - np.eye(10)) / 390
    assert stats.chisquare(pairs(first, second).ravel(), odds.ravel() * batch.size).pvalue > 0.001


def pairs(one: npt.NDArray[np.int64], two: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.bincount(10 * one + two, minlength=100).reshape(10, 10)


def test_a_random_rival_makes_every_move_equally_often() -> None:
    batch = Batch(load("high-low-battle", cards=7), 70_000, 6, rival=Seat.ONE)
    batch.step(np.zeros((batch.size, 2), np.int64))
    gone = (batch.observations[:, 0, :7] == 0).sum(axis=0)
    assert gone.sum() == batch.size
    assert stats.chisquare(gone).pvalue > 0.001


@pytest.mark.parametrize(
    "game",
    sample(
        [
            load("high-low-battle", cards=4, rounds=3),
            load("number-bid", numbers=5),
            load("number-knot", life=4, numbers=5),
        ],
        1,
    ),
    ids=lambda game: game.name,
)
def test_playouts_end_as_often_as_the_odds_say(game: AnyGame) -> None:
    count = 200_000
    tally = playouts(game, count, 9)
    odds = random_odds(game)
    expected = [odds[winner] * count for winner in (Seat.ONE, None, Seat.TWO)]
    assert stats.chisquare(tally[:3], expected).pvalue > 0.001


def random_odds(game: AnyGame) -> dict[Seat | None, float]:
    """How often each ends as the winner, exactly, if everybody chooses blindly."""

    @cache
    def odds_of(state: Hashable) -> dict[Seat | None, float]:
        turn = game.turn(state)
        if isinstance(turn, Outcome):
            return {turn.winner: 1.0}
        assert isinstance(turn, Decision)
        found: Counter[Seat | None] = Counter()
        every = moves_of(turn)
        for moves in every:
            for winner, odds in odds_of(game.resolve(state, moves)).items():
                found[winner] += odds / len(every)  # type: ignore[assignment]
        return dict(found)

    return odds_of(game.start())


def moves_of(turn: Decision[Hashable]) -> list[dict[Seat, Hashable]]:
    found: list[dict[Seat, Hashable]] = [{}]
    for seat, options in turn.options.items():
        found = [{**moves, seat: move} for moves in found for move in options]
    return found


# ---- games without a kernel, and refusals -------------------------------------------


@dataclass(frozen=True)
class HouseRules(NumberBid):
    """A derived game must not get its parent's kernel."""


HouseRules.__module__ = NumberBid.__module__


def test_a_game_without_a_kernel_is_played_by_its_rules() -> None:
    house = HouseRules(numbers=4)
    assert find_kernel(house) is None
    assert isinstance(Batch(house, 2)._engine, PythonEngine)
    assert playouts(house, 50) == playouts(load("number-bid", numbers=4), 50)


def test_actions_may_be_whole_numbers_of_any_kind() -> None:
    wide = np.zeros((3, 8), np.int64)
    fixed = np.zeros((3, 2), np.int64)
    fixed.flags.writeable = False
    for given in (np.zeros((3, 2), np.uint8), wide[:, ::4], fixed, [[0, 0]] * 3):
        batch = Batch(load("high-low-battle"), 3)
        batch.step(given)
        assert batch.observations[:, 0, 0].tolist() == [0, 0, 0]
        assert not batch.done.any()


def test_actions_of_the_wrong_kind_are_refused_in_a_sentence() -> None:
    batch = Batch(load("high-low-battle"), 3)
    with pytest.raises(ValueError, match=r"Actions must have shape \(3, 2\), not \(3,\)."):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match=r"Actions must be whole numbers, not float64."):
        batch.step(np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"A batch needs at least 1 game, not 0."):
        Batch(load("number-bid"), 0)
