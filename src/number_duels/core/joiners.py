"""Joiners in names: signs without a shape of their own, seen by what they do to others."""

from __future__ import annotations

from unicodedata import bidirectional, category, combining

NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = NON_JOINER + JOINER
#: The combining class of the signs that take a letter its vowel, before which letters are joined.
VIRAMA = 9


def without_joiners(text: str) -> str:
    r"""The text without the joiners that change how their neighbours look; others stay.

    >>> without_joiners("Persian \u0645\u06cc\u200c\u062e") == "Persian \u0645\u06cc\u062e"
    True
    >>> without_joiners("A\u200dnn")
    'A\u200dnn'
    """
    return "".join(
        sign
        for place, sign in enumerate(text)
        if sign not in JOINERS or not _is_seen(sign, text[:place], text[place + 1 :])
    )


def _is_seen(joiner: str, before: str, after: str) -> bool:
    if before and combining(before[-1]) == VIRAMA:
        return not after.startswith(tuple(JOINERS))
    if not before or not after:
        return False
    base = next((sign for sign in reversed(before) if not _is_added(sign)), "")
    pair = (base, after[0])
    cursive = all(sign and bidirectional(sign) == "AL" for sign in pair)
    pictures = all(sign and category(sign) == "So" for sign in pair)
    return cursive or (joiner == JOINER and pictures)


def _is_added(sign: str) -> bool:
    """Whether a sign changes the one before it: an accent, or the colour of a skin."""
    return category(sign)[0] == "M" or category(sign) == "Sk"
