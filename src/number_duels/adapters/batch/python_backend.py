"""The batch in plain Python, over the readable rules: for games without a kernel, and the oracle.

It takes the same random numbers as the compiled drivers, and gives the same results.
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

from number_duels.adapters.batch.arrays import Tables
from number_duels.adapters.encoding import Coding
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = (1 << 64) - 1


def mix(word: int) -> int:
    """A number as good as random for every word: the mixing of splitmix64."""
    word = (word ^ word >> 30) * FIRST & WORD
    word = (word ^ word >> 27) * SECOND & WORD
    return word ^ word >> 31


def opening(seed: int, index: int, played: int) -> int:
    """Where the stream of a game begins; its n-th turn has `mix(opening + n * GOLDEN)`."""
    return mix(mix(mix(seed) + index * GOLDEN & WORD) + played * GOLDEN & WORD)


def onward(stream: int) -> int:
    """The stream at the next turn."""
    return stream + GOLDEN & WORD


def upper(number: int, choices: int) -> int:
    """One of some choices by a number's upper half."""
    return (number >> 32) * choices >> 32


def lower(number: int, choices: int) -> int:
    """One of some choices by a number's lower half."""
    return (number & 0xFFFFFFFF) * choices >> 32


class Policy(Protocol):
    """A player that can say how likely it is to make each move."""

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        """The probability of every option."""


