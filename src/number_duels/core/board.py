"""What a player looks at, as plain parts that any front end can draw."""

from __future__ import annotations

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
