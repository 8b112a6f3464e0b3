"""Positions in JAX have the numbers of `Tables`, so its arrays can be looked up on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.tables import Tables
from tests.lazy import Lazy
from tests.solvers.helpers import LAYERED, Settings, every_state
from tests.some_games import sample

if TYPE_CHECKING:
    import jax
    import jax.numpy as jnp

    from number_duels.adapters import jax as jax_games
else:
    jax, jnp, jax_games = Lazy("jax"), Lazy("jax.numpy"), Lazy("number_duels.adapters.jax")


@pytest.mark.parametrize("case", sample([(case,) for case in LAYERED], 1))
def test_every_position_has_the_number_of_its_tables(case: tuple[str, Settings]) -> None:
    name, settings = case
    game: nd.AnyGame = nd.load(name, **settings)
    rules, tables, states = jax_games.Env(game).rules, Tables(game), list(every_state(game))
    rows = np.array([rules.packed.pack(state) for state in states], np.int32)
    here = type(rules.rules.begin(rules.settings))(*jnp.asarray(rows).T)
    assert jax.jit(rules.place)(here).tolist() == [tables.place(state) for state in states]


def test_perfect_play_against_itself_brings_the_value() -> None:
    game = nd.load("number-knot", numbers=5, life=6)
    env, perfect = jax_games.Env(game), Tables(game)
    best = jnp.asarray(perfect.odds).argmax(axis=-1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), 3))
    step = jax.jit(lambda state: env.step(state, best[env.place(state)]))
    total = np.zeros(3)
    for _ in range(game.numbers):
        state = step(state)
        total += np.asarray(state.rewards)[:, 0]
    assert (total == nd.solve(game).value(game.start())).all()


def test_a_game_with_too_many_positions_has_no_numbers() -> None:
    env = jax_games.make("number-stack-showdown", target=9, highest=3)
    with pytest.raises(ValueError, match="cannot be stored as arrays"):
        jax.eval_shape(lambda key: env.place(env.init(key)), jax.random.key(1))
