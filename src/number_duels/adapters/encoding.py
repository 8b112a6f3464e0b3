"""Encode moves, chance events and views as numbers, for all adapters."""

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

Observation: TypeAlias = npt.NDArray[np.integer[Any]]
Mask: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Encoding:
    """Encodes the moves, chance events and views of one game as numbers.

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

    @cached_property
    def moves(self) -> tuple[Hashable, ...]:
        """Return all moves of the game. A move's index is its action number."""
        return self.game.all_moves()

    @property
    def action_count(self) -> int:
        """Return the number of actions, legal or not."""
        return len(self.moves)

    def action(self, move: Hashable) -> int:
        """Return a move's action number. Raise ValueError if the game has no such move."""
        if move not in self._actions:
            raise ValueError(f"{self.game.title} has no move {move}.")
        return self._actions[move]

    def move(self, action: int) -> Hashable:
        """Return the move with this action number. Raise ValueError for any other number."""
        if not 0 <= action < self.action_count:
            last = self.action_count - 1
            raise ValueError(f"There is no action {action}; actions range from 0 to {last}.")
        return self.moves[action]

    def mask(self, options: Iterable[Hashable]) -> Mask:
        """Return a mask with 1 for each option and 0 for all other actions."""
        mask = np.zeros(self.action_count, np.int8)
        for move in options:
            mask[self._actions[move]] = 1
        return mask

    @cached_property
    def events(self) -> tuple[Hashable, ...]:
        """Return all chance events of the game. An event's index is its number."""
        return self.game.all_events()

    @property
    def event_count(self) -> int:
        """Return the number of possible chance events, or 0 in a game without chance."""
        return len(self.events)

    def event_number(self, event: Hashable) -> int:
        """Return the number of a chance event."""
        return self._event_numbers[event]

    def event(self, number: int) -> Hashable:
        """Return the chance event with this number. Raise ValueError for any other number."""
        if not 0 <= number < self.event_count:
            raise ValueError(
                f"There is no event {number}; events range from 0 to {self.event_count - 1}."
            )
        return self.events[number]

    @cached_property
    def _actions(self) -> dict[Hashable, int]:
        return {move: action for action, move in enumerate(self.moves)}

    @cached_property
    def _event_numbers(self) -> dict[Hashable, int]:
        return {event: number for number, event in enumerate(self.events)}

    def observation(self, view: Hashable, seat: Seat) -> Observation:
        """Return a seat's view as numbers, with the seat's own side first."""
        features = self.game.features(view, seat)
        return np.array([value for feature in features for value in feature.values], self.dtype)

    @cached_property
    def low(self) -> Observation:
        """Return the lower bound of each number in an observation."""
        return np.array([f.low for f in self._shape for _ in f.values], self.dtype)

    @cached_property
    def high(self) -> Observation:
        """Return the upper bound of each number in an observation."""
        return np.array([f.high for f in self._shape for _ in f.values], self.dtype)

    @cached_property
    def dtype(self) -> np.dtype[np.integer[Any]]:
        """Return the data type of observations: int16, or int32 if the bounds need it."""
        wide = any(f.low < -(2**15) or f.high >= 2**15 for f in self._shape)
        return np.dtype(np.int32 if wide else np.int16)

    @cached_property
    def labels(self) -> tuple[tuple[str, slice], ...]:
        """Return the label and the slice of each part of an observation."""
        found: list[tuple[str, slice]] = []
        begin = 0
        for feature in self._shape:
            found.append((feature.label, slice(begin, begin + len(feature.values))))
            begin += len(feature.values)
        return tuple(found)

    @cached_property
    def _shape(self) -> tuple[Feature, ...]:
        # All views have the same labels, lengths and bounds.
        return self.game.features(self.game.start(), Seat.ONE)

    @cached_property
    def _sample(self) -> tuple[Hashable, ...]:
        """Return the states of a game that always takes the first option and the first event."""
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
        """Return whether both seats decide in every turn."""
        return self._deciding == {2}

    @property
    def choosers(self) -> int:
        """Return the largest number of seats that decide in one turn."""
        return max(self._deciding)

    @property
    def draws_in_a_row(self) -> int:
        """Return the largest number of chance events in a row, or 0 in a game without chance."""
        drawn = groupby(isinstance(self.game.turn(state), Chance) for state in self._sample)
        return max(sum(run) for _, run in drawn)

    @property
    def hides_something(self) -> bool:
        """Return whether a seat ever sees less than the whole state."""
        return any(self.game.view(state, seat) != state for state in self._sample for seat in Seat)

    def __deepcopy__(self, memo: dict[int, object]) -> Encoding:
        return self
