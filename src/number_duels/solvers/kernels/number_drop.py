"""Number Drop by layers: a code is both grids as sets of bits, the mover's first."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.number_drop import NumberDrop, State
from number_duels.solvers.kernels.bitsets import members, of_size
from number_duels.solvers.layered import ENDS, LOST, WON, Codes, Layer
from number_duels.solvers.layered_method import LayeredMethod


class Kernel(LayeredMethod[State]):
    """Every pair of grids of Number Drop; who moves first does not matter to it."""

    game: ClassVar = NumberDrop
    in_turn = True

    def __init__(self, game: NumberDrop) -> None:
        self.title = game.title
        self.identity = f"layers side={game.side}"
        self.first = Seat(game.first - 1)
        self.cells = game.side**2
        self.size = ENDS + (1 << 2 * self.cells)
        self.start = self.code(game.start())

    def code(self, state: State) -> int:
        mine, theirs = (
            sum(1 << n - 1 for n in state.left(seat)) for seat in (state.mover, state.mover.other)
        )
        return ENDS + (mine << self.cells) + theirs

    def mover(self, state: State) -> Seat:
        """Values belong to the seat that moves."""
        return state.mover

    def layers(self) -> list[Layer]:
        """By how many numbers both have left together, then by each."""
        counts = [(m, t) for m in range(1, self.cells + 1) for t in range(1, self.cells + 1)]
        sets = [of_size(self.cells, size) for size in range(self.cells + 1)]
        return [
            Layer((mine, theirs), ENDS + (sets[mine] << self.cells), sets[theirs])
            for mine, theirs in sorted(counts, key=sum, reverse=True)
        ]

    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """Two numbers go, and their sum or difference from the other grid; or the last, alone."""
        mine, theirs = np.divmod(codes - ENDS, 1 << self.cells)
        numbers = members(mine, layer.left[0]) + 1
        if layer.left[0] == 1:
            return self.passed(mine, theirs, numbers[:, 0], 0, numbers[:, 0])[:, None]
        found = []
        for a, b in combinations(range(layer.left[0]), 2):
            small, large = numbers[:, a], numbers[:, b]
            found += [
                self.passed(mine, theirs, small, large, result)
                for result in (large + small, large - small)
            ]
        return np.stack(found, axis=1)

    def moves(self, layer: Layer, codes: Codes, seat: Seat) -> Codes:
        """Each pair of one's numbers with either operation; or the last, alone."""
        numbers = members((codes - ENDS) >> self.cells, layer.left[0])
        pairs = np.zeros((self.cells, self.cells), np.int64)
        pairs[np.triu_indices(self.cells, 1)] = np.arange(self.cells * (self.cells - 1) // 2)
        if layer.left[0] == 1:
            return numbers + self.cells * (self.cells - 1)
        small, large = np.array(list(combinations(range(layer.left[0]), 2))).T
        found = pairs[numbers[:, small], numbers[:, large]]
        return (2 * found[:, :, None] + np.arange(2)).reshape(len(codes), -1)

    def passed(
        self, mine: Codes, theirs: Codes, one: Codes, two: Codes | int, result: Codes
    ) -> Codes:
        """The codes after a turn: the opponent moves, and its grid comes first."""
        mine = mine & ~((1 << one | 1 << two) >> 1)
        theirs = theirs & ~(1 << result - 1)
        going = ENDS + (theirs << self.cells) + mine
        # An empty grid has lost; if both are empty, the one whose turn it was has won.
        return np.where(theirs == 0, LOST, np.where(mine == 0, WON, going))
