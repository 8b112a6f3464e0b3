"""Random generators derived from a seed, so that equal seeds give equal games."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import lcm
from os import urandom
from random import Random
from typing import TypeVar

E = TypeVar("E", bound=Hashable)


def stream(seed: int, *purpose: object) -> Random:
    """Return a random generator for one purpose, such as the deal or the n-th draw."""
    return Random("/".join(map(str, (seed, *purpose))))


#: The size of a seed that is short enough to retype.
SEED_BYTES = 6
#: The size of a seed that players cannot guess, even from the cards they have seen.
SECRET_SEED_BYTES = 16


def fresh_seed(size_bytes: int = SEED_BYTES) -> int:
    return int.from_bytes(urandom(size_bytes))


def toss(seed: int) -> int:
    """Use a seed to choose which player goes first, 1 or 2."""
    return stream(seed, "first").randint(1, 2)


def sample(odds: Mapping[E, Fraction], rng: Random) -> E:
    whole = lcm(*(odd.denominator for odd in odds.values()))
    ticket = rng.randrange(whole)
    for event, odd in odds.items():
        ticket -= odd.numerator * (whole // odd.denominator)
        if ticket < 0:
            return event
    raise ValueError("the odds of the chance events must sum to 1")
