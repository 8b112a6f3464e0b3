"""A batch engine in plain Python. Equal seeds give the same results as in compiled code."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Mapping
from itertools import accumulate
from math import lcm
from random import Random

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BEGIN, NOBODY, SHOW, STEP, BatchArrays, Order
from number_duels.adapters.batch.lookup import AnySolution
from number_duels.adapters.batch.policies import Chooser, PolicyFunction
from number_duels.adapters.batch.splitmix64 import (
    UINT32_MASK,
    drawn_seat,
    mix,
    next_stream,
    pick_upper,
    stream_start,
)
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat
from number_duels.core.player import Situation
from number_duels.solvers.policies import weights


class ReadableRules:
    def __init__(self, game: AnyGame, policy: PolicyFunction | Chooser | None = None) -> None:
        self.game, self.policy = game, policy
        #: Cumulative probabilities of the options where the policy was asked.
        self._answers: dict[tuple[Hashable, Seat], list[float]] = {}

    def begin(self, stream: int) -> Hashable:
        return self.deal(self.game.start(Random(stream)), mix(stream))

    def deal(self, state: Hashable, number: int) -> Hashable:
        while isinstance(turn := self.game.turn(state), Chance):
            whole = lcm(*(odds.denominator for odds in turn.odds.values()))
            sums = accumulate(int(odds * whole) for odds in turn.odds.values())
            place = bisect_right(list(sums), pick_upper(number, whole))
            state = self.game.drawn(state, tuple(turn.odds)[place])
            number = mix(number)
        return state

    def choose(self, state: Hashable, seat: Seat, half: int) -> Hashable:
        """Choose a seat's move by the policy or player, or at random."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        options = turn.options[seat]
        if self.policy is None:
            return options[half * len(options) >> 32]
        if isinstance(self.policy, Chooser):
            view = self.game.view(state, seat)
            return self.policy.move(Situation(self.game, seat, view, options, (), Random(half)))
        key = self.game.key(state), seat
        if key not in self._answers:
            view = self.game.view(state, seat)
            odds = weights(self.game, self.policy, view, seat, options)
            self._answers[key] = list(accumulate(odds))
        sums = self._answers[key]
        return options[min(bisect_right(sums, sums[-1] * half / 2**32), len(options) - 1)]


