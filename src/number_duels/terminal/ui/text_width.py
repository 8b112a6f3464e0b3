"""How wide a text is on a screen, and where it is cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import combining, east_asian_width

CODES = re.compile(r"\x1b\[[0-9;]*m")
#: The mark of an item in a list, or a gap between two columns: text goes on below what follows it.
COLUMN = re.compile(r"^ *(?:-|\d+\.) +|(?<=[^ ]) {2,}")


def breadth(text: str) -> int:
    """How many columns a text takes, colours aside.

    >>> breadth("ab"), breadth("数")
    (2, 2)
    """
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF")
        for letter in CODES.sub("", text)
    )


def fold(line: str, width: int) -> list[str]:
    """A line cut at spaces, so that each part fits; what goes on stays in its column.

    >>> fold("  one two three", 9)
    ['  one two', '  three']
    >>> fold("  a  Ann  plays as she likes", 18)
    ['  a  Ann  plays as', '          she', '          likes']
    """
    if breadth(line) <= width:
        return [line]
    indent = " " * hanging_indent(line, 2 * width // 3)
    rows = [""]
    for piece in re.findall(" *[^ ]+", line):
        if rows[-1].strip() and breadth(rows[-1] + piece) > width:
            rows.append(indent + piece.lstrip())
        else:
            rows[-1] += piece
    return rows


def hanging_indent(line: str, most: int) -> int:
    """Where the last column of a line begins, if that leaves room; else its indent."""
    bare = CODES.sub("", line)
    columns = [breadth(bare[: gap.end()]) for gap in COLUMN.finditer(bare)]
    return max([len(bare) - len(bare.lstrip()), *(one for one in columns if one <= most)])


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
