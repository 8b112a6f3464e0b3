"""The games in JAX as they are called: alone, in a vmap or a scan, by wrappers made for pgx."""

from __future__ import annotations

import doctest
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters import batch
from tests.conftest import SOURCE
from tests.lazy import Lazy
from tests.some_games import sample

if TYPE_CHECKING:
    import jax
    import jax.numpy as jnp

    from number_duels.adapters import jax as jax_games

    Turned = tuple[jax_games.State, tuple[jax.Array, jax.Array]]
else:
    jax, jnp, jax_games = Lazy("jax"), Lazy("jax.numpy"), Lazy("number_duels.adapters.jax")
stats = Lazy("scipy.stats")
FOLDER = SOURCE / "number_duels" / "adapters" / "jax"


def first_legal(state: jax_games.State) -> jax.Array:
    return jnp.argmax(state.legal_action_mask, axis=-1)


def test_one_game_and_many_are_the_same_games() -> None:
    env = jax_games.make("number-knot", numbers=4)
    keys = jax.random.split(jax.random.key(5), 3)

    def played(key: jax.Array) -> jax_games.State:
        state = env.init(key)
        for _ in range(3):
            state = env.step(state, first_legal(state))
        return state

    alone, many = jax.jit(played), jax.tree.map(np.asarray, jax.jit(jax.vmap(played))(keys))
    for index, key in enumerate(keys):
        one = jax.tree.leaves(jax.tree.map(np.asarray, alone(key)))
        pairs = zip(one, jax.tree.leaves(many), strict=True)
        assert all((mine == theirs[index]).all() for mine, theirs in pairs)


def test_a_scan_of_steps_begins_new_games() -> None:
    env = jax_games.make("number-bid", numbers=4)

    def turn(state: jax_games.State, _: None) -> Turned:
        after = env.auto_step(state, first_legal(state))
        return after, (after.terminated, after.rewards)

    def played(key: jax.Array) -> Turned:
        return jax.lax.scan(turn, env.init(key), None, 9)

    state, (ended, rewards) = jax.jit(played)(jax.random.key(1))
    assert int(ended.sum()) == 2  # all bid the lowest number: four rounds a game
    assert int(state._step_count) == 1
    assert not rewards.any()


def test_wrappers_made_for_pgx_find_what_they_use() -> None:
    env = jax_games.make("number-knot", numbers=2, life=2)
    assert (env.num_players, env.num_actions, env.observation_shape) == (2, 4, (5,))
    init, step = jax.jit(env.init), jax.jit(env.step)
    ended = step(init(jax.random.key(1)), jnp.int32(3), jax.random.key(2))  # S2 takes both lives
    assert ended.rewards.tolist() == [1, -1]
    assert bool(ended.terminated)
    # pgx's auto_reset: a new game that keeps how the old one ended.
    fresh = init(jax.random.key(3)).replace(terminated=ended.terminated, rewards=ended.rewards)
    again = step(fresh.replace(terminated=jnp.array(False)), jnp.int32(0))
    assert not bool(again.terminated)


def test_cards_depend_on_the_key_alone() -> None:
    env = jax_games.make("number-stack-showdown")
    init = jax.jit(env.init)
    one, again, other = (init(jax.random.key(n)) for n in (1, 1, 2))
    assert (one.observation == again.observation).all()
    drawn = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), 400)).observation[
        :, 14:
    ]
    assert np.asarray(drawn.sum(axis=0) > 15).all()  # of 40 expected; all ten cards come
    assert not (one.stream[0] == other.stream[0]).all()


def test_a_batch_plays_given_actions_and_any_legal_ones() -> None:
    games = jax_games.JaxBatch(nd.load("number-bid", numbers=6))
    assert jax_games.JaxBatch("knot").game == nd.load("knot")
    carry, shown = jax.jit(games.init, static_argnums=1)(jax.random.key(1), 50)
    rows = np.asarray(shown.masks).reshape(2, 6, 50).argmax(axis=1)
    step = jax.jit(games.step)
    carry, shown = step(carry, rows)
    assert (np.asarray(shown.observations)[:6].sum(axis=0) == 5).all()  # both bid 1: one is gone
    for _ in range(5):
        carry, shown = step(carry)
        assert not np.asarray(shown.faults).any()


@pytest.mark.parametrize("name", sample(["number-knot", "number-stack-showdown"], 1))
def test_playouts_end_as_those_of_compiled_code_do(name: str) -> None:
    game = nd.load(name)
    found = jax_games.playouts(game, 2000, jax.random.key(4), passes=8)
    expected = batch.playouts(game, 100_000, 4)
    table = np.array([found[:3], expected[:3]])
    assert stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > 1e-4
    length = [tally.turns / sum(tally[:3]) for tally in (found, expected)]
    assert abs(length[0] - length[1]) < 0.02 * length[1]


EXAMPLES = [file.stem for file in FOLDER.glob("*.py") if b">>> " in file.read_bytes()]


@pytest.mark.parametrize("module", sorted(EXAMPLES))
def test_examples_run(module: str) -> None:
    """Here, and not where doctests are collected: that would import JAX in every process."""
    found = doctest.testmod(import_module(f"number_duels.adapters.jax.{module}"))
    assert (found.failed, found.attempted > 0) == (0, True)


def test_a_game_without_packed_rules_is_refused_in_a_sentence() -> None:
    class Other(type(nd.load("number-knot"))):  # type: ignore[misc]  # a class made at run time
        """A game that changes another's rules."""

    with pytest.raises(ValueError, match="cannot be played in JAX"):
        jax_games.JaxBatch(Other())
