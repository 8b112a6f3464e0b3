"""Packed states in as few words as hold them: what a device reads and writes at every step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

WORD_BITS = 32


class Field(NamedTuple):
    """Where a number lies: its word, its lowest bit, how many bits; and its least value."""

    word: int
    shift: int
    bits: int
    low: int


@dataclass(frozen=True)
class Packing:
    """How the numbers of a state share words.

    >>> packing = Packing(((0, 511), (-8, 55), (-8, 55), (0, 1)))
    >>> packing.words
    1
    >>> packing.fields[1]
    Field(word=0, shift=9, bits=6, low=-8)
    """

    #: The least and the most that each number can be.
    bounds: tuple[tuple[int, int], ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The widest first, each in the first word that has room for it."""
        used: list[int] = []
        found: dict[int, Field] = {}
        sizes = [(high - low).bit_length() for low, high in self.bounds]
        for place in sorted(range(len(sizes)), key=lambda n: -sizes[n]):
            bits = sizes[place]
            word = next((w for w, u in enumerate(used) if u + bits <= WORD_BITS), len(used))
            if word == len(used):
                used.append(0)
            found[place] = Field(word, used[word], bits, self.bounds[place][0])
            used[word] += bits
        return tuple(found[place] for place in range(len(sizes)))

    @property
    def words(self) -> int:
        return 1 + max(field.word for field in self.fields)