class PythonEngine:
    #: Whether the engine fails on states that cannot arise in the game.
    by_tables = False

    def __init__(
        self,
        encoding: Encoding,
        policy: PolicyFunction | Chooser | None = None,
        solution: AnySolution | None = None,
    ) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.rules, self.solution = ReadableRules(encoding.game, policy), solution

    def rows(self, size: int) -> npt.NDArray[np.object_]:
        return np.empty((size, 1), np.object_)

    def pack(self, state: Hashable) -> tuple[Hashable, ...]:
        return (state,)

    def step(
        self, arrays: BatchArrays, seed: int, actions: npt.NDArray[np.int64], order: Order
    ) -> None:
        mode, next_step = order.mode, order.next_step
        for index in range(len(arrays.rows)):
            waited = next_step and mode == STEP and bool(arrays.done[index])
            clear(arrays, index)
            state, stream = arrays.rows[index, 0], int(arrays.streams[index])
            if mode == STEP and not waited:
                state, stream = self._acted(arrays, index, actions[index].tolist())
            ended = bool(arrays.done[index])
            if mode == BEGIN or waited or (ended and not next_step):
                arrays.played[index] += mode == STEP
                stream = stream_start(seed, index, int(arrays.played[index]))
                if order.draw_seats:
                    arrays.rivals[index] = drawn_seat(stream)
                state, stream = self._answered(
                    self.rules.begin(stream), stream, rival_of(arrays, index)
                )
                ended = False
            elif mode == SHOW:
                state, stream = self._answered(state, stream, rival_of(arrays, index))
            arrays.rows[index, 0], arrays.streams[index] = state, stream
            self._show(arrays, index, state, ended)

    def _acted(self, arrays: BatchArrays, index: int, given: list[int]) -> tuple[Hashable, int]:
        state, stream = arrays.rows[index, 0], int(arrays.streams[index])
        rival, turn = rival_of(arrays, index), self.game.turn(state)
        faults: tuple[Seat, ...] = ()
        if isinstance(turn, Decision):  # else the game was over before the first turn
            moves: dict[Seat, Hashable] = {}
            for seat in sorted(turn.options):
                action = given[seat if len(given) == 2 else 0]
                if seat is rival:
                    moves[seat] = self.rules.choose(state, seat, mix(stream) & UINT32_MASK)
                elif 0 <= action < self.encoding.action_count:
                    moves[seat] = self.encoding.move(action)
            faults = tuple(s for s in turn.options if moves.get(s) not in turn.options[s])
            self._grade(arrays, index, state, moves)
            if not faults:
                state, stream = self._answered(*self._resolved(state, moves, stream), rival)
        self._close(arrays, index, state, faults)
        return state, stream

    def _grade(
        self, arrays: BatchArrays, index: int, state: Hashable, moves: Mapping[Seat, Hashable]
    ) -> None:
        turn = self.game.turn(state)
        if self.solution is None or not isinstance(turn, Decision):
            return
        for seat, options in turn.options.items():
            if seat is rival_of(arrays, index):
                continue
            if moves.get(seat) in options:
                values = self.solution.option_values(state, seat)
                loss = max(values) - values[options.index(moves[seat])]
            else:  # the value of the position, plus 1 for the lost game
                loss = 1 + self.solution.value(state) * (1 - 2 * seat)
            arrays.losses[index, seat if self.encoding.choosers == 2 else 0] = loss

    def _answered(self, state: Hashable, stream: int, rival: Seat | None) -> tuple[Hashable, int]:
        while isinstance(turn := self.game.turn(state), Decision) and [*turn.options] == [rival]:
            assert rival is not None
            move = self.rules.choose(state, rival, mix(stream) & UINT32_MASK)
            state, stream = self._resolved(state, {rival: move}, stream)
        return state, stream

    def _resolved(
        self, state: Hashable, moves: Mapping[Seat, Hashable], stream: int
    ) -> tuple[Hashable, int]:
        """Play the moves. If the game goes on, advance the stream and draw the next card."""
        state = self.game.resolve(state, moves)
        if isinstance(self.game.turn(state), Outcome):
            return state, stream
        stream = next_stream(stream)
        return self.rules.deal(state, mix(stream)), stream

    def _close(
        self, arrays: BatchArrays, index: int, state: Hashable, faults: tuple[Seat, ...]
    ) -> None:
        turn = self.game.turn(state)
        if not faults and not isinstance(turn, Outcome):
            return
        arrays.done[index] = True
        for seat in Seat:
            arrays.illegal[index, seat] = seat in faults
            if faults:
                arrays.rewards[index, seat] = -1 if seat in faults else 1
            elif isinstance(turn, Outcome) and turn.winner is not None:
                arrays.rewards[index, seat] = 1 if turn.winner is seat else -1
            arrays.finals[index, seat] = self._seen(state, seat)

    def _show(self, arrays: BatchArrays, index: int, state: Hashable, ended: bool) -> None:
        turn, rival = self.game.turn(state), rival_of(arrays, index)
        options = turn.options if isinstance(turn, Decision) and not ended else {}
        if self.encoding.choosers == 2:
            shown: tuple[Seat, ...] = (*Seat,)
        elif rival is not None:
            shown = (rival.other,)
        else:  # show the end to the seat that acted last
            shown = (*options,) or (Seat(arrays.movers[index]),)
        arrays.movers[index] = min(options, default=shown[0])
        for place, seat in enumerate(shown):
            arrays.observations[index, place] = self._seen(state, seat)
            arrays.masks[index, place] = self.encoding.mask(options.get(seat, ()))
        if self.solution is not None:
            value = arrays.rewards[index, 0] if ended else self.solution.value(state)
            arrays.values[index] = value

    def _seen(self, state: Hashable, seat: Seat) -> Observation:
        return self.encoding.observation(self.game.view(state, seat), seat)


def rival_of(arrays: BatchArrays, index: int) -> Seat | None:
    rival = int(arrays.rivals[index])
    return None if rival == NOBODY else Seat(rival)


def clear(arrays: BatchArrays, index: int) -> None:
    arrays.done[index] = False
    arrays.rewards[index] = arrays.illegal[index] = 0
    arrays.losses[index : index + 1] = 0


def playouts(game: AnyGame, seed: int, count: int) -> npt.NDArray[np.int64]:
    """Play games with random moves. Count them by Player 1's result and number of turns."""
    rules, counts = ReadableRules(game), Counter[tuple[Seat | None, int]]()
    for index in range(count):
        stream, turns = stream_start(seed, index, 0), 0
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
        counts[turn.winner, turns] += 1
    longest = max((turns for _, turns in counts), default=0)
    return np.array(
        [[counts[w, n] for n in range(longest + 1)] for w in (Seat.ONE, None, Seat.TWO)]
    )
