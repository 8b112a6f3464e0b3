"""Compiled versions of the machine rules' operations on single numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from numba.extending import overload, register_jitable

from number_duels.machine import operations
from number_duels.machine.operations import CARD_BITS, CARDS_IN_LOW

Function = TypeVar("Function", bound=Callable[..., object])


INLINED: set[Callable[..., object]] = set()


def inlined(function: Function) -> Function:
    """Make a function callable from compiled code, and return it unchanged."""
    if function not in INLINED:
        INLINED.add(function)
        register_jitable(forceinline=True)(function)
    return function


CHUNK = 10

#: Masks: every second bit, two of four, four of eight, and the lowest of eight.
PAIRS, FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
EIGHTS, LOWEST = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
HIGH_BITS, BYTE = np.uint64(0x8080808080808080), np.uint64(0xFF)
LOW_WORD_BITS = CARD_BITS * CARDS_IN_LOW


def places() -> npt.NDArray[np.int8]:
    """Return a table with one row per `CHUNK`-bit number.

    A row lists the positions of the number's set bits in ascending order.
    """
    found = np.zeros((1 << CHUNK, CHUNK + 6), np.int8)
    for bits in range(1 << CHUNK):
        members = [place for place in range(CHUNK) if bits >> place & 1]
        found[bits, : len(members)] = members
    return found


PLACES = places()


@inlined
def select(condition: bool, yes: int, no: int) -> int:
    return yes if condition else no


@inlined
def sign(number: int) -> int:
    return (1 if number > 0 else 0) - (1 if number < 0 else 0)


@inlined
def size(bits: int) -> int:
    # The compiler turns this into one instruction.
    word = np.uint64(bits)
    word = word - ((word >> np.uint64(1)) & PAIRS)
    word = (word & FOURS) + ((word >> np.uint64(2)) & FOURS)
    word = (word + (word >> np.uint64(4))) & EIGHTS
    return int(np.int64((word * LOWEST) >> np.uint64(56)))


@inlined
def member(bits: int, n: int, _: int) -> int:
    """Return the position of set bit `n`, from 0. With too few bits, the result has no meaning."""
    base = 0
    while bits:
        chunk = bits & ((1 << CHUNK) - 1)
        here = size(chunk)
        if n < here:
            return base + int(PLACES[chunk, n])
        n -= here
        bits >>= CHUNK
        base += CHUNK
    return 0


@inlined
def drawn_card(low: int, high: int, ticket: int, _: int) -> int:
    # Each byte counts two adjacent values, so that one multiplication computes all running totals.
    deck = low | high << LOW_WORD_BITS
    odd = np.uint64(deck) & EIGHTS
    sums = (odd + (np.uint64(deck >> CARD_BITS) & EIGHTS)) * LOWEST
    passed = (np.uint64(ticket) * LOWEST | HIGH_BITS) - sums
    pair = size(int(np.int64((passed & HIGH_BITS) >> np.uint64(7))))
    ticket -= int(np.int64(((sums << np.uint64(8)) >> np.uint64(8 * pair)) & BYTE))
    first = int(np.int64((odd >> np.uint64(8 * pair)) & BYTE))
    return 2 * pair + 1 + (ticket >= first)


def use(plain: Callable[..., object], compiled: Callable[..., object]) -> None:
    overload(plain, jit_options={"forceinline": True}, strict=False)(lambda *_: compiled)


for name in ("select", "sign", "size", "member", "drawn_card"):
    use(getattr(operations, name), globals()[name])
