"""A learner that plays two-player zero-sum games against itself, in JAX alone.

The recipe is documented in docs/self_play.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.encoding import Encoding
from number_duels.adapters.tables import Tables

#: Weights and biases, layer by layer.
Params: TypeAlias = list[tuple[jax.Array, jax.Array]]
#: The logits of all actions, and the result that is expected, for every row of observations.
Network: TypeAlias = Callable[[Params, jax.Array], tuple[jax.Array, jax.Array]]

#: The logit of what is illegal.
NEVER = -1e9


@dataclass(frozen=True)
class Recipe:
    """How it learns; temperatures are in points of the game's result."""

    games: int = 1024
    turns: int = 12
    hidden: tuple[int, ...] = (128, 128)
    passes: int = 1
    parts: int = 4
    rate: float = 2e-3
    clip: float = 0.2
    trace: float = 0.9
    #: How strongly the slow copy pulls: the price of a nat between it and the policy.
    pull: float = 0.5
    #: What a nat of entropy is worth.
    hot: float = 0.05
    #: Which part of the way the slow copy goes after each rollout.
    drift: float = 0.1
    #: After how many rollouts rate, entropy's worth and drift are half of what they were at first.
    half: int = 400


class Turns(NamedTuple):
    """Turns by games by deciding seats; results are Player 1's."""

    observations: jax.Array
    masks: jax.Array
    #: 1 where a row is Player 1's, -1 where it is Player 2's.
    signs: jax.Array
    actions: jax.Array
    logs: jax.Array
    #: Whether a turn was played by the policy to the end of its game.
    counted: jax.Array
    results: jax.Array
    done: jax.Array


class Rollout(NamedTuple):
    """Some turns, and what is seen after the last one."""

    turns: Turns
    observations: jax.Array
    signs: jax.Array


class Learner(NamedTuple):
    """Weights, their moving averages for Adam, and how many updates were made."""

    params: Params
    #: The magnet, and the policy that is handed in.
    slow: Params
    first: Params
    second: Params
    updates: jax.Array


# ---- the network -------------------------------------------------------------------


def make_network(encoding: Encoding) -> tuple[int, Network]:
    """How many numbers go in, and a network that takes observations as they are."""
    low, high = jnp.asarray(encoding.low), jnp.asarray(encoding.high)
    wide = np.flatnonzero(encoding.high - encoding.low > 1)
    places = [jnp.arange(encoding.low[n], encoding.high[n] + 1) for n in wide]

    def network(params: Params, observed: jax.Array) -> tuple[jax.Array, jax.Array]:
        scaled = 2 * (observed - low) / (high - low) - 1
        marks = [observed[..., n, None] == at for n, at in zip(wide, places, strict=True)]
        x = jnp.concatenate([scaled, *marks], axis=-1).astype(jnp.float32)
        for weights, biases in params[:-1]:
            x = jax.nn.relu(x @ weights + biases)
        x = x @ params[-1][0] + params[-1][1]
        return x[..., :-1], jnp.tanh(x[..., -1])

    return len(encoding.low) + sum(map(len, places)), network


