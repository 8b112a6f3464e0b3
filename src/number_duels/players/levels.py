"""The computer's levels, which play perfectly except for some random moves, called slips."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files

from number_duels.core.text import count_word

LEVELS = range(1, 6)
#: How often each level slips in a game without figures in `data/slips.json`.
USUAL_SLIPS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 6), Fraction(1, 12))
#: The largest denominator of a share such as "two turns in five". "One turn in N" has no limit.
MAX_DENOMINATOR = 6


def slip(level: int, game: str) -> Fraction:
    """Return the probability that a level plays a random move in a turn of this game.

    >>> [str(slip(level, "a game without figures")) for level in LEVELS]
    ['1/2', '1/3', '1/4', '1/6', '1/12']
    """
    return measured_slips().get(game, USUAL_SLIPS)[level - 1]


def slip_words(slip: Fraction) -> str:
    """Return how often a level slips, in words.

    >>> [slip_words(Fraction(share)) for share in ("0.76", "0.52", "0.31", "0.026")]
    ['three turns in four', 'every other turn', 'one turn in three', 'one turn in 38']
    """
    share = slip.limit_denominator(MAX_DENOMINATOR)
    if slip < Fraction(1, MAX_DENOMINATOR):
        share = Fraction(1, round(1 / slip))
    if share == Fraction(1, 2):
        return "every other turn"
    turns = "turn" if share.numerator == 1 else "turns"
    return f"{count_word(share.numerator)} {turns} in {count_word(share.denominator)}"


@lru_cache(maxsize=1)
def measured_slips() -> dict[str, list[Fraction]]:
    text = (files("number_duels.players") / "data" / "slips.json").read_text(encoding="utf-8")
    found: dict[str, list[Fraction]] = json.loads(text, parse_float=Fraction)
    return found
