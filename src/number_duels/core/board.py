"""What a player looks at, as plain parts that any front end can draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

#: A seat's number (0 or 1), or None for what both share.
Owner: TypeAlias = int | None


@dataclass(frozen=True)
class Numbers:
    """Numbers of which some are left: a shared pool, or a hand."""

    label: str
    owner: Owner
    numbers: tuple[int, ...]
    left: tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """Numbers in rows; None is an empty cell."""

    label: str
    owner: Owner
    rows: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True)
class Meter:
    """A figure that changes: a score, a life total, a stack towards its target."""

    label: str
    owner: Owner
    value: int
    full: int | None = None


@dataclass(frozen=True)
class Cards:
    """Cards lying in a row; "?" is one that is face down."""

    label: str
    owner: Owner
    cards: tuple[str, ...]


Part: TypeAlias = Numbers | Grid | Meter | Cards


def in_words(parts: tuple[Part, ...]) -> Iterator[str]:
    """The board as a screen reader or a language model wants it: one fact a line.

    >>> list(in_words((Meter("Life", 0, 8, 10), Numbers("Numbers", None, (1, 2, 3), (1, 3)))))
    ['Player 1 Life: 8', 'Numbers: 1 3']
    """
    for part in parts:
        whose = "" if part.owner is None else f"Player {part.owner + 1} "
        match part:
            case Meter():
                yield f"{whose}{part.label}: {part.value}"
            case Numbers():
                yield f"{whose}{part.label}: {' '.join(map(str, part.left)) or 'None'}"
            case Cards():
                yield f"{whose}{part.label}: {' '.join(part.cards) or 'None'}"
            case Grid():
                yield f"{whose}{part.label}:"
                for row in part.rows:
                    yield "".join(f"[{' ' if n is None else n}]" for n in row)
