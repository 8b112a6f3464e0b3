"""Backward induction on whole layers of a game at once, for kernels that number their states.

A kernel gives every state a code. Codes 0, 1 and 2 are the ends: lost, drawn
and won, to the seat that would be next to move; where both choose at once, to
Player 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import S, Seat
from number_duels.solvers import batch_simplex
from number_duels.solvers.errors import TooLarge
from number_duels.solvers.protocols import Progress, Section, Tables

Codes: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[np.int8 | np.float64]

LOST, DRAWN, WON = 0, 1, 2
ENDS = 3

#: How many states are worked on at a time: few enough to stay near the processor.
MAX_CHUNK_STATES = 1 << 14

#: The largest tables that are made, in bytes.
MAX_TABLE_BYTES = 1 << 31

FIRST_MOVES, SECOND_MOVES, BOTH = 1, 2, 3
UNREACHED = -128


class Layer(NamedTuple):
    """States with equally many options: the sums of each head and each tail are their codes."""

    left: tuple[int, ...]
    heads: Codes
    tails: Codes


class LayeredKernel(ABC, Generic[S]):
    """A kernel: a game whose states have codes, layer by layer."""

    #: Whether the seats move in turn; otherwise both choose at once.
    in_turn: bool
    #: Whether it is faster than plain induction with these settings.
    pays: ClassVar[bool] = True
    #: The game's title, for messages.
    title: str
    #: Which settings the table depends on.
    identity: str
    #: Who moves first, where the seats move in turn.
    first: Seat = Seat.ONE
    #: How many codes there are, and the code of the start.
    size: int
    start: int

    @abstractmethod
    def code(self, state: S) -> int:
        """The code of an unfinished state."""

    @abstractmethod
    def mover(self, state: S) -> Seat:
        """To whom the value at a state's code belongs."""

    @abstractmethod
    def layers(self) -> Sequence[Layer]:
        """The layers from start to end; what follows a state is on a later layer, or an end."""

    @abstractmethod
    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """What may follow each of the states: a row each, or a matrix where both choose.

        Rows and columns are in the order of the game's options.
        """

    @abstractmethod
    def moves(self, layer: Layer, codes: Codes, seat: Seat) -> Codes:
        """The options of a seat in each of the states, as places in the game's `all_moves`."""

    def mirror(self, layer: Layer, codes: Codes) -> Codes:
        """The same states with the seats exchanged, where both choose at once."""
        return codes

    def table_bytes(self) -> int:
        return self.size * (1 if self.in_turn else 8)

    def solve(self, progress: Progress) -> Tables:
        """The value of every state that can be reached."""
        check_size(self.title, self.size, 2 if self.in_turn else 9)
        reached, states = explore(self, lambda fraction: progress(fraction / 2))
        table = fill_table(self, reached, lambda fraction: progress((1 + fraction) / 2))
        return Tables((table.data,), states)

    def value(self, state: S, sections: Sequence[Section]) -> float | None:
        """What an unfinished state is worth to Player 1; None: it cannot arise."""
        code = self.code(state)
        found = sections[0][code] if 0 <= code < self.size else UNREACHED
        if found == UNREACHED:
            return None
        return float(found if self.mover(state) is Seat.ONE else -found)


def check_size(title: str, entries: int, width: int) -> None:
    """Refuse a table that would not fit, before it is made."""
    if entries * width > MAX_TABLE_BYTES:
        raise TooLarge(
            f"{title} with these settings cannot be solved: its table would have "
            f"{entries:,} states and take {entries * width / 2**30:,.1f} GiB; "
            f"at most {MAX_TABLE_BYTES / 2**30:.0f} GiB are used."
        )


def explore(game: LayeredKernel[S], progress: Progress) -> tuple[NDArray[np.uint8], int]:
    """Which codes can be reached, by whose turn, and how many keys that makes."""
    layers, states = game.layers(), 0
    reached = np.zeros(game.size, np.uint8)
    reached[game.start] = FIRST_MOVES
    for number, layer in enumerate(layers):
        for codes in chunks(layer, reached):
            after = game.follow(layer, codes)
            for turn in (FIRST_MOVES, SECOND_MOVES):
                chosen = reached[codes] & turn > 0
                states += int(np.count_nonzero(chosen))
                then = turn ^ BOTH if game.in_turn else turn
                mark(reached, after[chosen], then)
        progress((number + 1) / len(layers))
    return reached, states


def mark(reached: NDArray[np.uint8], codes: Codes, turn: int) -> None:
    """Note that codes can be reached on a turn."""
    # Equal codes read and write the same, so they may come more than once.
    reached[codes] |= np.uint8(turn)


def fill_table(game: LayeredKernel[S], reached: NDArray[np.uint8], progress: Progress) -> Table:
    """The values of all codes that can be reached, from the ends to the start."""
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
    """Solve one of each two states that differ by an exchange of seats; it values both."""
    mirrored = game.mirror(layer, codes)
    one_of_two = codes <= mirrored
    codes, mirrored = codes[one_of_two], mirrored[one_of_two]
    found = batch_simplex.values(table[game.follow(layer, codes)].astype(np.float64, copy=False))
    # A state that is its own exchange is worth exactly nothing to either.
    found[codes == mirrored] = 0.0
    table[mirrored] = -found
    table[codes] = found


def chunks(layer: Layer, reached: NDArray[np.uint8]) -> Iterator[Codes]:
    """The codes of a layer that can be reached, some at a time."""
    step = max(1, MAX_CHUNK_STATES // len(layer.tails))
    for first in range(0, len(layer.heads), step):
        codes = (layer.heads[first : first + step, None] + layer.tails).ravel()
        codes = codes[reached[codes] > 0]
        if codes.size:
            yield codes
