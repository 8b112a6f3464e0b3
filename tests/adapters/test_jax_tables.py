"""Perfect opponents and exact values in JAX are those of the solution, at every state."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.machine.rules import State
from number_duels.players.registry import policy_of
from tests.core.playing import Settings
from tests.lazy import Lazy

if TYPE_CHECKING:
    import jax
    import jax.numpy as jnp

    from number_duels.adapters import jax as jax_games
else:
    jax, jnp, jax_games = Lazy("jax"), Lazy("jax.numpy"), Lazy("number_duels.adapters.jax")

SMALL: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 4, "rounds": 3}),
    ("number-knot", {"life": 4, "numbers": 4, "first": 2}),
    ("number-stack-showdown", {"target": 8, "highest": 3, "first": 2, "overflow": "allowed"}),
]
every_small_game = pytest.mark.parametrize(
    ("name", "settings"),
    # In the short run one in which both choose at once, and the one with a deck.
    [
        pytest.param(*game, marks=[] if game in (SMALL[1], SMALL[3]) else pytest.mark.slow)
        for game in SMALL
    ],
)


def decisions(game: nd.AnyGame) -> tuple[list[Hashable], list[list[nd.Seat]]]:
    """Every state at which somebody decides, and who does."""
    states, seats = [], []
    for _, state in nd.states(game):
        turn = game.turn(state)
        if isinstance(turn, nd.Decision):
            states.append(state)
            seats.append(sorted(turn.options))
    return states, seats


def packed_states(tables: jax_games.Tables, states: list[Hashable]) -> State:
    rows = np.array([tables.rules.packed.pack(state) for state in states], np.int32)
    return type(tables.rules.rules.begin(tables.rules.settings))(*jnp.asarray(rows).T)


@every_small_game
def test_values_and_losses_are_those_of_the_solution(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    solution, tables, encoding = nd.solve(game), jax_games.Tables(game), Encoding(game)
    states, deciding = decisions(game)
    here = packed_states(tables, states)
    expected = [solution.value(state) for state in states]
    assert np.abs(np.asarray(jax.jit(tables.value)(here)) - expected).max() < 1e-6
    for place in range(encoding.choosers):
        seats = [seats[place] for seats in deciding]
        values = [solution.values(state, seat) for state, seat in zip(states, seats, strict=True)]
        for pick in (min, max):
            chosen = [pick(options, key=options.__getitem__) for options in values]
            actions = jnp.array([encoding.action(move) for move in chosen])
            lost = [max(v.values()) - v[move] for v, move in zip(values, chosen, strict=True)]
            found = jax.jit(tables.loss)(here, jnp.array(seats), actions)
            assert np.abs(np.asarray(found) - lost).max() < 1e-6


@pytest.mark.parametrize("policy", ["perfect", pytest.param("level:1", marks=pytest.mark.slow)])
@every_small_game
def test_a_table_chooses_as_its_policy_mixes(name: str, settings: Settings, policy: str) -> None:
    game = nd.load(name, **settings)
    tables, encoding = jax_games.Tables(game, policy), Encoding(game)
    strategy = policy_of(policy, game)
    states, deciding = decisions(game)
    states, deciding = states[:40], deciding[:40]
    here = packed_states(tables, states)
    choose = jax.jit(jax.vmap(tables.choose, in_axes=(None, None, 0)))
    draws = 4000
    numbers = jax.random.bits(jax.random.key(1), (draws, len(states)), jnp.uint32)
    for place in range(encoding.choosers):
        seats = [seats[place] for seats in deciding]
        chosen = np.asarray(choose(here, jnp.array(seats), numbers))
        for column, (state, seat) in enumerate(zip(states, seats, strict=True)):
            odds = strategy(game.view(state, seat), seat)
            counted = np.bincount(chosen[:, column], minlength=encoding.action_count) / draws
            for move, probability in odds.items():
                # Five standard deviations, and nothing at all where nothing is played.
                spread = 5 * np.sqrt(probability * (1 - probability) / draws)
                assert abs(counted[encoding.action(move)] - probability) <= spread


def test_perfect_play_against_itself_brings_the_value() -> None:
    game = nd.load("number-knot")
    env, perfect = jax_games.Env(game), jax_games.Tables(game)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(1), 3))
    step = jax.jit(lambda state: env.step(state, perfect.actions(state)))
    total = np.zeros(3)
    for _ in range(game.numbers):
        state = step(state)
        total += np.asarray(state.rewards)[:, 0]
    assert (total == nd.solve(game).value(game.start())).all()


def test_what_is_no_table_is_refused() -> None:
    game = nd.load("number-knot", numbers=3)
    env = jax_games.Env(game)
    with pytest.raises(ValueError, match="is no table"):
        jax_games.Tables(game, "random").actions(env.init(jax.random.key(1)))
