"""All strategies of a solved game as arrays. A node is an index of a state in these arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from number_duels.core.game import E, Game, M, S, Seat
from number_duels.solvers.batch_matrix_games import Floats
from number_duels.solvers.cache import Progress, Section, Tables, checked_numbers
from number_duels.solvers.layered import (
    ENDS,
    Chunk,
    LayeredKernel,
    PerfectStrategies,
    ReachedGraph,
    Table,
    chunks,
)
from number_duels.solvers.policies import decision_of

if TYPE_CHECKING:
    from number_duels.solvers.solution import Solution

Integers: TypeAlias = NDArray[np.int64]
Nodes: TypeAlias = NDArray[np.int32]
Actions: TypeAlias = NDArray[np.int16]


class Side(NamedTuple):
    """One seat's options in all nodes.

    `starts` has the index of each node's first option. The other arrays have a number per option.
    """

    starts: Integers
    probabilities: Floats
    values: Floats
    guarantees: Floats


class StrategyArrays(NamedTuple, Generic[S]):
    kernel: LayeredKernel[S]
    codes: Integers
    #: The value of each node for the seat that moves, or for Player 1 if both choose.
    node_values: Floats
    #: The next nodes of all nodes, in one row. `after_starts` has the index of each node's first.
    after: Nodes
    after_starts: Integers
    sides: tuple[Side, ...]

    def node(self, state: S) -> int:
        """Return the node of a state, or 0 if it is unreachable."""
        code = self.kernel.code(state)
        place = int(self.codes.searchsorted(code))
        return place if place < len(self.codes) and self.codes[place] == code else 0

    def probabilities(self, state: S, seat: Seat) -> list[float]:
        side, own = self.own(state, seat)
        return as_list(side.probabilities[own])

    def values(self, state: S, seat: Seat) -> list[float]:
        side, own = self.own(state, seat)
        return as_list(side.values[own])

    def guarantees(self, state: S, seat: Seat) -> list[float]:
        side, own = self.own(state, seat)
        return as_list(side.guarantees[own])

    def own(self, state: S, seat: Seat) -> tuple[Side, slice]:
        side, node = self.sides[seat if len(self.sides) > 1 else 0], self.node(state)
        return side, slice(side.starts[node], side.starts[node + 1])

    def following(self, state: S) -> list[float]:
        node = self.node(state)
        found = self.node_values[self.after[self.after_starts[node] : self.after_starts[node + 1]]]
        # If the seats move in turn, the next values belong to the other seat.
        sign = -1 if self.kernel.in_turn and self.kernel.mover(state) is Seat.ONE else 1
        return as_list(sign * found + 0.0)


@dataclass(frozen=True)
class ArrayPolicy(Generic[S, M, E]):
    """A policy that is stored as arrays of probabilities.

    `best_response` and `expected` read the arrays, which is faster than calling the policy.

    >>> from number_duels import best_response, load, solve
    >>> game = load("number-knot", numbers=3, life=4)
    >>> policy = ArrayPolicy.perfect(solve(game, cache=False), error_rate=1.0)
    >>> best_response(game, policy, cache=False)
    Response(values={Seat.ONE: 0.75, Seat.TWO: 0}, exploitability=0.375)
    """

    game: Game[S, M, E]
    arrays: StrategyArrays[S]
    probabilities: tuple[Floats, ...]

    @classmethod
    def perfect(cls, solution: Solution[S, M, E], error_rate: float = 0.0) -> ArrayPolicy[S, M, E]:
        arrays = solution.open_arrays()
        if arrays is None:
            raise ValueError(f"The strategies of {solution.game.title} cannot be stored as arrays.")
        mixed = []
        for side in arrays.sides:
            counts = np.diff(side.starts)
            spread = error_rate / np.repeat(counts, counts)
            mixed.append((1 - error_rate) * side.probabilities + spread)
        return cls(solution.game, arrays, tuple(mixed))

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        options = decision_of(self.game, state, seat).options[seat]
        _, own = self.arrays.own(state, seat)
        odds = self.probabilities[seat if len(self.probabilities) > 1 else 0][own]
        return dict(zip(options, as_list(odds), strict=True))

    def __repr__(self) -> str:
        count = sum(map(len, self.probabilities))
        return f"<{type(self).__name__} of {self.game!r}: {count:,} probabilities>"

    @cached_property
    def actions(self) -> tuple[Actions, ...]:
        """Return, for each side, the indexes of its options in the game's `all_moves`."""
        return option_actions(self.arrays)

    def with_odds(self, odds: ArrayLike) -> Self:
        """Return a policy for the same positions, with the probabilities in `odds`.

        The axes of `odds` are position, seat and action. If the seats take turns, there is no seat
        axis. Illegal actions are ignored, and the others are scaled to a sum of 1.
        """
        sides, count = self.arrays.sides, len(self.arrays.codes) - ENDS
        seats = (len(sides),) if len(sides) > 1 else ()
        shape = (count, *seats, len(self.game.all_moves()))
        given = np.asarray(odds, np.float64)
        if given.shape != shape:
            raise ValueError(f"Probabilities must have the shape {shape}, not {given.shape}.")
        given = given.reshape(count, -1, shape[-1])
        found = []
        for place, (side, actions) in enumerate(zip(sides, self.actions, strict=True)):
            rows, starts = rows_of(side), side.starts[ENDS:-1]
            own = given[rows, place, actions]
            sums = np.add.reduceat(own, starts)
            wrong = ~((sums > 0) & np.isfinite(sums) & (np.minimum.reduceat(own, starts) >= 0))
            if wrong.any():
                raise ValueError(
                    f"The probabilities in position {int(wrong.argmax())} must be 0 or more, and "
                    "at least one legal action must have a probability above 0."
                )
            found.append(own / sums[rows])
        twin = copy(self)
        vars(twin)["probabilities"] = tuple(found)
        return twin

    def strategies(self, chunk: Chunk, seat: Seat) -> Floats:
        place = seat if len(self.probabilities) > 1 else 0
        starts = self.arrays.sides[place].starts[self.arrays.codes.searchsorted(chunk.codes)]
        width = chunk.after.shape[1 + place]
        found: Floats = self.probabilities[place][starts[:, None] + np.arange(width)]
        return found


