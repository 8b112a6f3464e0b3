"""Where the turns come from that a learner learns from: games in NumPy, or in JAX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from self_play import (
    Choice,
    Network,
    Openings,
    Params,
    Recipe,
    Rollout,
    Turns,
    choose,
    new_openings,
)

from number_duels.adapters.jax import Carry, JaxBatch
from number_duels.core.game import SomeGame


class View(NamedTuple):
    """What is seen of all games, games by seats, and which have just ended."""

    observations: jax.Array
    masks: jax.Array
    signs: jax.Array
    results: jax.Array
    done: jax.Array


#: The games, what is seen of them, and their openings.
Going: TypeAlias = tuple[Carry, View, Openings]


class Engine(Protocol):
    def rollout(self, params: Params, key: jax.Array) -> Rollout:
        """Some turns of all games; the next rollout goes on from there."""


@dataclass(frozen=True)
class Actor:
    """A network that plays, and how long an opening may be."""

    network: Network
    longest: int

    def decide(
        self, params: Params, view: View, openings: Openings, key: jax.Array
    ) -> tuple[Choice, Openings]:
        """What is played now; games that have just begun get an opening."""
        fresh, pick = jax.random.split(key)
        new = new_openings(fresh, len(view.done), self.longest)
        openings = jax.tree.map(lambda a, b: jnp.where(view.done, a, b), new, openings)
        logits = self.network(params, view.observations)[0]
        choice = choose(logits, view.masks, view.signs, openings, pick)
        return choice, openings._replace(left=openings.left - 1)


def rolled(view: View, choice: Choice, after: View) -> Turns:
    """What was seen, what was done, and what came of it."""
    return Turns(*view[:3], *choice, *after[3:])


class BatchEngine:
    """`number_duels.adapters.batch`: arrays of NumPy, turn by turn."""

    def __init__(self, game: SomeGame, recipe: Recipe, network: Network) -> None:
        from number_duels.adapters.batch import Batch

        self.batch, self.turns = Batch(game, recipe.games, seed=1), recipe.turns
        self.openings = new_openings(jax.random.key(1), recipe.games, game.most_turns)
        self.decide = jax.jit(Actor(network, game.most_turns).decide)

    def view(self) -> View:
        batch = self.batch
        seats = np.arange(batch.seats) + batch.movers[:, None]
        results = batch.rewards[:, 0].copy()
        arrays = batch.observations.copy(), batch.masks.copy(), 1 - 2 * seats
        return View(*map(jnp.asarray, (*arrays, results, batch.done.copy())))

    def rollout(self, params: Params, key: jax.Array) -> Rollout:
        view, turns = self.view(), []
        for one in jax.random.split(key, self.turns):
            choice, self.openings = self.decide(params, view, self.openings, one)
            self.batch.step(np.asarray(choice.actions))
            before, view = view, self.view()
            turns.append(rolled(before, choice, view))
        arrays = Turns(*map(jnp.stack, zip(*turns, strict=True)))
        return Rollout(arrays, view.observations, view.signs)


class JaxEngine:
    """`number_duels.adapters.jax`: a whole rollout is one compiled program."""

    def __init__(self, game: SomeGame, recipe: Recipe, network: Network) -> None:
        self.batch, self.turns = JaxBatch(game), recipe.turns
        self.actor = Actor(network, game.most_turns)
        begin = jax.jit(self.batch.init, static_argnums=1)
        carry, shown = begin(jax.random.key(1), recipe.games)
        view = self.view(carry, *shown[:4])
        self.going = carry, view, new_openings(jax.random.key(2), recipe.games, game.most_turns)
        self.run = jax.jit(self.played)

    def view(self, carry: Carry, *shown: jax.Array) -> View:
        rules, seats = self.batch.rules, 2 if self.batch.rules.rules.both else 1
        observed, masks = (
            jnp.moveaxis(planes.reshape(seats, -1, planes.shape[-1]), -1, 0) for planes in shown[:2]
        )
        first = jnp.zeros(len(observed), jnp.int32)
        if seats == 1:
            first = jnp.asarray(rules.rules.mover(rules.split(carry.words)))
        return View(observed, masks, 1 - 2 * (first[:, None] + jnp.arange(seats)), *shown[2:])

    def played(self, params: Params, going: Going, key: jax.Array) -> tuple[Going, Rollout]:
        def step(going: Going, key: jax.Array) -> tuple[Going, Turns]:
            carry, view, openings = going
            choice, openings = self.actor.decide(params, view, openings, key)
            actions = choice.actions.astype(jnp.int32).T
            carry, shown = self.batch.step(carry, actions if len(actions) > 1 else actions[0])
            after = self.view(carry, *shown[:4])
            return (carry, after, openings), rolled(view, choice, after)

        going, turns = jax.lax.scan(step, going, jax.random.split(key, self.turns))
        view = going[1]
        return going, Rollout(turns, view.observations, view.signs)

    def rollout(self, params: Params, key: jax.Array) -> Rollout:
        found: tuple[Going, Rollout] = self.run(params, self.going, key)
        self.going = found[0]
        return found[1]


ENGINES: dict[str, type[BatchEngine] | type[JaxEngine]] = {"batch": BatchEngine, "jax": JaxEngine}
