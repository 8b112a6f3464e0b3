"""Turns in lanes: pure functions of arrays that have a number for each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from number_duels.adapters.jax.packed_game import JaxRules, Words, where
from number_duels.adapters.jax.random_numbers import GAMMA, mix, pick
from number_duels.adapters.packed.operations import select
from number_duels.adapters.packed.rules import ONGOING, State


class Planes(NamedTuple):
    """What a turn leaves to be written: an array for each number and each action, and the end."""

    observations: Sequence[jax.Array]
    masks: Sequence[jax.Array]
    #: Player 1's result of the games that have ended in this turn; otherwise 0.
    results: jax.Array
    done: jax.Array
    #: Which seats have acted illegally, and lost: 1, 2, or 3 for both.
    faults: jax.Array


def dealt(rules: JaxRules, state: State, number: jax.Array) -> State:
    """The state with a card drawn, where the game has cards."""
    if not rules.rules.cards:
        return state
    ticket = pick(number, jnp.asarray(rules.rules.deck(rules.settings, state)))
    return rules.rules.deal(rules.settings, state, ticket)


def played(
    rules: JaxRules, state: State, one: jax.Array, two: jax.Array
) -> tuple[State, jax.Array, jax.Array]:
    """The state after actions, its result, and who was at fault: a bit for each seat.

    Where one seat decides, the second action means nothing.
    """
    packed, settings, last = rules.rules, rules.settings, rules.packed.actions - 1
    if packed.both:
        faults = select(rules.legal(state, 0, one), 0, 1)
        faults = faults + select(rules.legal(state, 1, two), 0, 2)
    else:
        mover = packed.mover(state)
        faults = select(rules.legal(state, mover, one), 0, 1) << mover
    after = packed.play(settings, state, jnp.clip(one, 0, last), jnp.clip(two, 0, last))
    return after, select(faults == 0, packed.result(settings, after), ONGOING), faults


def random_actions(rules: JaxRules, state: State, number: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Any legal action of each seat that decides; the same twice where one does."""
    packed, settings, options = rules.rules, rules.settings, rules.rules.options
    seat = 0 if packed.both else packed.mover(state)
    choice = pick(number, options.choices(settings, state, seat))
    one: jax.Array = options.choose(settings, state, seat, choice)
    if not packed.both:
        return one, one
    choice = pick(mix(number + GAMMA), options.choices(settings, state, 1))
    return one, options.choose(settings, state, 1, choice)


def turn(
    rules: JaxRules, words: Words, number: jax.Array, given: Sequence[jax.Array]
) -> tuple[Words, Planes]:
    """One turn in every lane, by given actions or any that are legal; new games follow old ones."""
    packed, settings, state = rules.rules, rules.settings, rules.split(words)
    if given:
        state, end, faults = played(rules, state, given[0], given[-1])
    else:
        state = packed.play(settings, state, *random_actions(rules, state, number))
        end, faults = packed.result(settings, state), jnp.zeros(number.shape, jnp.int32)
    over = (end != ONGOING) | (faults != 0)
    blamed = select(faults == 1, -1, select(faults == 2, 1, 0))
    results = select(faults != 0, blamed, select(end == ONGOING, 0, end))
    state = where(over, type(state)(*packed.begin(settings)), state)
    state = dealt(rules, state, mix(number + GAMMA))
    planes = Planes(*seen(rules, state), results.astype(jnp.int8), over, faults.astype(jnp.int8))
    return rules.join(state), planes


def seen(rules: JaxRules, state: State) -> tuple[list[jax.Array], list[jax.Array]]:
    """What the deciding seats see and may do: the second seat's planes follow the first's."""
    seats = (0, 1) if rules.rules.both else (rules.rules.mover(state),)
    shape = state[0].shape
    observed = [plane for seat in seats for plane in rules.observation_planes(state, seat)]
    opened = [plane for seat in seats for plane in rules.mask_planes(state, seat)]
    return (
        [jnp.broadcast_to(plane, shape).astype(rules.dtype) for plane in observed],
        [jnp.broadcast_to(plane, shape) for plane in opened],
    )
