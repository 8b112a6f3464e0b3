"""Operations of packed rules, besides arithmetic: on whole arrays, of NumPy or of JAX.

Rules are functions of numbers without branches. `adapters/batch/operations.py` has the operations
on single numbers in compiled code.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

#: An int; or an array of them, of NumPy or of JAX: rules do not care.
Number: TypeAlias = Any

#: How many of each card have been laid is kept in this many bits of two words.
CARD_BITS, CARD_MASK = 4, 15
#: How many cards are counted in the first of the two words: both words stay below 32 bits.
CARDS_IN_LOW = 7


def namespace(array: Number) -> ModuleType:
    """The functions that belong to an array: those of NumPy, or of JAX."""
    found: ModuleType = array.__array_namespace__()
    return found


def select(condition: Number, yes: Number, no: Number) -> Number:
    """One of two whole numbers, without a branch."""
    if isinstance(condition, bool):
        return yes if condition else no
    if isinstance(condition, np.ndarray):  # `np.where` takes several times as long
        return no + condition * (yes - no)
    return namespace(condition).where(condition, yes, no)


def sign(number: Number) -> Number:
    """1, 0 or -1."""
    if isinstance(number, np.ndarray):
        return np.sign(number)
    return select(number > 0, 1, 0) - select(number < 0, 1, 0)


def size(bits: Number) -> Number:
    """How many members a set has."""
    if isinstance(bits, int):
        return bits.bit_count()
    return namespace(bits).bitwise_count(bits).astype(bits.dtype)


def member(bits: Number, n: Number, places: int) -> Number:
    """The place of a set's n-th member, counted from 0, among so many places.

    Each round halves what is left: are there more than n members in the lower half?
    """
    place, width = 0, 1 << max(0, (places - 1).bit_length() - 1)
    while width:
        lower = size(bits & ((1 << width) - 1))
        above = n >= lower
        n = n - select(above, lower, 0)
        bits = select(above, bits >> width, bits)
        place = place + select(above, width, 0)
        width >>= 1
    return place


def drawn_card(low: Number, high: Number, ticket: Number, cards: int) -> Number:
    """The card that a ticket draws from a deck; the lowest cards lie first."""
    card, passed = 1, 0
    for n in range(cards - 1):
        word, place = (low, n) if n < CARDS_IN_LOW else (high, n - CARDS_IN_LOW)
        passed = passed + (word >> (CARD_BITS * place) & CARD_MASK)
        card = card + select(ticket >= passed, 1, 0)
    return card