def make_table(tables: Tables) -> tuple[int, Network]:
    """How many rows there are, and what looks observations up in a table with a row for each."""
    spans = (tables.encoding.high - tables.encoding.low + 1).astype(np.int64)
    steps, low = jnp.asarray(spans.cumprod() // spans), jnp.asarray(tables.encoding.low)
    flat = tables.observations.reshape(-1, len(spans)).astype(np.int64) - tables.encoding.low
    codes = np.unique(flat @ (spans.cumprod() // spans))
    places = np.zeros(spans.prod(), np.int32)
    places[codes] = np.arange(len(codes))
    where = jnp.asarray(places)

    def lookup(params: Params, observed: jax.Array) -> tuple[jax.Array, jax.Array]:
        found = params[0][0][where[((observed - low) * steps).sum(axis=-1)]]
        return found[..., :-1], jnp.tanh(found[..., -1])

    return len(codes), lookup


def new_learner(key: jax.Array, sizes: tuple[int, ...]) -> Learner:
    """Random weights; the last layer is small, so that play begins almost at random."""
    params = []
    for place, (inside, outside) in enumerate(pairwise(sizes)):
        scale = 0.01 if place == len(sizes) - 2 else (2 / inside) ** 0.5
        weights = jax.random.normal(jax.random.fold_in(key, place), (inside, outside)) * scale
        params.append((weights, jnp.zeros(outside)))
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Learner(params, params, zeros, zeros, jnp.int32(0))


def adam(learner: Learner, slopes: Params, rate: jax.Array) -> Learner:
    """One step of Adam."""
    updates = learner.updates + 1
    first = jax.tree.map(lambda mean, slope: 0.9 * mean + 0.1 * slope, learner.first, slopes)
    second = jax.tree.map(
        lambda mean, slope: 0.999 * mean + 0.001 * slope**2, learner.second, slopes
    )
    rate = rate * jnp.sqrt(1 - 0.999**updates) / (1 - 0.9**updates)
    params = jax.tree.map(
        lambda weight, mean, square: weight - rate * mean / (jnp.sqrt(square) + 1e-8),
        learner.params,
        first,
        second,
    )
    return Learner(params, learner.slow, first, second, updates)


# ---- choosing ------------------------------------------------------------------------


class Openings(NamedTuple):
    """How many turns of a game's opening are left, and the sign of the seat that wanders in it."""

    left: jax.Array
    wanderer: jax.Array


def new_openings(key: jax.Array, games: int, longest: int) -> Openings:
    """An opening for each game; its length is anything up to the longest."""
    one, two = jax.random.split(key)
    left = jax.random.randint(one, (games,), 0, longest)
    return Openings(left, jax.random.rademacher(two, (games,), jnp.int32))


class Choice(NamedTuple):
    actions: jax.Array
    logs: jax.Array
    counted: jax.Array


def choose(
    logits: jax.Array, masks: jax.Array, signs: jax.Array, openings: Openings, key: jax.Array
) -> Choice:
    """Actions by the policy, but for whoever wanders: any that are legal."""
    wanders = (openings.left > 0)[:, None] & (signs == openings.wanderer[:, None])
    played = jnp.where(masks, jnp.where(wanders[..., None], 0.0, logits), NEVER)
    actions = jax.random.categorical(key, played)
    chosen = jnp.take_along_axis(jax.nn.log_softmax(played), actions[..., None], -1)[..., 0]
    return Choice(actions, chosen, openings.left <= 0)


# ---- learning ------------------------------------------------------------------------


def advantages(network: Network, params: Params, seen: Rollout, trace: float) -> jax.Array:
    """What Player 1 got after each turn more than was expected, traces cut at the ends of games."""

    def worth(observed: jax.Array, signs: jax.Array) -> jax.Array:
        return (network(params, observed)[1] * signs).mean(axis=-1)

    turns, last = seen.turns, worth(seen.observations, seen.signs)
    values = worth(turns.observations, turns.signs)

    def back(
        carry: tuple[jax.Array, jax.Array], at: tuple[jax.Array, ...]
    ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        later, after = carry
        value, result, done = at
        later = result + jnp.where(done, 0, after + trace * later) - value
        return (later, value), later

    start = jnp.zeros_like(last), last
    along = values, turns.results.astype(jnp.float32), turns.done
    gains: jax.Array = jax.lax.scan(back, start, along, reverse=True)[1]
    return gains


class Sample(NamedTuple):
    """Rows to learn from."""

    observations: jax.Array
    masks: jax.Array
    #: What the slow copy would do, as logarithms.
    magnets: jax.Array
    actions: jax.Array
    logs: jax.Array
    gains: jax.Array
    goals: jax.Array
    weights: jax.Array


def samples(network: Network, learner: Learner, seen: Rollout, trace: float) -> Sample:
    """All turns of all seats, each from its own side."""
    turns = seen.turns
    gains = advantages(network, learner.params, seen, trace)[..., None] * turns.signs
    sample = Sample(
        turns.observations,
        turns.masks,
        log_policy(network(learner.slow, turns.observations)[0], turns.masks),
        turns.actions,
        turns.logs,
        gains,
        goals=network(learner.params, turns.observations)[1] + gains,
        weights=jnp.broadcast_to(turns.counted[..., None], gains.shape).astype(jnp.float32),
    )
    return Sample(*(array.reshape(gains.size, *array.shape[3:]) for array in sample))


def log_policy(logits: jax.Array, masks: jax.Array) -> jax.Array:
    return jax.nn.log_softmax(jnp.where(masks, logits, NEVER))


def loss(
    params: Params, network: Network, rows: Sample, recipe: Recipe, warmth: jax.Array
) -> jax.Array:
    """PPO's loss over what is legal, with a pull to the slow copy and a bonus for entropy."""
    logits, values = network(params, rows.observations)
    logs = log_policy(logits, rows.masks)
    chosen = jnp.take_along_axis(logs, rows.actions[:, None], -1)[:, 0]
    ratio = jnp.exp(chosen - rows.logs)
    near = jnp.clip(ratio, 1 - recipe.clip, 1 + recipe.clip)
    gain = jnp.minimum(ratio * rows.gains, near * rows.gains)
    distance = (recipe.pull + warmth) * logs - recipe.pull * rows.magnets
    distance = (jnp.exp(logs) * jnp.where(rows.masks, distance, 0)).sum(axis=-1)
    error = 0.5 * (values - rows.goals) ** 2
    each = (error - gain + distance) * rows.weights
    return each.sum() / jnp.maximum(rows.weights.sum(), 1)


def learn(
    learner: Learner, network: Network, seen: Rollout, recipe: Recipe, key: jax.Array
) -> Learner:
    """Go over a rollout some times, in parts; then the slow copy follows."""
    every = samples(network, learner, seen, recipe.trace)
    progress = learner.updates / (recipe.passes * recipe.parts) / recipe.half
    slower = 1 / (1 + progress)
    warmth, rate, drift = recipe.hot * slower, recipe.rate * slower, recipe.drift * slower

    def step(learner: Learner, chosen: jax.Array) -> tuple[Learner, None]:
        rows = Sample(*(array[chosen] for array in every))
        slopes = jax.grad(loss)(learner.params, network, rows, recipe, warmth)
        return adam(learner, slopes, rate), None

    def order(key: jax.Array) -> jax.Array:
        """Rows in a random order, those that count first; about half of them do."""
        return jnp.argsort(jax.random.uniform(key, every.weights.shape) - every.weights)[:rows]

    rows = every.weights.size // 2 // recipe.parts * recipe.parts
    orders = jax.vmap(order)(jax.random.split(key, recipe.passes))
    learner = jax.lax.scan(step, learner, orders.reshape(recipe.passes * recipe.parts, -1))[0]
    slow = jax.tree.map(lambda a, b: a + drift * (b - a), learner.slow, learner.params)
    return learner._replace(slow=slow)
