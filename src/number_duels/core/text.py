"""Small pieces of text: typed numbers, lists in a sentence, foreign text made printable."""

from __future__ import annotations

import re
from collections.abc import Sequence


def number(text: str) -> int | None:
    """A whole number of at most four digits, or None; other scripts' digits are not taken."""
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else None


def listed(items: Sequence[str]) -> str:
    """Items as a sentence has them: `1, 2 or 3`."""
    return " or ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def points(count: int) -> str:
    """A number of points in words.

    >>> points(1), points(13)
    ('1 point', '13 points')
    """
    return "1 point" if count == 1 else f"{count} points"


def shown(text: str) -> str:
    """A piece of a foreign text, short and printable."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return clean if len(clean) <= 20 else f"{clean[:20]}…"
