"""The random numbers of compiled games: splitmix64, from a place of its own for every game.

The place depends on the seed, on the game's index and on how many games were played before it
there, and every turn has one number: so no game knows how many others are played beside it.
"""

from __future__ import annotations

import numpy as np

from number_duels.adapters.batch.compiled.jit import rule

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@rule
def mix(word: np.uint64) -> np.uint64:
    """A number as good as random for every word."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return word ^ (word >> np.uint64(31))


@rule
def opening(seed: np.uint64, index: int, played: int) -> np.uint64:
    """Where the stream of a game begins; its n-th turn has `mix(opening + n * GOLDEN)`."""
    return mix(mix(mix(seed) + np.uint64(index) * GOLDEN) + np.uint64(played) * GOLDEN)


@rule
def upper(number: np.uint64, choices: int) -> int:
    """One of some choices by a number's upper half; all are equally likely to 1 part in 2**25."""
    return int(np.int64(((number >> HALF) * np.uint64(choices)) >> HALF))


@rule
def lower(number: np.uint64, choices: int) -> int:
    """One of some choices by a number's lower half."""
    return int(np.int64(((number & LOW) * np.uint64(choices)) >> HALF))
