"""Operations on NumPy and JAX arrays that machine rules need besides arithmetic."""

from __future__ import annotations

from types import ModuleType
from typing import Any, TypeAlias

Number: TypeAlias = Any

#: Card counts are packed into two words, with this many bits per card.
CARD_BITS, CARD_MASK = 4, 15
#: The first word counts this many cards, so that both words have less than 32 bits.
CARDS_IN_LOW = 7


def is_numpy_array(number: Number) -> bool:
    # NumPy is not imported, because finding a code needs only integers.
    return type(number).__name__ == "ndarray"


def namespace(array: Number) -> ModuleType:
    found: ModuleType = array.__array_namespace__()
    return found


def select(condition: Number, yes: Number, no: Number) -> Number:
    """Return `yes` where the condition is true and `no` elsewhere, without a branch."""
    if isinstance(condition, bool):
        return yes if condition else no
    if is_numpy_array(condition):  # several times as fast as `where`
        return no + condition * (yes - no)
    return namespace(condition).where(condition, yes, no)


def sign(number: Number) -> Number:
    if is_numpy_array(number):
        return namespace(number).sign(number)
    return select(number > 0, 1, 0) - select(number < 0, 1, 0)


def size(bits: Number) -> Number:
    if isinstance(bits, int):
        return bits.bit_count()
    return namespace(bits).bitwise_count(bits).astype(bits.dtype)


def member(bits: Number, n: Number, places: int) -> Number:
    """Return the index of the n-th set bit, counted from 0, in a word of `places` bits."""
    # Each step of this binary search counts the bits in the lower half.
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
    """Return the card at index `ticket` of the sorted deck. `low` and `high` are its counts."""
    card, passed = 1, 0
    for n in range(cards - 1):
        word, place = (low, n) if n < CARDS_IN_LOW else (high, n - CARDS_IN_LOW)
        passed = passed + (word >> (CARD_BITS * place) & CARD_MASK)
        card = card + select(ticket >= passed, 1, 0)
    return card
