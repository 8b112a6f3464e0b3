"""A batch read, set, branched, copied and handed over: nobody's arrays change under their hands."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.adapters.batch import Batch, playouts
from number_duels.core.game import SomeGame
from tests.adapters.tables import every_small_table, every_table
from tests.adapters.test_batch import SHOWN, show_the_same, some_actions
from tests.core.playing import Table
from tests.some_games import SECRET

pytestmark = pytest.mark.usefixtures("compiled_kernels")
both_engines = pytest.mark.parametrize("compiled", [True, False])


def begun(game: SomeGame, size: int = 6, **options: Any) -> Batch:
    batch, rng = Batch(game, size, 8, **options), np.random.default_rng(2)
    for _ in range(2):
        batch.step(some_actions(batch, rng))
    return batch


# ---- states -----------------------------------------------------------------------------


@both_engines
@every_small_table
def test_a_batch_comes_back_to_its_states(table: Table, compiled: bool) -> None:
    batch = begun(table.game, rival=Seat.TWO, compiled=compiled)
    states, shown, rng = batch.states(), batch.copy(), np.random.default_rng(5)
    actions = [some_actions(batch, rng) for _ in range(3)]
    after = [batch.step(a, copy=True) for a in actions]
    batch.set_states(states)
    assert show_the_same(batch, shown)
    for given, wanted in zip(actions, after, strict=True):
        found = batch.step(given, copy=True)
        assert all(map(np.array_equal, found, wanted))


@both_engines
@every_small_table
def test_branches_are_copies_that_go_on_by_themselves(table: Table, compiled: bool) -> None:
    batch = begun(table.game, compiled=compiled)
    before = batch.copy()
    games = np.array([4, 1, 1, 5])
    branch = batch.branch(games)
    for name in SHOWN:
        assert (getattr(branch, name) == getattr(batch, name)[games]).all()
    actions = branch.masks.argmax(axis=2)
    branch.step(actions)
    assert show_the_same(batch, before)
    # Copies of one game meet the same chance.
    assert all((getattr(branch, name)[1] == getattr(branch, name)[2]).all() for name in SHOWN)


def test_branches_with_a_seed_meet_their_own_chance() -> None:
    batch = begun(nd.load("number-stack-showdown"))
    same, other = batch.branch(np.zeros(200, np.int64)), batch.branch(np.zeros(200, np.int64), 5)
    again = batch.branch(np.zeros(200, np.int64), 5)
    for branch in (same, other, again):
        branch.step(branch.masks.argmax(axis=2))
    assert len(np.unique(same.observations, axis=0)) == 1
    assert len(np.unique(other.observations, axis=0)) == 10  # any card may be next
    assert show_the_same(other, again)


@both_engines
def test_positions_can_be_set_and_the_rival_answers(compiled: bool) -> None:
    game: SomeGame = nd.load("number-knot", numbers=3, life=3)
    moves = [game.parse(text) for text in ("S1", "A2", "S2")]
    states = [game.play(game.start(), {Seat.ONE: move}) for move in moves]
    alone, rival = (Batch(game, 3, rival=who, compiled=compiled) for who in (None, Seat.TWO))
    for batch in (alone, rival):
        batch.set_positions(states)
    assert alone.movers.tolist() == [1, 1, 1]
    encoding = alone.encoding
    assert alone.observations[:, 0].tolist() == [
        encoding.observation(state, Seat.TWO).tolist() for state in states
    ]
    assert (rival.observations[:, 0, :3].sum(axis=1) == 1).all()  # one number is left
    with pytest.raises(ValueError, match=r"^There are 3 games but 1 positions; "):
        alone.set_positions(states[:1])


def test_wrong_states_games_and_positions_are_refused() -> None:
    game: SomeGame = nd.load("number-knot", numbers=2, life=2)
    batch = Batch(game, 2)
    for other in (Batch(game, 3), Batch(nd.load("high-low-battle"), 2)):
        with pytest.raises(ValueError, match=r"^These states are from another game, or from a"):
            batch.set_states(other.states())
    for games in ([], [0.5], [[0]]):
        with pytest.raises(ValueError, match=r"^Pass the index of at least one game in the batch"):
            batch.branch(games)
    over = game.play(game.start(), {Seat.ONE: game.parse("S2")})
    with pytest.raises(ValueError, match=r"^No player decides in position 1\.$"):
        batch.set_positions([game.start(), over])


# ---- arrays -------------------------------------------------------------------------------


def test_what_is_shown_cannot_be_written_to_and_follows_the_games() -> None:
    batch = Batch(nd.load("number-knot", numbers=4), 3)
    seen = batch.observations
    with pytest.raises(ValueError, match="read-only"):
        seen[0, 0, 0] = 7
    own = batch.step(np.zeros(3, np.int64), copy=True)
    assert (seen == batch.observations).all()
    own.observations[0, 0, 0] = 7  # nobody else's
    assert batch.observations[0, 0, 0] == 0
    batch.step(np.full(3, 2))
    assert (own.observations != batch.observations).any()


def test_arrays_are_handed_over_without_copying() -> None:
    batch = Batch(nd.load("number-knot", numbers=4), 3)
    for one in (batch, batch.copy(), batch.branch([2, 0])):
        for array in filter(np.size, one.buffers):
            assert array.ctypes.data % 64 == 0  # or JAX copies it
        given = np.from_dlpack(one.buffers.observations)
        one.step(np.zeros(one.size, np.int64))
        assert np.shares_memory(given, one.observations)
        assert (given == one.observations).all()


# ---- threads and playouts --------------------------------------------------------------------


@every_small_table
def test_threads_make_no_difference(table: Table) -> None:
    game = table.game
    one, some = (Batch(game, 50_000, 3, rival="random", threads=n) for n in (1, 3))
    rng = np.random.default_rng(1)
    for _ in range(4):
        actions = some_actions(one, rng)
        one.step(actions)
        some.step(actions)
        assert show_the_same(one, some)
    for histogram in (False, True):
        every = [playouts(game, 10_001, 3, histogram=histogram, threads=n) for n in (1, 3, None)]
        assert all(np.array_equal(every[0], other) for other in every)


@pytest.mark.parametrize("threads", [0, -1])
def test_there_is_at_least_one_thread(threads: int) -> None:
    with pytest.raises(ValueError, match=rf"^A batch needs at least 1 thread, not {threads}\.$"):
        Batch(nd.load(SECRET), 3, threads=threads)


@every_table
def test_playouts_are_counted_by_result_and_length(table: Table) -> None:
    counts, tally = playouts(table.game, 300, 4, histogram=True), playouts(table.game, 300, 4)
    plain = playouts(table.game, 300, 4, histogram=True, compiled=False)
    assert (counts == plain).all()
    assert tuple(counts.sum(axis=1)) == tally[:3]
    assert counts.sum(axis=0) @ np.arange(counts.shape[1]) == tally.turns
    assert counts[:, -1].any()
    assert counts.shape[1] <= table.game.most_turns + 1


# ---- seats --------------------------------------------------------------------------------------


def test_seats_are_drawn_for_every_game_and_equally_often() -> None:
    batch = Batch(nd.load("number-knot", numbers=4), 20_000, 3, rival="random")
    first = batch.rivals.copy()
    assert 0.48 < first.mean() < 0.52
    batch.step(np.full(20_000, -1))  # all games end
    assert 0.48 < (batch.rivals == first).mean() < 0.52
    assert (batch.movers == 1 - batch.rivals).all()


@pytest.mark.parametrize("rival", [[0, 1], [0, 1, 2], [[0, 1, 0]], [0.5, 0, 1]])
def test_rivals_are_one_for_each_game(rival: Any) -> None:
    with pytest.raises(ValueError, match=r"^rival must be 0 or 1 for each of the 3 games\.$"):
        Batch(nd.load(SECRET), 3, rival=rival)


# ---- the next step ------------------------------------------------------------------------------


@every_small_table
def test_both_autoresets_play_the_same_games(table: Table) -> None:
    """A game that has ended is shown until the next step, which begins another and does no more."""
    same, later = (
        Batch(table.game, 1, 4, rival=Seat.TWO, autoreset=way) for way in ("same-step", "next-step")
    )
    rng, ends = np.random.default_rng(1), 0
    for _ in range(40):
        assert show_the_same(same, later)
        actions = some_actions(same, rng)
        same.step(actions)
        later.step(actions)
        assert (same.rewards == later.rewards).all()
        if same.done[0]:
            ends += 1
            assert later.done[0]
            assert not later.masks.any()
            assert (later.illegal == same.illegal).all()
            shown = [0, 1] if same.seats == 2 else [0]
            assert (later.observations[0] == same.final_observations[0, shown]).all()
            later.step(np.full_like(actions, -1))  # whatever is done now means nothing
            assert not later.done[0]
            assert not later.rewards.any()
            assert not later.illegal.any()
            same._arrays.done[:] = same._arrays.illegal[:] = False
            same._arrays.rewards[:] = 0
    assert ends > 1


def test_there_are_two_autoresets() -> None:
    with pytest.raises(
        ValueError, match=r"^autoreset must be 'same-step' or 'next-step', not 'never'"
    ):
        Batch(nd.load(SECRET), 2, autoreset="never")  # type: ignore[arg-type]  # that is the point


def test_without_a_rival_who_acted_last_sees_the_end() -> None:
    game: SomeGame = nd.load("number-knot", numbers=2, life=2)

    def seen(compiled: bool) -> Hashable:
        batch = Batch(game, 1, autoreset="next-step", compiled=compiled)
        batch.step([3])  # S2 takes both lives
        assert batch.done.all()
        assert batch.movers.tolist() == [0]
        return tuple(batch.observations[0, 0].tolist())

    assert seen(True) == seen(False)
