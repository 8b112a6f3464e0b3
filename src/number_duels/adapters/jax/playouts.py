"""Play whole games with random moves on a device, and count their results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.batch import Tally
from number_duels.adapters.jax.rules import (
    GAMMA,
    JaxRules,
    Words,
    dealt,
    mix,
    random_actions,
    where,
)
from number_duels.core.game import SomeGame
from number_duels.machine.rules import ONGOING, State

TURNS_A_PASS, PASSES = 8, 32
#: How many bits count one result in a word. A pass has too few games to overflow them.
COUNT_BITS = 10

Run: TypeAlias = Callable[[jax.Array, jax.Array], tuple[jax.Array, jax.Array]]


class Unfinished(NamedTuple):
    words: Words
    going: jax.Array
    ends: jax.Array
    turns: jax.Array
    moment: jax.Array


def playouts(game: SomeGame, games: int, key: jax.Array, passes: int = PASSES) -> Tally:
    """Play games with random moves, and count how they end.

    The device plays `games` games side by side. For `8 * passes` turns, a new game replaces each
    finished one. Then all games are played to the end, so that long games count as often as short
    ones.

    >>> from number_duels import load
    >>> tally = playouts(load("number-bid", numbers=4), 1000, jax.random.key(7), passes=1)
    >>> tally.won + tally.drawn + tally.lost > 1000, tally.turns > 8000
    (True, True)
    """
    one, two = jax.random.bits(key, (2,), jnp.uint32)
    counts, turns = runner(game, games, passes)(one, two)
    won, drawn, lost = np.asarray(counts).astype(np.int64).sum(axis=0).tolist()
    return Tally(won, drawn, lost, games * passes * TURNS_A_PASS + int(turns))


@cache
def runner(game: SomeGame, games: int, passes: int) -> Run:
    rules = JaxRules.of(game)

    @jax.jit
    def run(one: jax.Array, two: jax.Array) -> tuple[jax.Array, jax.Array]:
        fresh = rules.rules.begin(rules.settings)
        lanes = mix(jnp.arange(games, dtype=jnp.uint32) + one)

        def play_pass(words: Words, number: jax.Array) -> tuple[Words, jax.Array]:
            state, ends = rules.split(words), jnp.zeros(games, jnp.uint32)
            for turn in range(TURNS_A_PASS):
                moment = (number * TURNS_A_PASS + turn) * GAMMA + two
                state, end = random_turn(rules, state, mix(lanes + moment))
                ends = ends + counted(end)
                state = where(end != ONGOING, fresh, state)
            # Without this barrier, XLA would replay all turns to compute the sums below.
            words, ends = jax.lax.optimization_barrier(  # type: ignore[no-untyped-call]  # no types
                (rules.join(state), ends)
            )
            return words, summed(ends)

        def play_on(held: Unfinished) -> Unfinished:
            state, end = random_turn(rules, rules.split(held.words), mix(lanes + held.moment))
            return Unfinished(
                rules.join(where(held.going, state, rules.split(held.words))),
                held.going & (end == ONGOING),
                held.ends + jnp.where(held.going, counted(end), 0),
                held.turns + held.going.sum(),
                held.moment + GAMMA,
            )

        start = rules.join(rules.begin(lanes))
        words, counts = jax.lax.scan(play_pass, start, jnp.arange(passes, dtype=jnp.uint32))
        rest = Unfinished(
            words,
            jnp.ones(games, jnp.bool_),
            jnp.zeros(games, jnp.uint32),
            jnp.int32(0),
            jnp.uint32(passes * TURNS_A_PASS) * GAMMA + two,
        )
        rest = jax.lax.while_loop(lambda held: held.going.any(), play_on, rest)
        return jnp.concatenate((counts, summed(rest.ends)[None])), rest.turns

    return run


def counted(end: jax.Array) -> jax.Array:
    """Return a word that adds 1 to the counter of this result, or 0 if the game goes on."""
    place = COUNT_BITS * (1 - end).astype(jnp.uint32)
    return jnp.where(end == ONGOING, jnp.uint32(0), jnp.uint32(1) << place)


def summed(ends: jax.Array) -> jax.Array:
    parts = [ends >> COUNT_BITS * place & ((1 << COUNT_BITS) - 1) for place in range(3)]
    return jnp.stack([part.sum() for part in parts])


def random_turn(rules: JaxRules, state: State, number: jax.Array) -> tuple[State, jax.Array]:
    state = dealt(rules, state, mix(number + GAMMA))
    actions = random_actions(rules, state, number)
    state = rules.rules.play(rules.settings, state, *actions)
    return state, rules.rules.result(rules.settings, state)
