"""The compiled part of the kernel for Number Drop. Importing it imports Numba.

The place of a number is the index of its bit in a set. Places below 6 select a bit in a 64-bit
word, and higher places select the word.
"""

from __future__ import annotations

import numpy as np

from number_duels.solvers.kernels.number_drop import Bits, Sets
from number_duels.solvers.numba_cache import compiled

#: For each place in a word: a mask of the sets without that number.
WITHOUT = np.array(
    [sum(1 << bit for bit in range(64) if not bit >> place & 1) for place in range(6)], np.uint64
)
NOWHERE = -1


@compiled
def struck(total: int, cells: int) -> int:
    """Return the place of the number `total`, or `NOWHERE` if the grid has no such number."""
    return total - 1 if total <= cells else NOWHERE


@compiled
def without(numbers: int, place: int) -> int:
    return numbers if place == NOWHERE else numbers & ~(1 << place)


@compiled
def fill(cells: int, sets: Sets, rows: Bits, columns: Bits) -> None:
    """Fill the rows and columns of `sets`, which have the same size. Process small sets first."""
    for own in sets:
        if own:
            rows[own, 0] |= np.uint64(1)
            fill_row(cells, own, columns, rows[own])
    for other in sets:
        if other:
            fill_column(cells, other, rows, columns[other])
        else:
            columns[0] = ~np.uint64(0)
            columns[0, 0] = ~np.uint64(1)


@compiled
def fill_row(cells: int, own: int, columns: Bits, row: Bits) -> None:
    for low in range(cells):
        if own == 1 << low:
            win_by_row(columns[0], low, row)
        for high in range(low + 1, cells):
            pair = 1 << low | 1 << high
            if own & pair == pair:
                left = columns[own ^ pair]
                win_by_row(left, struck(low + high + 2, cells), row)
                win_by_row(left, high - low - 1, row)


@compiled
def fill_column(cells: int, other: int, rows: Bits, column: Bits) -> None:
    for low in range(cells):
        if other == 1 << low:  # the same number alone strikes it
            column[other >> 6] |= np.uint64(1) << np.uint64(other & 63)
        for high in range(low + 1, cells):
            total = without(other, struck(low + high + 2, cells))
            win_by_column(rows[total], low, high, column)
            win_by_column(rows[without(other, high - low - 1)], low, high, column)


@compiled
def win_by_row(column: Bits, place: int, row: Bits) -> None:
    if place == NOWHERE:
        for word in range(len(row)):
            row[word] |= ~column[word]
    elif place < 6:
        shift = np.uint64(1 << place)
        for word in range(len(row)):
            kept = column[word] & WITHOUT[place]
            row[word] |= ~(kept | kept << shift)
    else:
        for word in range(len(row)):
            row[word] |= ~column[word & ~(1 << place - 6)]


@compiled
def win_by_column(row: Bits, low: int, high: int, column: Bits) -> None:
    inside, step = masks_of(low, high)
    shift = shift_of(low, high)
    for word in range(len(column)):
        if word & step == step:
            column[word] |= (~row[word ^ step] & inside) << shift


@compiled
def masks_of(low: int, high: int) -> tuple[np.uint64, int]:
    """Return two masks for these places: one for bits in a word, one for the index of the word."""
    inside, step = ~np.uint64(0), 0
    for place in (low, high):
        if place < 6:
            inside &= WITHOUT[place]
        else:
            step |= 1 << place - 6
    return inside, step


@compiled
def shift_of(low: int, high: int) -> np.uint64:
    """Return how many bits a set moves within its word if it loses these two numbers."""
    shift = 0
    for place in (low, high):
        if place < 6:
            shift += 1 << place
    return np.uint64(shift)


@compiled
def reach(cells: int, sets: Sets, by_own: Bits, by_other: Bits) -> None:
    """Mark every position that is one move after a marked position.

    `by_own` marks positions with the first player to move, `by_other` those with the other player
    to move. The first player has one of `sets`, which all have the same size. Process large sets
    first.
    """
    for other in sets:
        for low in range(cells):
            for high in range(low + 1, cells):
                total = struck(low + high + 2, cells)
                spend(by_other[other], low, high, by_own[without(other, total)])
                spend(by_other[other], low, high, by_own[without(other, high - low - 1)])
            alone = 1 << low
            if by_other[other, alone >> 6] >> np.uint64(alone & 63) & np.uint64(1):
                by_own[without(other, low), 0] |= np.uint64(1)
    for own in sets:
        for low in range(cells):
            if own == 1 << low:
                strike(by_own[own], low, by_other[0])
            for high in range(low + 1, cells):
                pair = 1 << low | 1 << high
                if own & pair == pair:
                    strike(by_own[own], struck(low + high + 2, cells), by_other[own ^ pair])
                    strike(by_own[own], high - low - 1, by_other[own ^ pair])


@compiled
def strike(row: Bits, place: int, into: Bits) -> None:
    """For every set of `row`, mark the set without the number at `place` in `into`."""
    if place == NOWHERE:
        for word in range(len(row)):
            into[word] |= row[word]
    elif place < 6:
        shift = np.uint64(1 << place)
        for word in range(len(row)):
            into[word] |= (row[word] | row[word] >> shift) & WITHOUT[place]
    else:
        for word in range(len(row)):
            into[word & ~(1 << place - 6)] |= row[word]


@compiled
def spend(row: Bits, low: int, high: int, into: Bits) -> None:
    """For every set of `row` that has both numbers, mark the set without them in `into`."""
    inside, step = masks_of(low, high)
    shift = shift_of(low, high)
    for word in range(len(row)):
        if word & step == step:
            into[word ^ step] |= row[word] >> shift & inside


@compiled
def unfinished(reached: Bits) -> int:
    found = 0
    for index in range(1, len(reached)):
        for word in range(reached.shape[1]):
            bits = reached[index, word]
            if word == 0:
                bits &= ~np.uint64(1)
            while bits:
                bits &= bits - np.uint64(1)
                found += 1
    return found
