"""The machine rules of a game for JAX arrays, with one element per game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.encoding import Encoding
from number_duels.adapters.tables import Tables
from number_duels.core.game import SomeGame
from number_duels.machine import find_packed
from number_duels.machine.operations import Number, select
from number_duels.machine.rules import ONGOING, PackedGame, Rules, State

Words = tuple[jax.Array, ...]


Arrays = TypeVar("Arrays")


def where(condition: jax.Array, yes: Arrays, no: Arrays) -> Arrays:
    chosen: Arrays = jax.tree.map(lambda one, two: jnp.where(condition, one, two), yes, no)
    return chosen


# ---- random numbers, which depend only on a game's two words and its turn ----------

GAMMA = np.uint32(0x9E3779B9)


def mix(word: jax.Array) -> jax.Array:
    """Turn a word into a pseudorandom number, with the low-bias hash by Chris Wellons."""
    word = (word ^ (word >> 16)) * np.uint32(0x7FEB352D)
    word = (word ^ (word >> 15)) * np.uint32(0x846CA68B)
    return word ^ (word >> 16)


def pick(word: jax.Array, choices: jax.Array) -> jax.Array:
    """Scale a random 32-bit word to an index below `choices`, which must be less than 65,536."""
    many = choices.astype(jnp.uint32)
    lower = (word & 0xFFFF) * many >> 16
    return (((word >> 16) * many + lower) >> 16).astype(jnp.int32)


def turn_number(lanes: jax.Array, source: Sequence[jax.Array] | jax.Array) -> jax.Array:
    """Return a random number for each lane. `source` has two words of a key and the turn number."""
    return mix(mix(lanes + source[0]) + source[2] * GAMMA + source[1])


WORD_BITS = 32


class Field(NamedTuple):
    """The place of a number in the words. `low` is its smallest value."""

    word: int
    shift: int
    bits: int
    low: int


@dataclass(frozen=True)
class Packing:
    """The layout of a state's numbers in 32-bit words.

    >>> packing = Packing(((0, 511), (-8, 55), (-8, 55), (0, 1)))
    >>> packing.words
    1
    >>> packing.fields[1]
    Field(word=0, shift=9, bits=6, low=-8)
    """

    bounds: tuple[tuple[int, int], ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Return the field of each number. The widest numbers are placed first."""
        used: list[int] = []
        found: dict[int, Field] = {}
        sizes = [(high - low).bit_length() for low, high in self.bounds]
        for place in sorted(range(len(sizes)), key=lambda n: -sizes[n]):
            bits = sizes[place]
            word = next((w for w, u in enumerate(used) if u + bits <= WORD_BITS), len(used))
            if word == len(used):
                used.append(0)
            found[place] = Field(word, used[word], bits, self.bounds[place][0])
            used[word] += bits
        return tuple(found[place] for place in range(len(sizes)))

    @property
    def words(self) -> int:
        return 1 + max(field.word for field in self.fields)