class Rules:
    """The readable rules of a game, asked as the drivers ask them."""

    def __init__(self, game: AnyGame, policy: Policy | None = None) -> None:
        self.game, self.policy = game, policy
        self.known: dict[tuple[Hashable, Seat], tuple[list[Hashable], list[float]]] = {}

    def begin(self, stream: int) -> Hashable:
        """The first state, dealt and with its first card drawn."""
        return self.deal(self.game.start(Random(stream)), mix(stream))

    def deal(self, state: Hashable, number: int) -> Hashable:
        """The state after nature has moved, if it is to move."""
        while isinstance(turn := self.game.turn(state), Chance):
            whole = lcm(*(odds.denominator for odds in turn.odds.values()))
            below = accumulate(int(odds * whole) for odds in turn.odds.values())
            place = bisect_right(list(below), upper(number, whole))
            state = self.game.drawn(state, tuple(turn.odds)[place])
            number = mix(number)
        return state

    def choose(self, state: Hashable, seat: Seat, ticket: int) -> Hashable:
        """A seat's move by half a number: by the policy, or any that is open."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        if self.policy is None:
            return turn.options[seat][ticket * len(turn.options[seat]) >> 32]
        key = self.game.key(state), seat
        if key not in self.known:
            odds = self.policy.policy(self.game.view(state, seat), seat)
            self.known[key] = list(odds), list(accumulate(odds.values()))
        moves, below = self.known[key]
        return moves[min(bisect_right(below, below[-1] * ticket / 2**32), len(moves) - 1)]


class Plain:
    """Steps a batch by the readable rules."""

    def __init__(self, coding: Coding, policy: Policy | None = None) -> None:
        self.coding, self.game = coding, coding.game
        self.rules = Rules(coding.game, policy)
        self.both = coding.simultaneous

    def rows(self, size: int) -> npt.NDArray[np.object_]:
        """Room for as many states, kept as they are."""
        return np.empty((size, 1), np.object_)

    def step(
        self,
        tables: Tables,
        seed: int,
        actions: npt.NDArray[np.int64],
        rival: Seat | None,
        fresh: bool,
    ) -> None:
        """Play a turn of every game, or begin them all."""
        for index in range(len(tables.rows)):
            state, stream = tables.rows[index, 0], int(tables.streams[index])
            faults: tuple[Seat, ...] = ()
            if not fresh:
                state, stream, faults = self.acted(state, stream, actions[index].tolist(), rival)
                self.close(tables, index, state, faults)
            if fresh or tables.done[index]:
                tables.played[index] += not fresh
                stream = opening(seed, index, int(tables.played[index]))
                state, stream = self.answered(self.rules.begin(stream), stream, rival)
            tables.rows[index, 0], tables.streams[index] = state, stream
            self.show(tables, index, state, rival)

    def acted(
        self, state: Hashable, stream: int, given: list[int], rival: Seat | None
    ) -> tuple[Hashable, int, tuple[Seat, ...]]:
        """What actions make of a game, up to the next turn, and who acted illegally."""
        turn = self.game.turn(state)
        if not isinstance(turn, Decision):  # over before a first turn
            return state, stream, ()
        moves: dict[Seat, Hashable] = {}
        for seat, number in zip(sorted(turn.options), given, strict=True):
            if seat is rival:
                moves[seat] = self.rules.choose(state, seat, mix(stream) & 0xFFFFFFFF)
            elif 0 <= number < self.coding.actions:
                moves[seat] = self.coding.move(number)
        faults = tuple(s for s in turn.options if moves.get(s) not in turn.options[s])
        if faults:
            return state, stream, faults
        state = self.game.resolve(state, moves)
        if not isinstance(self.game.turn(state), Outcome):
            stream = onward(stream)
            state, stream = self.answered(self.rules.deal(state, mix(stream)), stream, rival)
        return state, stream, ()

    def answered(self, state: Hashable, stream: int, rival: Seat | None) -> tuple[Hashable, int]:
        """The state once the rival has moved, for as long as it alone is to move."""
        while isinstance(turn := self.game.turn(state), Decision) and [*turn.options] == [rival]:
            assert rival is not None
            move = self.rules.choose(state, rival, mix(stream) & 0xFFFFFFFF)
            state = self.game.resolve(state, {rival: move})
            if not isinstance(self.game.turn(state), Outcome):
                stream = onward(stream)
                state = self.rules.deal(state, mix(stream))
        return state, stream

    def close(self, tables: Tables, index: int, state: Hashable, faults: tuple[Seat, ...]) -> None:
        """Write down how a game ended, or that it goes on."""
        turn = self.game.turn(state)
        over = isinstance(turn, Outcome)
        tables.done[index] = over or bool(faults)
        for seat in Seat:
            tables.illegal[index, seat] = seat in faults
            tables.rewards[index, seat] = 0
            if faults:
                tables.rewards[index, seat] = -1 if seat in faults else 1
            elif isinstance(turn, Outcome) and turn.winner is not None:
                tables.rewards[index, seat] = 1 if turn.winner is seat else -1
            if tables.done[index]:
                tables.finals[index, seat] = self.seen(state, seat)

    def show(self, tables: Tables, index: int, state: Hashable, rival: Seat | None) -> None:
        """Write down what the deciding seats see and may do; nothing is open after the end."""
        turn = self.game.turn(state)
        options = turn.options if isinstance(turn, Decision) else {}
        shown = (*Seat,) if self.both else (*options,) if rival is None else (rival.other,)
        tables.movers[index] = shown[0]
        for place, seat in enumerate(shown):
            tables.observations[index, place] = self.seen(state, seat)
            tables.masks[index, place] = self.coding.mask(options.get(seat, ()))

    def seen(self, state: Hashable, seat: Seat) -> npt.NDArray[np.int16]:
        """What a seat sees of a state."""
        return self.coding.observation(self.game.view(state, seat), seat)


def playouts(game: AnyGame, seed: int, count: int) -> tuple[int, int, int, int]:
    """How many games were won, drawn and lost by Player 1, and how many turns they had."""
    rules = Rules(game)
    results, turns = {Seat.ONE: 0, None: 0, Seat.TWO: 0}, 0
    for index in range(count):
        stream = opening(seed, index, 0)
        state = rules.begin(stream)
        while isinstance(turn := game.turn(state), Decision):
            number = mix(stream)
            halves = (number >> 32, number & 0xFFFFFFFF)[2 - len(turn.options) :]
            seats = zip(sorted(turn.options), halves, strict=True)
            state = game.resolve(state, {s: rules.choose(state, s, half) for s, half in seats})
            stream = onward(stream)
            state = rules.deal(state, mix(stream))
            turns += 1
        assert isinstance(turn, Outcome)
        results[turn.winner] += 1
    return results[Seat.ONE], results[None], results[Seat.TWO], turns
