"""Random numbers by splitmix64, with a stream per game, for plain Python and compiled code."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

#: An unsigned 64-bit number: an int in Python, np.uint64 in compiled code.
Word: TypeAlias = int

GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MULTIPLIER_1, MULTIPLIER_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
UINT64_MASK, UINT32_MASK = (1 << 64) - 1, (1 << 32) - 1


def mix(word: Word) -> Word:
    word = (word ^ (word >> 30)) * MULTIPLIER_1 & UINT64_MASK
    word = (word ^ (word >> 27)) * MULTIPLIER_2 & UINT64_MASK
    return word ^ (word >> 31)


def stream_start(seed: Word, index: Word, played: Word) -> Word:
    """Return the start of a game's stream. `played` counts the earlier games at this index."""
    word = mix(seed) + index * GOLDEN_GAMMA & UINT64_MASK
    return mix(mix(word) + played * GOLDEN_GAMMA & UINT64_MASK)


def next_stream(stream: Word) -> Word:
    return stream + GOLDEN_GAMMA & UINT64_MASK


def drawn_seat(stream: Word) -> int:
    """Return a random seat, 0 or 1, from a random number that no turn uses."""
    return int(np.int64(mix(stream - GOLDEN_GAMMA & UINT64_MASK) & 1))


def pick_upper(number: Word, choices: int) -> int:
    return int(np.int64(number >> 32) * choices >> 32)


def pick_lower(number: Word, choices: int) -> int:
    return int(np.int64(number & UINT32_MASK) * choices >> 32)
