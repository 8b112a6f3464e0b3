"""The games in JAX as they are called: alone, in a vmap or a scan, by wrappers made for pgx."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import chi2_contingency  # type: ignore[import-untyped]  # it has no types

import number_duels as nd
from number_duels.adapters import batch
from number_duels.adapters.jax import Batch, State, make, playouts


def first_legal(state: State) -> jax.Array:
    return jnp.argmax(state.legal_action_mask, axis=-1)


def test_one_game_and_many_are_the_same_games() -> None:
    env = make("number-knot", numbers=4)
    keys = jax.random.split(jax.random.key(5), 3)

    def played(key: jax.Array) -> State:
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
    env = make("number-bid", numbers=4)

    def turn(state: State, _: None) -> tuple[State, tuple[jax.Array, jax.Array]]:
        after = env.auto_step(state, first_legal(state))
        return after, (after.terminated, after.rewards)

    def played(key: jax.Array) -> tuple[State, tuple[jax.Array, jax.Array]]:
        return jax.lax.scan(turn, env.init(key), None, 9)

    state, (ended, rewards) = jax.jit(played)(jax.random.key(1))
    assert int(ended.sum()) == 2  # all bid the lowest number: four rounds a game
    assert int(state._step_count) == 1
    assert not rewards.any()


def test_wrappers_made_for_pgx_find_what_they_use() -> None:
    env = make("number-knot", numbers=2, life=2)
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
    env = make("number-stack-showdown")
    init = jax.jit(env.init)
    one, again, other = (init(jax.random.key(n)) for n in (1, 1, 2))
    assert (one.observation == again.observation).all()
    drawn = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), 400)).observation[
        :, 14:
    ]
    assert np.asarray(drawn.sum(axis=0) > 15).all()  # of 40 expected; all ten cards come
    assert not (one.stream[0] == other.stream[0]).all()


def test_a_batch_plays_given_actions_and_any_legal_ones() -> None:
    games = Batch(nd.load("number-bid", numbers=6))
    carry, shown = jax.jit(games.init, static_argnums=1)(jax.random.key(1), 50)
    rows = np.asarray(shown.masks).reshape(2, 6, 50).argmax(axis=1)
    step = jax.jit(games.step)
    carry, shown = step(carry, rows)
    assert (np.asarray(shown.observations)[:6].sum(axis=0) == 5).all()  # both bid 1: one is gone
    for _ in range(5):
        carry, shown = step(carry)
        assert not np.asarray(shown.faults).any()


@pytest.mark.parametrize("name", ["number-knot", "number-stack-showdown"])
def test_playouts_end_as_those_of_compiled_code_do(name: str) -> None:
    game = nd.load(name)
    found = playouts(game, 2000, jax.random.key(4), passes=8)
    expected = batch.playouts(game, 100_000, 4)
    table = np.array([found[:3], expected[:3]])
    assert chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > 1e-4
    length = [tally.turns / sum(tally[:3]) for tally in (found, expected)]
    assert abs(length[0] - length[1]) < 0.02 * length[1]


def test_a_game_without_packed_rules_is_refused_in_a_sentence() -> None:
    class Other(type(nd.load("number-knot"))):  # type: ignore[misc]  # a class made at run time
        """A game that changes another's rules."""

    with pytest.raises(ValueError, match="cannot be played in JAX"):
        Batch(Other())
