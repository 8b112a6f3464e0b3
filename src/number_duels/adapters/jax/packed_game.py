"""The packed rules of a game over arrays of JAX: any shape of them, a number for each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.encoding import Encoding
from number_duels.adapters.packed import find_packed
from number_duels.adapters.packed.operations import Number
from number_duels.adapters.packed.rules import PackedGame, Rules, State
from number_duels.adapters.packed.words import Packing
from number_duels.core.game import SomeGame

#: What a device keeps of a state: some words, each of the shape of the batch.
Words = tuple[jax.Array, ...]


#: Arrays that belong together: a state, or its words.
Arrays = TypeVar("Arrays")


def where(condition: jax.Array, yes: Arrays, no: Arrays) -> Arrays:
    """Of arrays that belong together, these or those."""
    chosen: Arrays = jax.tree.map(lambda one, two: jnp.where(condition, one, two), yes, no)
    return chosen


@dataclass(frozen=True)
class JaxRules:
    """One game's rules, its settings as constants of the device, and its states in words."""

    packed: PackedGame
    encoding: Encoding

    @classmethod
    def of(cls, game: SomeGame) -> JaxRules:
        """The rules of a game; a ValueError for one that has no packed rules."""
        packed = find_packed(game)
        if packed is None:
            raise ValueError(f"{game.title} has no packed rules, so it cannot be played in JAX.")
        return cls(packed, Encoding(game))

    @property
    def rules(self) -> Rules:
        return self.packed.rules

    @property
    def settings(self) -> tuple[object, ...]:
        """Numbers stay numbers, so that loops over them are unrolled; tables go to the device."""
        return self.with_tables([jnp.asarray(table) for table in self.tables]).packed.settings

    @property
    def tables(self) -> list[np.ndarray[Any, Any]]:
        """The arrays among the settings that a turn needs."""
        found = [value for value in self.packed.settings if isinstance(value, np.ndarray)]
        return found if self.rules.tables else []

    def with_all_tables(self) -> JaxRules:
        """The same rules with all tables on the device, also those that no turn needs."""
        arrays = [value for value in self.packed.settings if isinstance(value, np.ndarray)]
        with jax.ensure_compile_time_eval():
            return self.with_tables([jnp.asarray(array) for array in arrays])

    def with_tables(self, tables: Sequence[Number]) -> JaxRules:
        """The same rules with tables that lie elsewhere."""
        if not tables:
            return self
        rest = iter(tables)
        settings = self.packed.settings
        moved = [next(rest) if isinstance(value, np.ndarray) else value for value in settings]
        # A named tuple, which is not made like a plain one.
        kind: Callable[..., tuple[object, ...]] = type(settings)
        return JaxRules(self.packed._replace(settings=kind(*moved)), self.encoding)

    @cached_property
    def dtype(self) -> np.dtype[np.integer[Any]]:
        """The kind of numbers in an observation: 8 bits where they do, to have less to write."""
        low, high = self.encoding.low.min(), self.encoding.high.max()
        return np.dtype(np.int8) if low >= -128 and high < 128 else self.encoding.dtype

    @cached_property
    def packing(self) -> Packing:
        return Packing(self.packed.bounds)

    def join(self, state: State) -> Words:
        """A state in words."""
        words = [jnp.uint32(0)] * self.packing.words
        for value, field in zip(state, self.packing.fields, strict=True):
            number = jnp.asarray(value - field.low).astype(jnp.uint32)
            words[field.word] = words[field.word] | number << field.shift
        return tuple(words)

    def split(self, words: Words) -> State:
        """The state that lies in words."""
        kind = type(self.rules.begin(self.settings))
        return kind(
            *(
                (words[f.word] >> f.shift & ((1 << f.bits) - 1)).astype(jnp.int32) + f.low
                for f in self.packing.fields
            )
        )

    def begin(self, like: jax.Array) -> State:
        """The first state, before a card is drawn, as often as an array has elements."""
        numbers = self.rules.begin(self.settings)
        return type(numbers)(*(jnp.full(like.shape, n, jnp.int32) for n in numbers))

    def observation(self, state: State, seat: Number) -> jax.Array:
        """What a seat sees, as `Encoding.observation`, along a new last axis."""
        words = self.rules.observe(self.settings, state, seat)
        counts, widths = self.rules.counts(self.settings), self.rules.widths
        place = jnp.arange(sum(counts))
        seen, begin = jnp.int32(0), 0
        # A function of place, not parts put together: a device writes all places at once.
        for word, count, width in zip(words, counts, widths, strict=True):
            number = jnp.asarray(word)[..., None]
            if width:
                number = number >> width * jnp.clip(place - begin, 0, count) & ((1 << width) - 1)
            seen = jnp.where(place >= begin, number, seen)
            begin += count
        found: jax.Array = seen.astype(self.dtype)
        return found

    def observation_planes(self, state: State, seat: Number) -> list[jax.Array]:
        """What a seat sees, number by number."""
        words = self.rules.observe(self.settings, state, seat)
        planes = []
        for word, count, width in zip(
            words, self.rules.counts(self.settings), self.rules.widths, strict=True
        ):
            bits = (1 << width) - 1
            planes += [word >> width * n & bits for n in range(count)] if width else [word]
        return planes

    def mask_planes(self, state: State, seat: Number) -> list[jax.Array]:
        """Which actions are open to a seat, action by action."""
        opened = partial(self.rules.options.open, self.settings, state, seat)
        return [opened(action) for action in range(self.packed.actions)]

    def mask(self, state: State, seat: Number) -> jax.Array:
        """Which actions are open to a seat, along a new last axis."""
        wide = type(state)(*(jnp.asarray(n)[..., None] for n in state))
        seats = jnp.asarray(seat)[..., None]
        actions = jnp.arange(self.packed.actions)
        found = self.rules.options.open(self.settings, wide, seats, actions)
        # What is open to both alike may know nothing of seats.
        shape = jnp.broadcast_shapes(wide[0].shape, seats.shape, actions.shape)
        return jnp.broadcast_to(found, shape)

    def legal(self, state: State, seat: Number, action: jax.Array) -> jax.Array:
        """Whether a number is an action that is open to a seat."""
        inside = (action >= 0) & (action < self.packed.actions)
        safe = jnp.clip(action, 0, self.packed.actions - 1)
        found: jax.Array = inside & self.rules.options.open(self.settings, state, seat, safe)
        return found
