"""Rivals by tables, exact figures, drawn seats, both autoresets: as the readable rules play."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.adapters.batch import Batch
from number_duels.adapters.batch.compiled_engine import CompiledEngine
from number_duels.adapters.batch.lookup.layered import supported
from number_duels.adapters.batch.python_engine import PythonEngine
from number_duels.adapters.tables import Tables
from number_duels.core.game import SomeGame
from tests.adapters.tables import SMALL
from tests.adapters.test_batch import show_the_same, some_actions
from tests.core.playing import Table
from tests.some_games import SECRET

#: One kind of compiled step for each game: tables to choose by, and of figures.
EVERYTHING: dict[str, Any] = {"rival": "random", "policy": "level:1", "values": True}
WAYS: dict[str, dict[str, Any]] = {
    "seats drawn": {},
    "perfect": {"rival": Seat.ONE, "policy": "perfect"},
    "the next step": {"autoreset": "next-step", "policy": "level:3"},
    "a seat for each": {"rival": np.arange(12) % 2},
}

SHORT = [table for table in SMALL if table.game.name in (SECRET, "number-knot")]


def play_alike(game: SomeGame, steps: int, tolerance: float, **options: Any) -> int:
    """Step the same games by tables and by the readable rules; how many choices lost something."""
    quick, plain = (Batch(game, 12, 5, **options, compiled=c) for c in (True, False))
    assert isinstance(quick._engine, CompiledEngine)
    assert isinstance(plain._engine, PythonEngine)
    rng, ends, losses = np.random.default_rng(3), 0, 0
    for _ in range(steps):
        actions = some_actions(plain, rng)
        quick.step(actions)
        plain.step(actions)
        assert show_the_same(quick, plain)
        assert (quick.rivals == plain.rivals).all()
        assert abs(quick.values - plain.values).max() <= tolerance
        assert abs(quick.losses - plain.losses).max() <= tolerance
        ends, losses = ends + int(plain.done.sum()), losses + int((plain.losses > 0.1).sum())
    assert ends > 12
    return losses


@pytest.mark.parametrize(
    "way",
    [
        # In the short run one way: another takes as long, and compiles nothing else.
        pytest.param(way, id=name, marks=[] if name == "seats drawn" else pytest.mark.slow)
        for name, way in WAYS.items()
    ],
)
@pytest.mark.parametrize(
    "table",
    [
        # In the short run one game in turns and one in which both choose: each is compiled.
        pytest.param(table, id=table.label, marks=[] if table in SHORT else pytest.mark.slow)
        for table in SMALL
    ],
)
def test_tables_play_as_the_readable_rules_do(table: Table, way: dict[str, Any]) -> None:
    # The kernel that small games are solved without rounds its values to 31 bits.
    by_kernel = nd.solve(table.game).open_arrays() is not None
    options = {**EVERYTHING, **way}
    assert play_alike(table.game, 30, 0.0 if by_kernel else 1e-8, **options) > 0


@pytest.mark.slow
def test_a_deck_is_looked_up_as_the_solution_says() -> None:
    game = nd.load("number-stack-showdown", target=20, highest=5, copies=4)
    assert nd.solve(game).open_choices() is not None
    assert play_alike(game, 60, 0.0, **EVERYTHING) > 0
    assert play_alike(game, 40, 0.0, **EVERYTHING | {"policy": "perfect"}) > 0


def test_any_policy_over_all_positions_is_a_table() -> None:
    game = nd.load("high-low-battle", cards=3, rounds=3)
    tables = Tables(game)
    policy = tables.with_odds(np.random.default_rng(1).random(tables.masks.shape) ** 4)
    play_alike(game, 20, 0.0, rival=Seat.TWO, policy=policy, values=True)


@pytest.mark.parametrize("seed", range(5))
def test_every_half_makes_the_choice_that_the_sums_make(seed: int) -> None:
    """Just before, at and after each border between two choices, and at both ends."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 9, 60)
    starts = np.concatenate(([0], np.cumsum(counts)))
    odds = rng.random(starts[-1]) ** 6 * (rng.random(starts[-1]) < 0.7)
    odds[starts[:-1]] += 1e-12
    begins, _, choices = supported(starts, odds, np.arange(starts[-1], dtype=np.int16))
    for node, (first, last) in enumerate(pairwise(starts.tolist())):
        sums = list(accumulate(odds[first:last].tolist()))
        own = choices[begins[node] : begins[node + 1]].tolist()
        borders = {half + near for row in own for half in row[:2] for near in (-1, 0, 1)}
        for half in filter(in_range, borders):
            place = min(bisect_right(sums, sums[-1] * half / 2**32), len(sums) - 1)
            (chosen,) = (row[2] for row in own if row[0] <= half <= row[1])
            assert chosen == first + place


