"""Randomness, passed in and split by purpose: equal seeds give equal games."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import lcm
from os import urandom
from random import Random
from typing import TypeVar

E = TypeVar("E", bound=Hashable)


def stream(seed: int, *purpose: object) -> Random:
    """A source of its own for a purpose: the n-th draw, a seat's n-th choice, the deal."""
    return Random("/".join(map(str, (seed, *purpose))))


#: Short enough to be typed again.
SEED_BYTES = 6
#: For games with people who must not find it out: too many to try, however much they have seen.
SECRET_SEED_BYTES = 16


def fresh_seed(size_bytes: int = SEED_BYTES) -> int:
    """A new seed, for a game that was not given one."""
    return int.from_bytes(urandom(size_bytes))


def toss(seed: int) -> int:
    """A coin for who goes first, 1 or 2; the same seed throws the same side."""
    return stream(seed, "first").randint(1, 2)


def sample(odds: Mapping[E, Fraction], rng: Random) -> E:
    """One event, with exactly its odds."""
    whole = lcm(*(odd.denominator for odd in odds.values()))
    ticket = rng.randrange(whole)
    for event, odd in odds.items():
        ticket -= odd.numerator * (whole // odd.denominator)
        if ticket < 0:
            return event
    raise ValueError("the odds of a chance turn must sum to 1")
