"""Many games on a device, as fast as its memory is written: a lane for each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.jax.rules import JaxRules, Words, dealt, seen, turn, turn_number
from number_duels.core.game import SomeGame

#: A turn later.
NEXT = np.array([0, 0, 1], np.uint32)


class Carry(NamedTuple):
    """What goes from step to step: the games in words, and where their random numbers come from.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-bid", numbers=4))
    >>> carry, _ = jax.eval_shape(lambda key: batch.init(key, games=3), jax.random.key(7))
    >>> carry.source.shape
    (3,)
    """

    #: The games.
    words: Words
    #: The two words of a key, and how many turns were played.
    source: jax.Array


class JaxShown(NamedTuple):
    """What a step leaves, with the games along the last axis.

    Where both choose at once, the rows of the second seat follow those of the first.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-bid", numbers=4))
    >>> _, shown = jax.eval_shape(lambda key: batch.init(key, games=3), jax.random.key(7))
    >>> shown.observations.shape, shown.masks.shape  # numbers and actions of two seats
    ((10, 3), (8, 3))
    """

    #: What the seats see: numbers by games.
    observations: jax.Array
    #: What they may do: actions by games.
    masks: jax.Array
    #: Player 1's result of the games that have ended in this step; otherwise 0.
    results: jax.Array
    #: Which games have ended in this step.
    done: jax.Array
    #: Which seats have acted illegally, and lost: 1, 2, or 3 for both.
    faults: jax.Array


class JaxBatch:
    """Games of one kind, of which a step plays a turn each, and replaces those that have ended.

    >>> import number_duels as nd
    >>> batch = JaxBatch(nd.load("number-knot"))
    >>> carry, shown = batch.init(jax.random.key(7), games=1000)
    >>> carry, shown = jax.jit(batch.step)(carry, shown.masks.argmax(axis=0))
    >>> shown.observations.shape, shown.masks.shape, int(shown.done.sum())
    ((12, 1000), (18, 1000), 0)
    """

    def __init__(self, game: SomeGame, kernel: bool | None = None) -> None:
        self.game = game
        self.rules = JaxRules.of(game)
        #: Whether a step is one kernel of a GPU, written with Pallas; otherwise XLA makes several.
        self.kernel = jax.default_backend() == "gpu" if kernel is None else kernel

    def init(self, key: jax.Array, games: int) -> tuple[Carry, JaxShown]:
        """New games, which the key determines, and what is seen of them."""
        source = jnp.append(jax.random.bits(key, (2,), jnp.uint32), jnp.uint32(0))
        lanes = jnp.arange(games, dtype=jnp.uint32)
        state = dealt(self.rules, self.rules.begin(lanes), turn_number(lanes, source))
        zeros = jnp.zeros(games, jnp.int8)
        observed, opened = (jnp.stack(planes) for planes in seen(self.rules, state))
        shown = JaxShown(observed, opened, zeros, jnp.zeros(games, jnp.bool_), zeros)
        return Carry(self.rules.join(state), source + NEXT), shown

    def step(self, carry: Carry, actions: jax.Array | None = None) -> tuple[Carry, JaxShown]:
        """Play a turn of every game; where both choose at once, actions have a row for each seat.

        Without actions, everybody takes any that is legal.
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
