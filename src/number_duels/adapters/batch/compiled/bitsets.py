"""Sets of small numbers as bits, for compiled rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.compiled.jit import inlined

#: Sets are looked up this many bits at a time.
CHUNK = 10

#: Every second bit, two of four, four of eight, and the lowest of eight.
PAIRS, FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
EIGHTS, LOWEST = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


def places() -> npt.NDArray[np.int8]:
    """For every small set, the places of its members in order."""
    found = np.zeros((1 << CHUNK, CHUNK + 6), np.int8)
    for bits in range(1 << CHUNK):
        members = [place for place in range(CHUNK) if bits >> place & 1]
        found[bits, : len(members)] = members
    return found


PLACES = places()


@inlined
def size(bits: int) -> int:
    """How many members a set has; written so that the compiler makes one instruction of it."""
    word = np.uint64(bits)
    word = word - ((word >> np.uint64(1)) & PAIRS)
    word = (word & FOURS) + ((word >> np.uint64(2)) & FOURS)
    word = (word + (word >> np.uint64(4))) & EIGHTS
    return int(np.int64((word * LOWEST) >> np.uint64(56)))


@inlined
def member(bits: int, n: int) -> int:
    """The place of a set's n-th member, counted from 0."""
    base = 0
    while True:
        chunk = bits & ((1 << CHUNK) - 1)
        here = size(chunk)
        if n < here:
            return base + int(PLACES[chunk, n])
        n -= here
        bits >>= CHUNK
        base += CHUNK
