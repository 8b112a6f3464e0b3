"""Calls of a batch: seats, seeds and counts that it takes, and those that it refuses."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from number_duels import Seat, load
from number_duels.adapters.batch import Batch, playouts
from tests.adapters.tables import every_small_table
from tests.adapters.test_batch import show_the_same
from tests.core.playing import Table
from tests.some_games import SECRET

pytestmark = pytest.mark.usefixtures("compiled_kernels")
both_engines = pytest.mark.parametrize("compiled", [True, False])


@both_engines
@every_small_table
@pytest.mark.parametrize("seat", Seat)
def test_rivals_may_be_an_array_of_numbers(table: Table, seat: Seat, compiled: bool) -> None:
    numbered, named = (
        Batch(table.game, 9, 3, rival=rival, compiled=compiled) for rival in ([int(seat)] * 9, seat)
    )
    for _ in range(20):
        assert show_the_same(numbered, named)
        actions = named.masks.argmax(axis=2)
        named.step(actions)
        numbered.step(actions)


@pytest.mark.parametrize("rival", [0, 1, np.int8(1), True, 5, -1, "1"])
def test_other_rivals_are_refused_in_a_sentence(rival: Any) -> None:
    with pytest.raises(
        ValueError, match=rf"^rival must be Seat\.ONE or Seat\.TWO, not {re.escape(repr(rival))}\.$"
    ):
        Batch(load(SECRET), 2, rival=rival)


def test_a_policy_needs_a_seat() -> None:
    class Anything:
        def policy(self, state: object, seat: Seat) -> dict[object, float]:
            return {}

    with pytest.raises(ValueError, match=r"^A policy needs a seat; pass rival=Seat\.ONE or "):
        Batch(load(SECRET), 2, policy=Anything())


@both_engines
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int32, np.uint8])
def test_a_seed_may_be_a_number_of_numpy(kind: Any, compiled: bool) -> None:
    game = load("number-stack-showdown")
    plain, numpy = (Batch(game, 20, seed, compiled=compiled) for seed in (7, kind(7)))
    assert show_the_same(plain, numpy)
    plain.reset(8)
    assert not show_the_same(plain, numpy)
    numpy.reset(kind(8))
    assert show_the_same(plain, numpy)
    battle = load("high-low-battle", cards=3, rounds=3)
    tallies = [playouts(battle, 50, seed, compiled=compiled) for seed in (9, kind(9))]
    assert tallies[0] == tallies[1]


@both_engines
def test_a_negative_seed_of_numpy_is_the_same_seed(compiled: bool) -> None:
    game = load("number-stack-showdown")
    plain, numpy = (Batch(game, 20, seed, compiled=compiled) for seed in (-3, np.int64(-3)))
    assert show_the_same(plain, numpy)


@both_engines
def test_a_count_is_not_negative(compiled: bool) -> None:
    game = load("high-low-battle", cards=3, rounds=3)
    assert playouts(game, 0, compiled=compiled) == (0, 0, 0, 0)
    assert sum(playouts("knot", 9, compiled=compiled)[:3]) == 9
    with pytest.raises(ValueError, match=r"^The number of games must be 0 or more, not -1\.$"):
        playouts(game, -1, compiled=compiled)
