"""The random numbers of a batch: splitmix64, with a stream of its own for every game.

Where a stream begins depends on the seed, on the game's index and on how many games were played
there before, and every turn takes one number: so no game knows how many others are played
beside it. Plain Python and compiled code share these functions; words are masked for the sake of
Python.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

#: 64 bits without a sign: a plain int in Python, np.uint64 in compiled code.
Word: TypeAlias = int

GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MULTIPLIER_1, MULTIPLIER_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
UINT64_MASK, UINT32_MASK = (1 << 64) - 1, (1 << 32) - 1


def mix(word: Word) -> Word:
    """A number as good as random for every word."""
    word = (word ^ (word >> 30)) * MULTIPLIER_1 & UINT64_MASK
    word = (word ^ (word >> 27)) * MULTIPLIER_2 & UINT64_MASK
    return word ^ (word >> 31)


def stream_start(seed: Word, index: Word, played: Word) -> Word:
    """Where the stream of a game begins; its n-th turn has the number `mix(start + n * gamma)`."""
    word = mix(seed) + index * GOLDEN_GAMMA & UINT64_MASK
    return mix(mix(word) + played * GOLDEN_GAMMA & UINT64_MASK)


def next_stream(stream: Word) -> Word:
    return stream + GOLDEN_GAMMA & UINT64_MASK


def drawn_seat(stream: Word) -> int:
    """A seat for a game whose stream begins here: by the number before its first turn's."""
    return int(np.int64(mix(stream - GOLDEN_GAMMA & UINT64_MASK) & 1))


def pick_upper(number: Word, choices: int) -> int:
    """One of some choices by a number's upper half; all are equally likely to 1 part in 2**25."""
    return int(np.int64(number >> 32) * choices >> 32)


def pick_lower(number: Word, choices: int) -> int:
    """One of some choices by a number's lower half."""
    return int(np.int64(number & UINT32_MASK) * choices >> 32)
