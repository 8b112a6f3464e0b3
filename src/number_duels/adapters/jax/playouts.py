"""Whole games by random moves on a device: several turns in one pass over packed states."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.jax.packed_game import JaxRules, Words, where
from number_duels.adapters.jax.random_numbers import GAMMA, mix
from number_duels.adapters.jax.turns import dealt, random_actions
from number_duels.adapters.packed.rules import ONGOING, State
from number_duels.core.game import SomeGame

#: How many turns are played before words go back to memory, and how often that is repeated.
TURNS_A_PASS, PASSES = 8, 32
#: Ends are counted in this many bits of one word: a pass has fewer of each.
COUNT_BITS = 10

Run: TypeAlias = Callable[[jax.Array, jax.Array], jax.Array]


class Tally(NamedTuple):
    """How random games ended for Player 1, and how many turns were played."""

    won: int
    drawn: int
    lost: int
    turns: int


def playouts(game: SomeGame, games: int, key: jax.Array, passes: int = PASSES) -> Tally:
    """Play as many games side by side, each followed by the next, and count how they end.

    Every game has `TURNS_A_PASS * passes` turns; those that are unfinished then do not count.

    >>> from number_duels import load
    >>> tally = playouts(load("number-bid", numbers=2), 1000, jax.random.key(7))
    >>> tally.turns, tally.won + tally.drawn + tally.lost
    (256000, 256000)
    """
    one, two = jax.random.bits(key, (2,), jnp.uint32)
    counts = runner(game, games, passes)(one, two)
    won, drawn, lost = np.asarray(counts).astype(np.int64).sum(axis=0).tolist()
    return Tally(won, drawn, lost, games * passes * TURNS_A_PASS)


@cache
def runner(game: SomeGame, games: int, passes: int) -> Run:
    """What plays so many games; compiled once."""
    rules = JaxRules.of(game)

    @jax.jit
    def run(one: jax.Array, two: jax.Array) -> jax.Array:
        fresh = rules.rules.begin(rules.settings)
        lanes = mix(jnp.arange(games, dtype=jnp.uint32) + one)

        def play_pass(words: Words, number: jax.Array) -> tuple[Words, jax.Array]:
            state, ends = rules.split(words), jnp.zeros(games, jnp.uint32)
            for turn in range(TURNS_A_PASS):
                moment = (number * TURNS_A_PASS + turn) * GAMMA + two
                state, end = random_turn(rules, state, mix(lanes + moment))
                ends = ends + jnp.where(end == ONGOING, 0, jnp.uint32(1) << COUNT_BITS * (1 - end))
                state = where(end != ONGOING, fresh, state)
            # Without this the sums below would play all turns again.
            words, ends = jax.lax.optimization_barrier(  # type: ignore[no-untyped-call]  # has no types
                (rules.join(state), ends)
            )
            parts = [ends >> COUNT_BITS * place & ((1 << COUNT_BITS) - 1) for place in range(3)]
            return words, jnp.stack([part.sum() for part in parts])

        start = rules.join(rules.begin(lanes))
        return jax.lax.scan(play_pass, start, jnp.arange(passes, dtype=jnp.uint32))[1]

    return run


def random_turn(rules: JaxRules, state: State, number: jax.Array) -> tuple[State, jax.Array]:
    """One turn by random moves, and the result after it."""
    state = dealt(rules, state, mix(number + GAMMA))
    actions = random_actions(rules, state, number)
    state = rules.rules.play(rules.settings, state, *actions)
    return state, rules.rules.result(rules.settings, state)