def in_range(half: int) -> bool:
    return 0 <= half < 2**32


# ---- what is a table, and what is asked -----------------------------------------------


class Asked:
    """Always the first option; counts how often it was asked."""

    def __init__(self, game: SomeGame) -> None:
        self.game, self.times = game, 0

    def policy(self, state: Hashable, seat: Seat) -> dict[Hashable, float]:
        self.times += 1
        turn = self.game.turn(state)
        assert isinstance(turn, nd.Decision)
        return {turn.options[seat][0]: 1.0}


def test_other_policies_are_asked() -> None:
    game: SomeGame = nd.load("number-bid", numbers=4)
    asked = Asked(game)
    batch = Batch(game, 3, rival=Seat.TWO, policy=asked)
    assert isinstance(batch._engine, PythonEngine)
    batch.step(np.full((3, 2), 3))
    assert asked.times == 1  # all three are alike
    assert batch.observations[:, 0].tolist() == [[0, 1, 1, 0, 5]] * 3


@pytest.mark.parametrize("compiled", [True, False])
def test_a_player_of_ours_is_what_its_word_is(compiled: bool) -> None:
    game: SomeGame = nd.load("number-knot", numbers=4, life=5)
    player: Any = nd.player("level:1", game)
    kinds = ("level:1", player, player.policy, Tables(game, "level:1"))
    batches = [
        Batch(game, 9, 2, rival=Seat.ONE, policy=p, values=True, compiled=compiled) for p in kinds
    ]
    for _ in range(12):
        actions = batches[0].masks.argmax(axis=2)
        for batch in batches:
            batch.step(actions)
            assert show_the_same(batches[0], batch)
            assert isinstance(batch._engine, CompiledEngine) == compiled


def test_a_policy_of_another_game_is_no_table() -> None:
    other_game = nd.load("number-bid", numbers=5)
    for other in (Tables(other_game), nd.solve(other_game).strategy):
        batch = Batch(nd.load("number-bid", numbers=4), 2, rival=Seat.TWO, policy=other)
        assert isinstance(batch._engine, PythonEngine)


def test_random_is_a_word_for_a_rival_at_random() -> None:
    game = nd.load("high-low-battle", cards=3, rounds=3)
    plain, named = (Batch(game, 50, rival=Seat.ONE, policy=p) for p in (None, "random"))
    assert show_the_same(plain, named)


@pytest.mark.parametrize("who", ["bot:true", "py:os:getcwd"])
def test_who_cannot_say_how_it_mixes_is_refused(who: str) -> None:
    with pytest.raises(ValueError, match=r"^The probabilities of .* are unknown; choose one of"):
        Batch(nd.load(SECRET), 2, rival=Seat.TWO, policy=who)


# ---- figures ---------------------------------------------------------------------------


def test_an_illegal_action_loses_what_its_seat_had_and_the_game() -> None:
    game = nd.load("number-knot", numbers=3, life=3)  # won by who begins
    batch = Batch(game, 2, rival=Seat.TWO, policy="perfect", values=True)
    assert batch.values.tolist() == [1, 1]
    batch.step(np.array([-1, 0]))
    assert batch.losses[:, 0].tolist() == [2, 1]  # A1 gives the win away, but not the draw
    assert batch.values.tolist() == [1, 0]  # a new game, and what is left of the other


def test_positions_that_cannot_arise_are_in_no_table() -> None:
    game = nd.load("number-knot", numbers=3, life=3)
    batch = Batch(game, 1, rival=Seat.TWO, policy="perfect", values=True)
    batch.set_positions([game.play(game.start(), {Seat.ONE: game.parse("A1")})])
    assert batch.values.tolist() == [0]
    with pytest.raises(ValueError, match="cannot arise"):
        batch.set_positions([nd.load("number-knot", numbers=3, life=9).start()])
