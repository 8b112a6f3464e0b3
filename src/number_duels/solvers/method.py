"""What every way to solve a game gives: tables of numbers, and how to look a state up in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

#: Told, now and then, which fraction of the work is done.
Progress: TypeAlias = Callable[[float], None]

S_contra = TypeVar("S_contra", contravariant=True)


class Section(Protocol):
    """Numbers that are looked up by position, in memory or in a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> float: ...


@dataclass(frozen=True)
class Tables:
    """A solved game: sections of numbers, and how many keys it has before its ends."""

    sections: tuple[memoryview, ...]
    states: int


class Method(Protocol[S_contra]):
    """One way to solve one game with its settings."""

    #: The method, and the settings that matter to its tables.
    identity: str

    def solve(self, progress: Progress) -> Tables:
        """Solve the game; the work is done here."""

    def value(self, state: S_contra, sections: Sequence[Section]) -> float | None:
        """What an unfinished state is worth to Player 1; None: it cannot arise."""


@runtime_checkable
class SlipMethod(Protocol):
    """A method that can also play a game out between players who slip."""

    def with_slips(
        self, slips: Sequence[tuple[float, float]], sections: Sequence[Section]
    ) -> list[float]:
        """Player 1's expected result for each pair of slips."""
