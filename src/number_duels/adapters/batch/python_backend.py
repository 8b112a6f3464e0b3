"""The batch in plain Python, over the readable rules: for games without a kernel, and the oracle.

It takes the same random numbers as the compiled driver, and gives the same results.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping
from itertools import accumulate
from math import lcm
from random import Random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays
from number_duels.adapters.batch.splitmix64 import (
    UINT32_MASK,
    mix,
    next_stream,
    pick_upper,
    stream_start,
)
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat


class Policy(Protocol):
    """A player that can say how likely it is to make each move."""

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        """The probability of every option."""


class ReadableRules:
    """The readable rules of a game, with chance and choices made by a turn's random number."""

    def __init__(self, game: AnyGame, policy: Policy | None = None) -> None:
        self.game, self.policy = game, policy
        #: What the policy has answered: the moves, and the sums of their probabilities.
        self._answers: dict[tuple[Hashable, Seat], tuple[list[Hashable], list[float]]] = {}

    def begin(self, stream: int) -> Hashable:
        """The first state, dealt and with its first card drawn."""
        return self.deal(self.game.start(Random(stream)), mix(stream))

    def deal(self, state: Hashable, number: int) -> Hashable:
        """The state after nature has moved, if it is to move."""
        while isinstance(turn := self.game.turn(state), Chance):
            whole = lcm(*(odds.denominator for odds in turn.odds.values()))
            sums = accumulate(int(odds * whole) for odds in turn.odds.values())
            place = bisect_right(list(sums), pick_upper(number, whole))
            state = self.game.drawn(state, tuple(turn.odds)[place])
            number = mix(number)
        return state

    def choose(self, state: Hashable, seat: Seat, half: int) -> Hashable:
        """A seat's move by half a number: by the policy, or any that is open."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        if self.policy is None:
            return turn.options[seat][half * len(turn.options[seat]) >> 32]
        key = self.game.key(state), seat
        if key not in self._answers:
            odds = self.policy.policy(self.game.view(state, seat), seat)
            self._answers[key] = list(odds), list(accumulate(odds.values()))
        moves, sums = self._answers[key]
        return moves[min(bisect_right(sums, sums[-1] * half / 2**32), len(moves) - 1)]


class PythonEngine:
    """Steps a batch by the readable rules."""

    def __init__(self, encoding: Encoding, policy: Policy | None = None) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.rules = ReadableRules(encoding.game, policy)

    def rows(self, size: int) -> npt.NDArray[np.object_]:
        """Room for as many states, kept as they are."""
        return np.empty((size, 1), np.object_)

    def step(
        self,
        arrays: BatchArrays,
        seed: int,
        actions: npt.NDArray[np.int64],
        rival: Seat | None,
        fresh: bool,
    ) -> None:
        """Play a turn of every game, or begin them all."""
        for index in range(len(arrays.rows)):
            state, stream = arrays.rows[index, 0], int(arrays.streams[index])
            faults: tuple[Seat, ...] = ()
            if not fresh:
                state, stream, faults = self._acted(state, stream, actions[index].tolist(), rival)
                self._close(arrays, index, state, faults)
            if fresh or arrays.done[index]:
                arrays.played[index] += not fresh
                stream = stream_start(seed, index, int(arrays.played[index]))
                state, stream = self._answered(self.rules.begin(stream), stream, rival)
            arrays.rows[index, 0], arrays.streams[index] = state, stream
            self._show(arrays, index, state, rival)

    def _acted(
        self, state: Hashable, stream: int, given: list[int], rival: Seat | None
    ) -> tuple[Hashable, int, tuple[Seat, ...]]:
        """What actions make of a game, up to the next turn, and who acted illegally."""
        turn = self.game.turn(state)
        if not isinstance(turn, Decision):  # over before a first turn
            return state, stream, ()
        moves: dict[Seat, Hashable] = {}
        for seat in sorted(turn.options):
            action = given[seat if len(given) == 2 else 0]
            if seat is rival:
                moves[seat] = self.rules.choose(state, seat, mix(stream) & UINT32_MASK)
            elif 0 <= action < self.encoding.action_count:
                moves[seat] = self.encoding.move(action)
        faults = tuple(s for s in turn.options if moves.get(s) not in turn.options[s])
        if faults:
            return state, stream, faults
        state, stream = self._resolved(state, moves, stream)
        return *self._answered(state, stream, rival), ()

    def _answered(self, state: Hashable, stream: int, rival: Seat | None) -> tuple[Hashable, int]:
        """The state once the rival has moved, for as long as it alone is to move."""
        while isinstance(turn := self.game.turn(state), Decision) and [*turn.options] == [rival]:
            assert rival is not None
            move = self.rules.choose(state, rival, mix(stream) & UINT32_MASK)
            state, stream = self._resolved(state, {rival: move}, stream)
        return state, stream

    def _resolved(
        self, state: Hashable, moves: Mapping[Seat, Hashable], stream: int
    ) -> tuple[Hashable, int]:
        """The next turn, with its card drawn; an ended game stays where its stream was."""
        state = self.game.resolve(state, moves)
        if isinstance(self.game.turn(state), Outcome):
            return state, stream
        stream = next_stream(stream)
        return self.rules.deal(state, mix(stream)), stream

    def _close(
        self, arrays: BatchArrays, index: int, state: Hashable, faults: tuple[Seat, ...]
    ) -> None:
        """Write down how a game ended, or that it goes on."""
        turn = self.game.turn(state)
        over = isinstance(turn, Outcome)
        arrays.done[index] = over or bool(faults)
        for seat in Seat:
            arrays.illegal[index, seat] = seat in faults
            arrays.rewards[index, seat] = 0
            if faults:
                arrays.rewards[index, seat] = -1 if seat in faults else 1
            elif isinstance(turn, Outcome) and turn.winner is not None:
                arrays.rewards[index, seat] = 1 if turn.winner is seat else -1
            if arrays.done[index]:
                arrays.finals[index, seat] = self._seen(state, seat)

    def _show(self, arrays: BatchArrays, index: int, state: Hashable, rival: Seat | None) -> None:
        """Write down what the deciding seats see and may do; nothing is open after the end."""
        turn = self.game.turn(state)
        options = turn.options if isinstance(turn, Decision) else {}
        shown = (*options,) if rival is None else (rival.other,)
        if self.encoding.choosers == 2:
            shown = (*Seat,)
        arrays.movers[index] = min(options, default=shown[0])
        for place, seat in enumerate(shown):
            arrays.observations[index, place] = self._seen(state, seat)
            arrays.masks[index, place] = self.encoding.mask(options.get(seat, ()))

    def _seen(self, state: Hashable, seat: Seat) -> Observation:
        return self.encoding.observation(self.game.view(state, seat), seat)


def playouts(game: AnyGame, seed: int, count: int) -> tuple[int, int, int, int]:
    """How many games were won, drawn and lost by Player 1, and how many turns they had."""
    rules = ReadableRules(game)
    results, turns = {Seat.ONE: 0, None: 0, Seat.TWO: 0}, 0
    for index in range(count):
        stream = stream_start(seed, index, 0)
        state = rules.begin(stream)
        while isinstance(turn := game.turn(state), Decision):
            number = mix(stream)
            halves = (number >> 32, number & UINT32_MASK)[2 - len(turn.options) :]
            seats = zip(sorted(turn.options), halves, strict=True)
            state = game.resolve(state, {s: rules.choose(state, s, half) for s, half in seats})
            stream = next_stream(stream)
            state = rules.deal(state, mix(stream))
            turns += 1
        assert isinstance(turn, Outcome)
        results[turn.winner] += 1
    return results[Seat.ONE], results[None], results[Seat.TWO], turns
