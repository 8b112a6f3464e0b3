"""Tools for kernels that give every state a code and solve a game layer by layer.

Codes 0, 1 and 2 mean that the game is over: lost, drawn or won for the seat that would move next.
If both seats choose at once, they are Player 1's results.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.solvers import batch_matrix_games
from number_duels.solvers.batch_matrix_games import Floats, proper_strategies
from number_duels.solvers.cache import Progress, Section, checked_numbers, silent
from number_duels.solvers.code_table import UNREACHED
from number_duels.solvers.errors import TooLarge
from number_duels.solvers.matrix_games import tie_break_key
from number_duels.solvers.policies import Policy, decision_of, weights

Codes: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[np.int8 | np.float64]

LOST, DRAWN, WON = 0, 1, 2
ENDS = 3

#: How many states are processed at a time, so that they fit into the processor's cache.
MAX_CHUNK_STATES = 1 << 12
MAX_SCANNED_CODES = 1 << 16

MAX_TABLE_BYTES = 1 << 31

FIRST_MOVES, SECOND_MOVES, BOTH = 1, 2, 3

#: After this many separate requests, all remaining states are computed at once.
MAX_SEPARATE_FILLS = 16


class Layer(NamedTuple):
    """States with the same number of options. Each sum of a head and a tail is a code."""

    heads: Codes
    tails: Codes


class Chunk(NamedTuple):
    codes: Codes
    after: Codes


#: Returns the probabilities of a seat's options in a chunk, one row per state.
StrategySource: TypeAlias = Callable[[Chunk, Seat], Floats]


class LayeredKernel(ABC, Generic[S]):
    #: Whether the seats take turns. Otherwise, both choose at once.
    in_turn: bool
    title: str
    first: Seat = Seat.ONE
    size: int
    start: int

    @abstractmethod
    def code(self, state: S) -> int: ...

    @abstractmethod
    def mover(self, state: S) -> Seat:
        """Return the seat whose value is stored for this state."""

    @abstractmethod
    def layers(self) -> Sequence[Layer]:
        """Return the layers in order. Every move leads to a later layer or ends the game."""

    @abstractmethod
    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """Return the codes of all next states. A state has a row, with a code per option.

        If both seats choose at once, return one matrix per state.
        """

    @abstractmethod
    def moves(self, codes: Codes, seat: Seat) -> Codes: ...

    @abstractmethod
    def mirror(self, codes: Codes) -> Codes: ...


def check_size(title: str, entries: int, width: float) -> None:
    """Raise TooLarge if a table is too large. `width` is the number of bytes per entry."""
    if entries * width > MAX_TABLE_BYTES:
        raise TooLarge(
            f"{title} with these settings cannot be solved: its table would have "
            f"{entries:,} states and take {entries * width / 2**30:,.1f} GiB; "
            f"the limit is {MAX_TABLE_BYTES / 2**30:.0f} GiB."
        )


def explore(game: LayeredKernel[S], progress: Progress) -> tuple[NDArray[np.uint8], int]:
    """Return the seats that can move at each code, and the number of reachable states."""
    layers, states = game.layers(), 0
    reached = np.zeros(game.size, np.uint8)
    reached[game.start] = FIRST_MOVES
    for number, layer in enumerate(layers):
        for codes in chunks(layer, reached):
            after = game.follow(layer, codes)
            if not game.in_turn:
                states += len(codes)
                reached[after] = FIRST_MOVES
                continue
            for turn in (FIRST_MOVES, SECOND_MOVES):
                chosen = reached[codes] & turn > 0
                states += int(np.count_nonzero(chosen))
                # Duplicate codes are harmless, because they read and write the same.
                reached[after[chosen]] |= np.uint8(turn ^ BOTH)
        progress((number + 1) / len(layers))
    return reached, states


def fill_table(game: LayeredKernel[S], reached: NDArray[np.uint8], progress: Progress) -> Table:
    kind: type[np.int8] | type[np.float64] = np.int8 if game.in_turn else np.float64
    table: Table = np.full(game.size, UNREACHED, kind)
    table[:ENDS] = -1, 0, 1
    layers = game.layers()
    for number, layer in enumerate(reversed(layers)):
        for codes in chunks(layer, reached):
            if game.in_turn:
                table[codes] = -table[game.follow(layer, codes)].min(axis=1)
            else:
                fill_pairs(game, table, layer, codes)
        progress((number + 1) / len(layers))
    return table


def fill_pairs(game: LayeredKernel[S], table: Table, layer: Layer, codes: Codes) -> None:
    """Solve one state of each mirrored pair, and store both values."""
    mirrored = game.mirror(codes)
    one_of_two = codes <= mirrored
    codes, mirrored = codes[one_of_two], mirrored[one_of_two]
    if not codes.size:
        return
    matrices = table[game.follow(layer, codes)].astype(np.float64, copy=False)
    found = batch_matrix_games.values(matrices)
    # A state that equals its own mirror has a value of exactly 0.
    found[codes == mirrored] = 0.0
    table[mirrored] = -found
    table[codes] = found


def chunks(layer: Layer, reached: NDArray[np.uint8]) -> Iterator[Codes]:
    step = max(1, MAX_SCANNED_CODES // len(layer.tails))
    for first in range(0, len(layer.heads), step):
        codes = (layer.heads[first : first + step, None] + layer.tails).ravel()
        codes = codes[reached[codes] > 0]
        for start in range(0, len(codes), MAX_CHUNK_STATES):
            yield codes[start : start + MAX_CHUNK_STATES]


class ReachedGraph(Generic[S]):
    """The reachable states of a game. Its methods compute results from the end to the start."""

    def __init__(self, kernel: LayeredKernel[S]) -> None:
        self.kernel = kernel
        self.reached, _ = explore(kernel, silent)
        #: The index of each code's result: the ends first, then the reachable codes.
        self.places = np.zeros(kernel.size, np.int64)
        self.places[:ENDS] = range(ENDS)
        codes = ENDS + np.flatnonzero(self.reached[ENDS:])
        self.places[codes] = ENDS + np.arange(len(codes))
        self.count = ENDS + len(codes)

    def blank(self) -> Floats:
        """Return an array in which only the ends of the game have their results."""
        results = np.zeros((2 if self.kernel.in_turn else 1, self.count))
        results[:, :ENDS] = -1, 0, 1
        return results

    def at(self, results: Floats, code: int, mover: Seat) -> float | None:
        if not (0 <= code < len(self.places) and self.places[code]):
            return None
        if not self.kernel.in_turn:
            return float(results[0, self.places[code]])
        found = float(results[mover, self.places[code]])
        return found if mover is Seat.ONE else 0.0 - found

    def backwards(self, progress: Progress) -> Iterator[Chunk]:
        layers = self.kernel.layers()
        for number, layer in enumerate(reversed(layers)):
            for codes in chunks(layer, self.reached):
                yield Chunk(codes, self.kernel.follow(layer, codes))
            progress((number + 1) / len(layers))

    def play(self, chunk: Chunk, mixes: Sequence[Floats], results: Floats) -> None:
        """Compute the results of a chunk if both seats play the strategies in `mixes`."""
        codes, after = chunk
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            for seat in Seat:
                after_seat = results[seat.other, there]
                results[seat, here] = -np.einsum("ni,ni->n", mixes[seat], after_seat)
        else:
            rows, columns = mixes
            by_row = np.einsum("nij,nj->ni", results[0, there], columns)
            results[0, here] = np.einsum("ni,ni->n", rows, by_row)

    def respond(self, chunk: Chunk, seat: Seat, mix: Floats, results: Floats) -> None:
        """Compute the results of a chunk if `seat` plays the best response to `mix`."""
        codes, after = chunk
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            results[seat, here] = -results[seat.other, there].min(axis=1)
            results[seat.other, here] = -np.einsum("ni,ni->n", mix, results[seat, there])
        elif seat is Seat.ONE:
            results[0, here] = np.einsum("nij,nj->ni", results[0, there], mix).max(axis=1)
        else:
            results[0, here] = np.einsum("nij,ni->nj", results[0, there], mix).min(axis=1)


def with_errors(perfect: Floats, error_rate: float) -> Floats:
    mixed: Floats = (1 - error_rate) * perfect + error_rate / perfect.shape[1]
    return mixed


class PerfectStrategies:
    """Computes perfect strategies. Pass the chunks in order from the end of the game."""

    def __init__(self, kernel: LayeredKernel[S], sections: Sequence[Section]) -> None:
        numbers = checked_numbers(sections[0])
        self.table: Table = np.frombuffer(numbers, np.int8 if kernel.in_turn else np.float64)
        self.proper = None if kernel.in_turn else ProperStrategies(np.frombuffer(numbers))
        self.losing_shares = np.zeros(kernel.size if kernel.in_turn else 0)
        self.latest: tuple[Codes, tuple[Floats, Floats]] | None = None

    def __call__(self, chunk: Chunk, seat: Seat) -> Floats:
        codes, after = chunk
        if self.latest is None or self.latest[0] is not codes:
            if self.proper:
                self.latest = codes, self.proper(chunk)
            else:
                best = self.best(codes, after, self.table[after])
                self.latest = codes, (best, best)
        return self.latest[1][seat]

    def best(self, codes: Codes, after: Codes, values: Table) -> Floats:
        top = values.min(axis=1, keepdims=True)
        self.losing_shares[codes] = (values > top).mean(axis=1)
        results = np.where(after < ENDS, DRAWN - after, 0.0)
        keys = np.where(values == top, tie_break_key(self.losing_shares[after], results), -1.0)
        best = np.zeros(after.shape)
        best[np.arange(len(codes)), keys.argmax(axis=1)] = 1.0
        return best


class ProperStrategies:
    """Computes proper strategies of both seats. Pass the chunks from the end of the game."""

    def __init__(self, table: Floats) -> None:
        self.table = table
        #: Player 1's result if one seat plays its strategy and the other plays at random.
        self.against_random = np.full((2, len(table)), np.nan)
        self.against_random[:, :ENDS] = -1, 0, 1

    def __call__(self, chunk: Chunk) -> tuple[Floats, Floats]:
        codes, after = chunk
        values = self.table[after]
        one = self.against_random[Seat.ONE, after].mean(axis=2)
        two = self.against_random[Seat.TWO, after].mean(axis=1)
        rows = proper_strategies(values, one)
        columns = proper_strategies(-values.transpose(0, 2, 1), -two)
        self.against_random[Seat.ONE, codes] = np.einsum("ni,ni->n", rows, one)
        self.against_random[Seat.TWO, codes] = np.einsum("nj,nj->n", columns, two)
        return rows, columns


class LayeredRandomPlay(Generic[S]):
    """Does the same as `RandomPlay`, a whole layer at a time."""

    def __init__(self, kernel: LayeredKernel[S], table: Floats) -> None:
        self.kernel = kernel
        self.proper = ProperStrategies(table)
        self.fills = 0

    def __call__(self, state: S, seat: Seat) -> float:
        code = self.kernel.code(state)
        if np.isnan(self.proper.against_random[seat, code]):
            self.fills += 1
            self.fill(code if self.fills <= MAX_SEPARATE_FILLS else self.kernel.start)
        return float(self.proper.against_random[seat, code])

    def fill(self, code: int) -> None:
        known = self.proper.against_random[0]
        reached = np.zeros(self.kernel.size, np.uint8)
        reached[code] = 1
        ahead: list[tuple[Layer, Codes]] = []
        for layer in self.kernel.layers():
            for codes in chunks(layer, reached):
                unknown = codes[np.isnan(known[codes])]
                if unknown.size:
                    reached[self.kernel.follow(layer, unknown)] = 1
                    ahead.append((layer, unknown))
        for layer, codes in reversed(ahead):
            self.proper(Chunk(codes, self.kernel.follow(layer, codes)))


class QueriedPolicy(Generic[S, M, E]):
    """The mixed strategies of a policy in every reachable state."""

    def __init__(self, graph: ReachedGraph[S], game: Game[S, M, E], policy: Policy[S, M]) -> None:
        self.graph, self.game, self.policy = graph, game, policy
        self.in_turn = graph.kernel.in_turn
        self.states: dict[Seat, dict[int, S]] = {seat: {} for seat in Seat}
        self.find_states()

    def __call__(self, chunk: Chunk, seat: Seat) -> Floats:
        """Return a seat's mixed strategies, one row per state."""
        game, (codes, after) = self.game, chunk
        width = after.shape[1 if self.in_turn or seat is Seat.ONE else 2]
        found = np.zeros((len(codes), width))
        states = self.states[seat if self.in_turn else Seat.ONE]
        for row, code in enumerate(codes.tolist()):
            if code in states:
                state = states[code]
                view, options = game.view(state, seat), decision_of(game, state, seat).options[seat]
                found[row] = weights(game, self.policy, view, seat, options)
        return found

    def find_states(self) -> None:
        kernel, start = self.graph.kernel, self.game.start()
        self.states[kernel.mover(start)][kernel.start] = start
        for layer in kernel.layers():
            for codes in chunks(layer, self.graph.reached):
                after = kernel.follow(layer, codes)
                for mover in Seat if self.in_turn else (Seat.ONE,):
                    self.walk(codes, after.reshape(len(codes), -1), mover)

    def walk(self, codes: Codes, after: Codes, mover: Seat) -> None:
        here = self.states[mover]
        there = self.states[mover.other if self.in_turn else mover]
        known = np.array([code in here for code in codes.tolist()])
        codes, after = codes[known], after[known]
        following, firsts = np.unique(after, return_index=True)
        for code, first in zip(following.tolist(), firsts.tolist(), strict=True):
            if code >= ENDS and code not in there:
                row, option = divmod(first, after.shape[1])
                there[code] = self.step(here[int(codes[row])], option)

    def step(self, state: S, option: int) -> S:
        """Return the state after an option. If both choose, `option` is the index of a pair."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        moves: dict[Seat, M] = {}
        for seat, options in sorted(turn.options.items(), reverse=True):
            option, place = divmod(option, len(options))
            moves[seat] = options[place]
        return self.game.resolve(state, moves)
