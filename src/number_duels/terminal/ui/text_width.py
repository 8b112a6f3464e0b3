"""How wide a text is on a screen, and where it is cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import combining, east_asian_width


def breadth(text: str) -> int:
    """How many columns a text takes, colours aside.

    >>> breadth("ab"), breadth("数")
    (2, 2)
    """
    bare = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in bare
    )


def fold(line: str, width: int) -> list[str]:
    """A line cut at spaces, so that each part fits; the parts keep its indent.

    >>> fold("  one two three", 9)
    ['  one two', '  three']
    """
    if breadth(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return [indent + part for part in pack(line.split(), width - len(indent))]


def pack(pieces: Iterable[str], width: int) -> list[str]:
    """Pieces in rows, as many to a row as fit."""
    rows = [""]
    for piece in pieces:
        longer = f"{rows[-1]} {piece}" if rows[-1] else piece
        if rows[-1] and breadth(longer) > width:
            rows.append(piece)
        else:
            rows[-1] = longer
    return rows
