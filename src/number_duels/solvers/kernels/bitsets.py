"""Sets of small numbers as bits, many sets at a time."""

from __future__ import annotations

import numpy as np

from number_duels.solvers.layered import Codes


def of_size(numbers: int, size: int) -> Codes:
    """All sets of a size, as bits, in order.

    >>> of_size(3, 2).tolist()
    [3, 5, 6]
    """
    every = np.arange(1 << numbers)
    found: Codes = every[np.bitwise_count(every) == size]
    return found


def members(sets: Codes, size: int) -> Codes:
    """The members of sets that all have a size: a row each, counted from 0, in order.

    >>> members(np.array([3, 5, 6]), 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    found = np.empty((len(sets), size), np.int64)
    left = sets.copy()
    for place in range(size):
        lowest = left & -left
        found[:, place] = np.bitwise_count(lowest - 1)
        left ^= lowest
    return found
