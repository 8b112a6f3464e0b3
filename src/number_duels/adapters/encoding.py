"""Moves, events and views as numbers, the same in every adapter."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "NumPy", "learn"):
    import numpy as np
    import numpy.typing as npt

from number_duels.core.game import Chance, Decision, Feature, Outcome, Seat, SomeGame

__all__ = ["Encoding"]

#: What a seat sees, and its bounds: in 16 bits, or in 32 where a game needs them.
Observation: TypeAlias = npt.NDArray[np.integer[Any]]
#: A 1 for every action that is open.
Mask: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Encoding:
    """One game in numbers: actions, events and what a seat sees.

    >>> from number_duels import Seat, load
    >>> game = load("number-bid", numbers=4)
    >>> encoding = Encoding(game)
    >>> encoding.action_count, encoding.action(game.parse("3")), str(encoding.move(2))
    (4, 2, '3')
    >>> encoding.observation(game.start(), Seat.ONE)
    array([1, 1, 1, 1, 0], dtype=int16)
    >>> encoding.labels
    (('pool', slice(0, 4, None)), ('lead', slice(4, 5, None)))
    """

    game: SomeGame

    # ---- moves and events ------------------------------------------------------

    @cached_property
    def moves(self) -> tuple[Hashable, ...]:
        """Every move; its place is its action."""
        return self.game.all_moves()

    @property
    def action_count(self) -> int:
        """How many actions there are."""
        return len(self.moves)

    def action(self, move: Hashable) -> int:
        """The number of a move; a ValueError for what is no move of this game."""
        if move not in self._actions:
            raise ValueError(f"{self.game.title} has no move {move}.")
        return self._actions[move]

    def move(self, action: int) -> Hashable:
        """The move that an action means; a ValueError for one that means nothing."""
        if not 0 <= action < self.action_count:
            last = self.action_count - 1
            raise ValueError(f"There is no action {action}; actions are 0 to {last}.")
        return self.moves[action]

    def mask(self, options: Iterable[Hashable]) -> Mask:
        """A 1 for every action that is among the options, a 0 for the others."""
        mask = np.zeros(self.action_count, np.int8)
        for move in options:
            mask[self._actions[move]] = 1
        return mask

    @cached_property
    def events(self) -> tuple[Hashable, ...]:
        """Every event of nature; its place is its number."""
        return self.game.all_events()

    @property
    def event_count(self) -> int:
        """0 in a game without chance."""
        return len(self.events)

    def event_number(self, event: Hashable) -> int:
        """The number of an event of nature."""
        return self._event_numbers[event]

    def event(self, number: int) -> Hashable:
        """The event that a number means; a ValueError for one that means nothing."""
        if not 0 <= number < self.event_count:
            raise ValueError(f"There is no event {number}; there are {self.event_count} events.")
        return self.events[number]

    @cached_property
    def _actions(self) -> dict[Hashable, int]:
        return {move: action for action, move in enumerate(self.moves)}

    @cached_property
    def _event_numbers(self) -> dict[Hashable, int]:
        return {event: number for number, event in enumerate(self.events)}

    # ---- what a seat sees --------------------------------------------------------

    def observation(self, view: Hashable, seat: Seat) -> Observation:
        """A view as numbers, the seat's own side first."""
        features = self.game.features(view, seat)
        return np.array([value for feature in features for value in feature.values], self.dtype)

    @cached_property
    def low(self) -> Observation:
        """The least that each number of an observation can be."""
        return np.array([f.low for f in self._shape for _ in f.values], self.dtype)

    @cached_property
    def high(self) -> Observation:
        """The most that each number of an observation can be."""
        return np.array([f.high for f in self._shape for _ in f.values], self.dtype)

    @cached_property
    def dtype(self) -> np.dtype[np.integer[Any]]:
        """The kind of numbers in an observation."""
        wide = any(f.low < -(2**15) or f.high >= 2**15 for f in self._shape)
        return np.dtype(np.int32 if wide else np.int16)

    @cached_property
    def labels(self) -> tuple[tuple[str, slice], ...]:
        """What the numbers of an observation mean: a label for each stretch of them."""
        found: list[tuple[str, slice]] = []
        begin = 0
        for feature in self._shape:
            found.append((feature.label, slice(begin, begin + len(feature.values))))
            begin += len(feature.values)
        return tuple(found)

    @cached_property
    def _shape(self) -> tuple[Feature, ...]:
        """The features of any view: labels, lengths and bounds are the same for all."""
        return self.game.features(self.game.start(), Seat.ONE)

    # ---- what kind of game it is ---------------------------------------------------

    @cached_property
    def _sample(self) -> tuple[Hashable, ...]:
        """The states of a whole game in which the first option and the first event are taken."""
        states = [self.game.start()]
        while not isinstance(turn := self.game.turn(states[-1]), Outcome):
            if isinstance(turn, Chance):
                states.append(self.game.drawn(states[-1], next(iter(turn.odds))))
            else:
                first = {seat: options[0] for seat, options in turn.options.items()}
                states.append(self.game.resolve(states[-1], first))
        return tuple(states)

    @cached_property
    def _deciding(self) -> frozenset[int]:
        turns = map(self.game.turn, self._sample)
        return frozenset(len(turn.options) for turn in turns if isinstance(turn, Decision))

    @property
    def simultaneous(self) -> bool:
        """Whether both choose at once, in every turn."""
        return self._deciding == {2}

    @property
    def choosers(self) -> int:
        """How many seats decide in a turn, at most."""
        return max(self._deciding)

    @property
    def draws_in_a_row(self) -> int:
        """How many events of nature follow one another, at most; 0 in a game without chance."""
        drawn = groupby(isinstance(self.game.turn(state), Chance) for state in self._sample)
        return max(sum(run) for _, run in drawn)

    @property
    def hides_something(self) -> bool:
        """Whether a seat is ever shown less than all."""
        return any(self.game.view(state, seat) != state for state in self._sample for seat in Seat)

    def __deepcopy__(self, memo: dict[int, object]) -> Encoding:
        """An encoding never changes, so copies of an environment share it."""
        return self
