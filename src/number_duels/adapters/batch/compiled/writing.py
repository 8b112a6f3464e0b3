"""How what is seen and what is open is written into the arrays of a batch."""

# ruff: noqa: ARG001, PLR0917 -- compiled functions are called alike, and by place

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.adapters.batch.compiled.known import Ints
from number_duels.adapters.batch.compiled.stores import store_word
from number_duels.adapters.packed.rules import Rules, State

Bytes: TypeAlias = npt.NDArray[np.uint8]


def make_show(rules: Rules) -> Callable[..., None]:
    """How the words that a seat sees are spread over a place of a row."""
    observe, counts = rules.observe, rules.counts
    write = nothing_yet
    for n, width in enumerate(rules.widths):
        write = make_write(write, n, width)

    @inlined
    def show(settings: object, state: State, seat: int, out: Ints, index: int, place: int) -> None:
        write(observe(settings, state, seat), counts(settings), out, index, place)

    return show


@inlined
def nothing_yet(
    seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
) -> np.uintp:
    """How many numbers of an observation are written: none."""
    return np.uintp(0)


def make_write(before: Callable[..., np.uintp], n: int, width: int) -> Callable[..., np.uintp]:
    """How the n-th word is written after those before it.

    A function for each, so that no loop has to find out at every step what kind of word it has.
    """
    mask = (1 << width) - 1

    @inlined
    def write_one(
        seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
    ) -> np.uintp:
        begin = before(seen, counts, out, index, place)
        out[index, place, begin] = seen[n]
        return begin + np.uintp(1)

    @inlined
    def write_spread(
        seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
    ) -> np.uintp:
        begin, word = before(seen, counts, out, index, place), seen[n]
        for part in range(counts[n]):
            out[index, place, begin + np.uintp(part)] = word >> (width * part) & mask
        return begin + np.uintp(counts[n])

    return write_spread if width else write_one


def make_mark(rules: Rules) -> Callable[..., None]:
    """How what is open to a seat is written into a place of a row."""
    is_open, bits = inlined(rules.options.open), rules.options.bits

    @inlined
    def mark(settings: object, state: State, seat: int, out: Bytes, index: int, place: int) -> None:
        for action in range(out.shape[2]):
            out[index, place, action] = is_open(settings, state, seat, action)

    if bits is None:
        return mark
    return make_mark_of_bits(inlined(bits), rules.options.doubling)


def make_mark_of_bits(bits: Callable[..., int], doubling: int) -> Callable[..., None]:
    """The same where each bit of a word stands for one action or two: four bits at once.

    A product moves them as far apart as their actions are, as no sum in it has a carry.
    """
    times, four = 1 << doubling, range(4)
    apart = 8 * times
    spread = np.uint64(sum(1 << n * (apart - 1) for n in four))
    lowest = np.uint64(sum(1 << n * apart for n in four))
    repeat = np.uint64(sum(1 << 8 * n for n in range(times)))
    word_of = {1: np.uint32, 2: np.uint64}[times]

    @inlined
    def mark(settings: object, state: State, seat: int, out: Bytes, index: int, place: int) -> None:
        word = np.uint64(bits(settings, state, seat))
        actions = out.shape[2]
        begin = (index * np.uintp(out.shape[1]) + place) * np.uintp(actions)
        fours = actions // (4 * times)
        for n in range(fours):
            part = (word >> np.uint64(4 * n)) & np.uint64(15)
            marks = ((part * spread) & lowest) * repeat
            store_word(out, begin + np.uintp(4 * times * n), word_of(marks))
        for action in range(4 * times * fours, actions):
            is_open = (word >> np.uint64(action >> doubling)) & np.uint64(1)
            out[index, place, np.uintp(action)] = is_open

    return mark
