"""Every position of a game with every action, as the readable rules have it, in arrays."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch import Batch, python_backend
from number_duels.adapters.batch.splitmix64 import mix, next_stream
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.adapters.packed.rules import PackedGame
from number_duels.core.game import AnyGame, Chance, Decision, Seat

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
#: How many turns are looked at together.
BLOCK = 200_000
#: Small settings of every game, each of which JAX compiles for a second.
SMALL: list[tuple[str, dict[str, int | str]]] = [
    ("number-bid", {"numbers": 7}),
    ("high-low-battle", {"cards": 4, "rounds": 2}),
    ("number-knot", {"life": 4, "numbers": 5, "exhausted": "higher-life", "first": 2}),
    ("number-drop", {"side": 2, "first": 2}),
    ("number-stack-showdown", {"target": 12, "highest": 3}),
]


class Turns(NamedTuple):
    """Where, what was done, and the next position; for an end, its place counted down from -1."""

    where: Numbers
    actions: Numbers
    following: Numbers


class Positions:
    """What seats see and may do in every position that can be reached, and what comes of it."""

    def __init__(self, game: AnyGame, packed: PackedGame) -> None:
        self.game, self.encoding, self.rules = (
            game,
            Encoding(game),
            python_backend.ReadableRules(game),
        )
        self.states: list[Hashable] = []
        self.options: list[Mapping[Seat, tuple[Hashable, ...]]] = []
        self.places: dict[Hashable, int] = {}
        self.end_states: list[Hashable] = []
        self.results: list[int] = []
        self.draws: set[Hashable] = set()
        self.turns = self._explored()
        self.rows = np.array([packed.pack(state) for state in self.states], np.int64)
        self.seen = np.array([self.both_see(state) for state in self.states], np.int16)
        self.ends_seen = np.array([self.both_see(state) for state in self.end_states], np.int16)
        self.won = np.array(self.results)
        self.deciding = np.array([sorted(options) for options in self.options], np.int64)
        mask = self.encoding.mask
        self.masks = np.array([[mask(o[s]) for s in sorted(o)] for o in self.options], np.bool_)

    def both_see(self, state: Hashable) -> list[Observation]:
        return [self.encoding.observation(self.game.view(state, seat), seat) for seat in Seat]

    def _explored(self) -> Turns:
        """Go everywhere, and remember where every combination of legal actions has led."""
        self._arrive(self.game.start())
        where, actions, following = (array("q") for _ in range(3))
        number = self.encoding.action
        for place, state in enumerate(self.states):  # which grows meanwhile
            options = self.options[place]
            seats = sorted(options)
            for moves in product(*(options[seat] for seat in seats)):
                child = self.game.resolve(state, dict(zip(seats, moves, strict=True)))
                where.append(place)
                actions.extend(map(number, moves))
                following.append(self._followed(child, place))
        shaped = np.array(actions).reshape(len(where), -1)
        return Turns(np.array(where), shaped, np.array(following))

    def _followed(self, child: Hashable, stream: int) -> int:
        """The next position, once a card is drawn by the number of the next turn; or the end."""
        key = self.game.key(child)
        if key not in self.places and key not in self.draws:
            self._arrive(child)
        if key in self.draws:
            key = self.game.key(self.rules.deal(child, mix(next_stream(stream))))
        return self.places[key]

    def _arrive(self, state: Hashable) -> None:
        """A new position is kept, or its end; or every card is drawn there."""
        key, turn = self.game.key(state), self.game.turn(state)
        if key in self.places:
            return
        if isinstance(turn, Chance):
            self.draws.add(key)
            for event in turn.odds:
                self._arrive(self.game.drawn(state, event))
        elif isinstance(turn, Decision):
            self.places[key] = len(self.states)
            self.states.append(state)
            self.options.append(turn.options)
        else:
            self.places[key] = ~len(self.end_states)
            self.end_states.append(state)
            self.results.append(0 if turn.winner is None else 1 - 2 * turn.winner)

    def legal_turns(self) -> Iterator[Turns]:
        """Every position with every combination of legal actions, some of them at a time."""
        for begin in range(0, len(self.turns.where), BLOCK):
            yield Turns(*(column[begin : begin + BLOCK] for column in self.turns))

    def illegal_turns(self) -> tuple[Numbers, Numbers, Flags]:
        """Every position with every illegal action: where, what, and which seats are at fault."""
        wide = np.zeros((*self.masks.shape[:2], self.encoding.action_count + 2), np.bool_)
        wide[:, :, 1:-1] = self.masks  # one action too low, and one too high
        where, place, action = np.nonzero(~wide)
        actions = self.masks.argmax(axis=2)[where]
        actions[np.arange(len(where)), place] = action - 1
        faults = np.zeros((len(where), 2), np.bool_)
        faults[np.arange(len(where)), self.deciding[where, place]] = True
        if self.masks.shape[1] == 2:  # and both at once
            everywhere = np.arange(len(self.masks))
            where = np.concatenate((where, everywhere))
            actions = np.concatenate((actions, np.full((len(everywhere), 2), -1)))
            faults = np.concatenate((faults, np.ones((len(everywhere), 2), np.bool_)))
        return where, actions, faults


def put(batch: Batch, positions: Positions, where: Numbers) -> None:
    """Set the games of a batch to positions, each with its place as its stream."""
    batch._arrays.rows[:] = positions.rows[where]
    batch._arrays.streams[:] = where
