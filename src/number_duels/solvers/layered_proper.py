"""Proper mixtures on whole layers of a game at once, where both seats choose at once."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import S, Seat
from number_duels.solvers.layered import ENDS, Codes, Layer, LayeredKernel, chunks
from number_duels.solvers.proper import proper_corners
from number_duels.solvers.tie_break import TIE

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]


#: After this many separate questions all that is left is worked out at once.
MAX_SEPARATE_FILLS = 16


class Chunk(NamedTuple):
    """The codes of some states of one layer, and of what may follow them."""

    codes: Codes
    after: Codes


class ProperMixtures:
    """What both seats play in the states of a chunk; called from the ends to the start."""

    def __init__(self, table: Floats) -> None:
        self.table = table
        #: Player 1's result when a seat plays by its strategy and the other at random.
        self.against_random = np.full((2, len(table)), np.nan)
        self.against_random[:, :ENDS] = -1, 0, 1

    def __call__(self, chunk: Chunk) -> tuple[Floats, Floats]:
        codes, after = chunk
        values = self.table[after]
        one = self.against_random[Seat.ONE, after].mean(axis=2)
        two = self.against_random[Seat.TWO, after].mean(axis=1)
        rows = mixtures(values, one)
        columns = mixtures(-values.transpose(0, 2, 1), -two)
        self.against_random[Seat.ONE, codes] = np.einsum("ni,ni->n", rows, one)
        self.against_random[Seat.TWO, codes] = np.einsum("nj,nj->n", columns, two)
        return rows, columns


class RandomPlay(Generic[S]):
    """What a seat's strategy brings Player 1 against random play, worked out where it is asked."""

    def __init__(self, kernel: LayeredKernel[S], table: Floats) -> None:
        self.kernel = kernel
        self.proper = ProperMixtures(table)
        self.fills = 0

    def __call__(self, state: S, seat: Seat) -> float:
        code = self.kernel.code(state)
        if np.isnan(self.proper.against_random[seat, code]):
            self.fills += 1
            self.fill(code if self.fills <= MAX_SEPARATE_FILLS else self.kernel.start)
        return float(self.proper.against_random[seat, code])

    def fill(self, code: int) -> None:
        """Work out a state and all that may follow it and is not known."""
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


def mixtures(matrices: Floats, gains: Floats) -> Floats:
    """A proper mixture of the rows of each matrix: of several the one that gains most."""
    firsts, which = distinct(matrices)
    corners = [proper_corners(matrix) for matrix in matrices[firsts].tolist()]
    found: Floats = np.array([several[0] for several in corners])[which]
    members = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[members], np.arange(len(corners) + 1))
    for number, several in enumerate(corners):
        if len(several) > 1:
            own = members[starts[number] : starts[number + 1]]
            options = np.array(several)
            scores = gains[own] @ options.T
            best = scores >= scores.max(axis=1, keepdims=True) - TIE
            found[own] = options[best.argmax(axis=1)]
    return found


def distinct(matrices: Floats) -> tuple[Places, Places]:
    """Where each distinct matrix stands first, and which of them every matrix is."""
    flat = np.ascontiguousarray(matrices + 0.0).reshape(len(matrices), -1)
    words = flat.view(np.uint64)
    keys = np.random.default_rng(0).integers(1, 1 << 63, flat.shape[1], np.uint64) | np.uint64(1)
    digests = ((words ^ words >> np.uint64(32)) * keys).sum(axis=1, dtype=np.uint64)
    _, firsts, which = np.unique(digests, return_index=True, return_inverse=True)
    if not np.array_equal(flat, flat[firsts[which]]):  # two matrices share a digest
        _, firsts, which = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    return firsts, which.ravel()
