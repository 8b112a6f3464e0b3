"""Play many games at once on a device, with one lane per game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.jax.rules import JaxRules, Words, dealt, seen, turn, turn_number
from number_duels.core.game import SomeGame
from number_duels.games import as_game

NEXT = np.array([0, 0, 1], np.uint32)


class Carry(NamedTuple):
    """The games, and the source of random numbers, which each step passes to the next.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-bid", numbers=4))
    >>> carry, _ = jax.eval_shape(lambda key: batch.init(key, games=3), jax.random.key(7))
    >>> carry.source.shape
    (3,)
    """

    #: The games, as words.
    words: Words
    #: The two words of a key, and the number of turns played.
    source: jax.Array


class JaxShown(NamedTuple):
    """The arrays that a step returns, with the games along the last axis.

    If both seats choose at once, the rows of the second seat follow those of the first.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-bid", numbers=4))
    >>> _, shown = jax.eval_shape(lambda key: batch.init(key, games=3), jax.random.key(7))
    >>> shown.observations.shape, shown.masks.shape  # numbers and actions of two seats
    ((10, 3), (8, 3))
    """

    #: The observations of the deciding seats: numbers by games.
    observations: jax.Array
    #: The legal actions of the deciding seats: actions by games.
    masks: jax.Array
    #: Player 1's result in the games that ended in this step, 0 in the others.
    results: jax.Array
    #: True for the games that ended in this step.
    done: jax.Array
    #: The seats that lost by an illegal action: 1, 2, or 3 for both.
    faults: jax.Array


class JaxBatch:
    """Many games with the same rules. Each step plays one turn of every game.

    A new game replaces each finished one.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-knot"))
    >>> carry, shown = batch.init(jax.random.key(7), games=1000)
    >>> carry, shown = jax.jit(batch.step)(carry, shown.masks.argmax(axis=0))
    >>> shown.observations.shape, shown.masks.shape, int(shown.done.sum())
    ((12, 1000), (18, 1000), 0)
    """

    def __init__(self, game: SomeGame | str, kernel: bool | None = None) -> None:
        self.game = as_game(game)
        self.rules = JaxRules.of(self.game)
        #: Whether a step runs as one GPU kernel, written with Pallas.
        self.kernel = jax.default_backend() == "gpu" if kernel is None else kernel

    def init(self, key: jax.Array, games: int) -> tuple[Carry, JaxShown]:
        """Start new games from a random key. Return them and the first observations."""
        source = jnp.append(jax.random.bits(key, (2,), jnp.uint32), jnp.uint32(0))
        lanes = jnp.arange(games, dtype=jnp.uint32)
        state = dealt(self.rules, self.rules.begin(lanes), turn_number(lanes, source))
        zeros = jnp.zeros(games, jnp.int8)
        observed, opened = (jnp.stack(planes) for planes in seen(self.rules, state))
        shown = JaxShown(observed, opened, zeros, jnp.zeros(games, jnp.bool_), zeros)
        return Carry(self.rules.join(state), source + NEXT), shown

    def step(self, carry: Carry, actions: jax.Array | None = None) -> tuple[Carry, JaxShown]:
        """Play one turn of every game. Without `actions`, every seat plays a random legal action.

        If both seats choose at once, `actions` has a row per seat.
        """
        given: Sequence[jax.Array] = ()
        if actions is not None:
            given = tuple(actions) if self.rules.rules.both else (actions,)
        words, shown = self._played(carry, given)
        return Carry(words, carry.source + NEXT), shown

    def _played(self, carry: Carry, given: Sequence[jax.Array]) -> tuple[Words, JaxShown]:
        games = carry.words[0].shape[0]
        if self.kernel:
            from number_duels.adapters.jax.gpu_kernel import BLOCK, step_in_one_kernel

            if games % BLOCK == 0:
                words, arrays = step_in_one_kernel(self.rules, carry.words, carry.source, given)
                return words, JaxShown(*arrays)
        number = turn_number(jnp.arange(games, dtype=jnp.uint32), carry.source)
        words, planes = turn(self.rules, carry.words, number, given)
        rows = jnp.stack(planes.observations), jnp.stack(planes.masks)
        return words, JaxShown(*rows, planes.results, planes.done, planes.faults)
