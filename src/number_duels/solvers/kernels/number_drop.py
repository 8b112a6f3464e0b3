"""The kernel for Number Drop on large grids. It computes 64 positions at a time.

A position is two sets of numbers. Its value is one bit, because there are no draws. A row belongs
to one set of the mover and has one bit per set of the opponent. A column belongs to one set of the
opponent and has one bit per set of the mover.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Never, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import Seat
from number_duels.games.number_drop import Attack, NumberDrop, State
from number_duels.solvers.cache import Progress, Section, Tables
from number_duels.solvers.induction import Method
from number_duels.solvers.layered import check_size

#: Rows or columns: one line per set, and one bit per set of the other player.
Bits: TypeAlias = NDArray[np.uint64]
Sets: TypeAlias = NDArray[np.int64]
#: On grids with at least this side, other methods need too much memory.
LARGE_SIDE = 4


class Kernel(Method[State, Attack, Never]):
    """Solves Number Drop for every pair of sets, even pairs that cannot occur."""

    def __init__(self, game: NumberDrop) -> None:
        self.rules, self.cells = game, game.side**2
        self.identity = f"bits side={game.side}"
        self.pays = game.side >= LARGE_SIDE
        # Importing Numba here would slow down opening a cached solution.
        if self.pays and not find_spec("numba"):
            raise ModuleNotFoundError("Numba is not installed.", name="numba")

    def table_bytes(self) -> int:
        return 1 << 2 * self.cells - 3

    def solve(self, progress: Progress) -> Tables:
        check_size(self.rules.title, 4**self.cells, 2 / 8)  # two tables of bits
        from number_duels.solvers.kernels import number_drop_compiled as compiled

        shape = 1 << self.cells, 1 << self.cells - 6
        ordered = [np.flatnonzero(sizes(self.cells) == size) for size in range(self.cells + 1)]
        steps = 2 * self.cells
        reached = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
        reached[0][-1, -1] = 1 << 63  # at the start, both have all numbers
        for done, sets in enumerate(reversed(ordered[1:]), 1):
            compiled.reach(self.cells, sets, *reached)
            progress(done / steps)
        states = sum(map(compiled.unfinished, reached))
        del reached
        rows, columns = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
        for done, sets in enumerate(ordered):
            compiled.fill(self.cells, sets, rows, columns)
            progress((self.cells + done) / steps)
        return Tables((rows.reshape(-1).data,), states)

    def value(self, state: State, sections: Sequence[Section]) -> float | None:
        one, two = (sum(1 << n - 1 for n in state.left(seat)) for seat in Seat)
        own, other = (one, two) if state.mover is Seat.ONE else (two, one)
        index = own << self.cells | other
        wins = int(sections[0][index >> 6]) >> (index & 63) & 1
        return 1.0 if wins == (state.mover is Seat.ONE) else -1.0


def sizes(cells: int) -> Sets:
    """Return the size of each of the `2 ** cells` sets.

    >>> sizes(2).tolist()
    [0, 1, 1, 2]
    """
    found = np.zeros(1, np.int64)
    for _ in range(cells):
        found = np.concatenate((found, found + 1))
    return found