def rows_of(side: Side) -> Integers:
    """Return the index of the position to which each option belongs."""
    counts = np.diff(side.starts[ENDS:])
    return np.repeat(np.arange(len(counts)), counts)


def option_actions(arrays: StrategyArrays[S]) -> tuple[Actions, ...]:
    kernel, reached = arrays.kernel, np.zeros(arrays.kernel.size, np.uint8)
    reached[arrays.codes[ENDS:]] = 1
    found = tuple(np.zeros(len(side.values), np.int16) for side in arrays.sides)
    for layer in kernel.layers():
        for codes in chunks(layer, reached):
            nodes = arrays.codes.searchsorted(codes)
            for place, (side, actions) in enumerate(zip(arrays.sides, found, strict=True)):
                moves = kernel.moves(codes, Seat(place))
                actions[side.starts[nodes][:, None] + np.arange(moves.shape[1])] = moves
    return found


def as_list(numbers: Floats) -> list[float]:
    return numbers.tolist()  # type: ignore[no-any-return]  # NumPy's type does not say float


def build(kernel: LayeredKernel[S], solved: Sequence[Section], progress: Progress) -> Tables:
    graph = ReachedGraph(kernel)
    codes = np.concatenate((np.arange(ENDS), ENDS + np.flatnonzero(graph.reached[ENDS:])))
    kind = np.int8 if kernel.in_turn else np.float64
    table: Table = np.frombuffer(checked_numbers(solved[0]), kind)
    seats = 1 if kernel.in_turn else 2
    widths = np.zeros((1 + seats, graph.count + 1), np.int64)
    for chunk in graph.backwards(lambda fraction: progress(fraction / 4)):
        sizes = np.array([chunk.after[0].size, *chunk.after.shape[1:]])
        widths[:, 1 + graph.places[chunk.codes]] = sizes[:, None]
    after_starts, *starts = np.cumsum(widths, axis=1)
    after = np.zeros(after_starts[-1], np.int32)
    flat = [[np.zeros(s[-1]) for _ in range(2 if kernel.in_turn else 3)] for s in starts]
    perfect = PerfectStrategies(kernel, solved)
    for chunk in graph.backwards(lambda fraction: progress((1 + 3 * fraction) / 4)):
        nodes = graph.places[chunk.codes]
        following = graph.places[chunk.after].reshape(len(nodes), -1)
        after[after_starts[nodes][:, None] + np.arange(following.shape[1])] = following
        both = [perfect(chunk, seat) for seat in Seat]
        for side, figures in enumerate(option_figures(table[chunk.after], both)):
            places = starts[side][nodes][:, None] + np.arange(figures[0].shape[1])
            for array, figure in zip(flat[side], figures, strict=True):
                array[places] = figure
    node_values = table[codes].astype(np.float64)
    sections = [codes.data, node_values.data, after.data, after_starts.data]
    for where, arrays in zip(starts, flat, strict=True):
        sections += [where.data, *(array.data for array in arrays)]
    return Tables(tuple(sections), len(codes))


def option_figures(values: Table, both: Sequence[Floats]) -> Iterator[tuple[Floats, ...]]:
    """Yield each side's probabilities and values. If both sides choose, also yield guarantees."""
    if values.ndim == 2:  # the next values belong to the other seat
        yield both[0], 0.0 - values.astype(np.float64)
        return
    rows, columns = both
    yield rows, np.einsum("nij,nj->ni", values, columns), values.min(axis=2)
    yield columns, 0.0 - np.einsum("nij,ni->nj", values, rows), 0.0 - values.max(axis=1)


def unpack(kernel: LayeredKernel[S], sections: Sequence[Section]) -> StrategyArrays[S]:
    codes, node_values, after, after_starts, *rest = (
        np.asarray(checked_numbers(section)) for section in sections
    )
    # If the seats take turns, guarantees equal values.
    rest += rest[2:] if kernel.in_turn else []
    sides = tuple(Side(*rest[first : first + 4]) for first in range(0, len(rest), 4))
    return StrategyArrays(kernel, codes, node_values, after, after_starts, sides)
