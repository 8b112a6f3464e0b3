"""Perfect opponents and exact values on a device: what is solved, looked up by whole batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.batch.policies import find_policy, known_policy
from number_duels.adapters.jax.rules import JaxRules, mix
from number_duels.adapters.tables import table_module
from number_duels.adapters.tables.lookup import KnownPolicy, Table
from number_duels.core.game import Seat, SomeGame
from number_duels.machine.operations import Number
from number_duels.machine.rules import State
from number_duels.solvers import solve

if TYPE_CHECKING:
    from number_duels.adapters.batch.policies import Policy
    from number_duels.adapters.jax import env

#: Choices do not depend on cards that are drawn by the same number.
CHOICE = np.uint32(0x632BE5AB)


class Tables:
    """A policy and the exact figures of a game, as tables on the device.

    >>> from number_duels.adapters.jax import make
    >>> env = make("number-knot", numbers=3, life=3)
    >>> perfect = Tables(env.game, "perfect")
    >>> state = env.init(jax.random.key(7))
    >>> int(perfect.actions(state)), float(perfect.values(state)), float(perfect.losses(state, 0))
    (5, 1.0, 1.0)
    """

    def __init__(self, game: SomeGame, policy: str | Policy | KnownPolicy = "perfect") -> None:
        self.game, self.rules = game, JaxRules.of(game)
        self._module = table_module(game)
        self._lookup = self._module.make_array_lookup(self.rules.rules)
        self._policy = policy

    # ---- of an environment's state ---------------------------------------------------

    def actions(self, state: env.State) -> jax.Array:
        """What the policy does for the seat that decides, or for both."""
        here, both = self.rules.split(state.words), self.rules.rules.both
        number = mix(state.stream[0] + state.stream[1])
        if not both:
            return self.choose(here, self.rules.rules.mover(here), number)
        second = mix(number + CHOICE)
        found = self.choose(here, 0, number), self.choose(here, 1, second)
        return jnp.stack(found, axis=-1)

    def values(self, state: env.State) -> jax.Array:
        """What positions that are not over are worth to Player 1."""
        return self.value(self.rules.split(state.words))

    def losses(self, state: env.State, actions: jax.Array) -> jax.Array:
        """What legal actions lose against the best, as `Solution.values` has it."""
        here = self.rules.split(state.words)
        if not self.rules.rules.both:
            return self.loss(here, self.rules.rules.mover(here), actions)
        found = [self.loss(here, seat, actions[..., seat]) for seat in Seat]
        return jnp.stack(found, axis=-1)

    # ---- of packed states ------------------------------------------------------------

    def choose(self, state: State, seat: Number, number: jax.Array) -> jax.Array:
        """The action of a seat by the policy, by a random number of 32 bits for each game."""
        half = mix(number + CHOICE)
        found: Number = self._lookup.choose(self._choices, self._settings, state, seat, half)
        return jnp.asarray(found, jnp.int32)

    def value(self, state: State) -> jax.Array:
        """What a position is worth to Player 1."""
        found: Number = self._lookup.value(self._figures, self._settings, state)
        return jnp.asarray(found, jnp.float32)

    def loss(self, state: State, seat: Number, action: jax.Array) -> jax.Array:
        """What a legal action of a seat loses."""
        before = self._lookup.value(self._figures, self._settings, state)
        found: Number = self._lookup.loss(
            self._figures, self._settings, state, seat, jnp.asarray(action), before
        )
        return jnp.asarray(found, jnp.float32)

    @cached_property
    def _settings(self) -> tuple[object, ...]:
        """The settings with all their tables on the device: codes need them."""
        return self.rules.with_all_tables().packed.settings

    @cached_property
    def _choices(self) -> Table:
        found = find_policy(self._policy, self.game)
        known = None if found is None else known_policy(found, self.game)
        table = None if known is None else self._module.choice_table(known)
        if table is None:
            raise ValueError(f"{self._policy!r} is no table that {self.game.title} can look up.")
        return on_device(self._module.wide_choices(table))

    @cached_property
    def _figures(self) -> Table:
        table = self._module.figure_table(solve(self.game))
        if table is None:
            raise ValueError(f"The values of {self.game.title} are too many for a table.")
        return on_device(table)


def on_device(table: Table) -> Table:
    """The arrays of a table there: in 32 bits, where they have 64."""
    narrow: dict[str, type[np.generic]] = {"int64": np.int32, "float64": np.float32}
    # Also within a function that is being compiled, they are made once and for all.
    with jax.ensure_compile_time_eval():
        moved = [jnp.asarray(a.astype(narrow.get(a.dtype.name, a.dtype))) for a in table]
    kind: Callable[..., Table] = type(table)
    return kind(*moved)