@dataclass(frozen=True)
class JaxRules:
    packed: PackedGame
    encoding: Encoding

    @classmethod
    def of(cls, game: SomeGame) -> JaxRules:
        packed = find_packed(game)
        if packed is None:
            raise ValueError(
                f"{game.title} has no machine rules for these settings, "
                "so it cannot be played in JAX."
            )
        return cls(packed, Encoding(game))

    @property
    def rules(self) -> Rules:
        return self.packed.rules

    @property
    def settings(self) -> tuple[object, ...]:
        """Return the settings, with their arrays on the device."""
        return self.with_tables([jnp.asarray(table) for table in self.tables]).packed.settings

    @property
    def tables(self) -> list[np.ndarray[Any, Any]]:
        """Return the arrays in the settings, or an empty list if turns do not use them."""
        found = [value for value in self.packed.settings if isinstance(value, np.ndarray)]
        return found if self.rules.tables else []

    def place(self, state: State) -> jax.Array:
        settings, places = self._numbering
        assert self.rules.codes is not None  # Tables would have raised an error
        found: jax.Array = places[self.rules.codes.code(settings, state)]
        return found

    @cached_property
    def _numbering(self) -> tuple[tuple[object, ...], jax.Array]:
        """Return the settings with all arrays on the device, and each code's index in `Tables`."""
        arrays = [value for value in self.packed.settings if isinstance(value, np.ndarray)]
        # Evaluated once, even while a function is being compiled.
        with jax.ensure_compile_time_eval():
            moved = self.with_tables([jnp.asarray(array) for array in arrays])
            return moved.packed.settings, jnp.asarray(Tables(self.encoding.game).places)

    def with_tables(self, tables: Sequence[Number]) -> JaxRules:
        if not tables:
            return self
        rest = iter(tables)
        settings = self.packed.settings
        moved = [next(rest) if isinstance(value, np.ndarray) else value for value in settings]
        kind: Callable[..., tuple[object, ...]] = type(settings)
        return JaxRules(self.packed._replace(settings=kind(*moved)), self.encoding)

    @cached_property
    def dtype(self) -> np.dtype[np.integer[Any]]:
        """Return the data type of observations: int8 if the bounds allow it, to save memory."""
        low, high = self.encoding.low.min(), self.encoding.high.max()
        return np.dtype(np.int8) if low >= -128 and high < 128 else self.encoding.dtype

    @cached_property
    def packing(self) -> Packing:
        return Packing(self.packed.bounds)

    def join(self, state: State) -> Words:
        words = [jnp.uint32(0)] * self.packing.words
        for value, field in zip(state, self.packing.fields, strict=True):
            number = jnp.asarray(value - field.low).astype(jnp.uint32)
            words[field.word] = words[field.word] | number << field.shift
        return tuple(words)

    def split(self, words: Words) -> State:
        kind = type(self.rules.begin(self.settings))
        return kind(
            *(
                (words[f.word] >> f.shift & ((1 << f.bits) - 1)).astype(jnp.int32) + f.low
                for f in self.packing.fields
            )
        )

    def begin(self, like: jax.Array) -> State:
        numbers = self.rules.begin(self.settings)
        return type(numbers)(*(jnp.full(like.shape, n, jnp.int32) for n in numbers))

    def observation(self, state: State, seat: Number) -> jax.Array:
        words = self.rules.observe(self.settings, state, seat)
        counts, widths = self.rules.counts(self.settings), self.rules.widths
        place = jnp.arange(sum(counts))
        seen, begin = jnp.int32(0), 0
        # Computed from `place`, so that the device writes the array in one go.
        for word, count, width in zip(words, counts, widths, strict=True):
            number = jnp.asarray(word)[..., None]
            if width:
                number = number >> width * jnp.clip(place - begin, 0, count) & ((1 << width) - 1)
            seen = jnp.where(place >= begin, number, seen)
            begin += count
        found: jax.Array = seen.astype(self.dtype)
        return found

    def observation_planes(self, state: State, seat: Number) -> list[jax.Array]:
        words = self.rules.observe(self.settings, state, seat)
        planes = []
        for word, count, width in zip(
            words, self.rules.counts(self.settings), self.rules.widths, strict=True
        ):
            bits = (1 << width) - 1
            planes += [word >> width * n & bits for n in range(count)] if width else [word]
        return planes

    def mask_planes(self, state: State, seat: Number) -> list[jax.Array]:
        opened = partial(self.rules.options.open, self.settings, state, seat)
        return [opened(action) for action in range(self.packed.actions)]

    def mask(self, state: State, seat: Number) -> jax.Array:
        wide = type(state)(*(jnp.asarray(n)[..., None] for n in state))
        seats = jnp.asarray(seat)[..., None]
        actions = jnp.arange(self.packed.actions)
        found = self.rules.options.open(self.settings, wide, seats, actions)
        # If both seats have the same actions, the result may lack the seat axis.
        shape = jnp.broadcast_shapes(wide[0].shape, seats.shape, actions.shape)
        return jnp.broadcast_to(found, shape)

    def legal(self, state: State, seat: Number, action: jax.Array) -> jax.Array:
        inside = (action >= 0) & (action < self.packed.actions)
        safe = jnp.clip(action, 0, self.packed.actions - 1)
        found: jax.Array = inside & self.rules.options.open(self.settings, state, seat, safe)
        return found


class Planes(NamedTuple):
    """The output of a turn, with one array per observed number and one mask per action."""

    observations: Sequence[jax.Array]
    masks: Sequence[jax.Array]
    #: Player 1's result in the games that ended in this turn, 0 in the others.
    results: jax.Array
    done: jax.Array
    #: The seats that lost by an illegal action: 1, 2, or 3 for both.
    faults: jax.Array


def dealt(rules: JaxRules, state: State, number: jax.Array) -> State:
    if not rules.rules.cards:
        return state
    ticket = pick(number, jnp.asarray(rules.rules.deck(rules.settings, state)))
    return rules.rules.deal(rules.settings, state, ticket)


def played(
    rules: JaxRules, state: State, one: jax.Array, two: jax.Array
) -> tuple[State, jax.Array, jax.Array]:
    """Play the actions. Return the new state, its result, and a bit for each illegal action."""
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
    """Return a random legal action for each seat. If one seat decides, return its action twice."""
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
    """Play one turn in every lane. Without `given`, the seats play at random."""
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
    seats = (0, 1) if rules.rules.both else (rules.rules.mover(state),)
    shape = state[0].shape
    observed = [plane for seat in seats for plane in rules.observation_planes(state, seat)]
    opened = [plane for seat in seats for plane in rules.mask_planes(state, seat)]
    return (
        [jnp.broadcast_to(plane, shape).astype(rules.dtype) for plane in observed],
        [jnp.broadcast_to(plane, shape) for plane in opened],
    )
