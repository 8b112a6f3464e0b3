"""How strong a computer is, in words: what it gives away a game against perfect play, exactly."""

from __future__ import annotations

from functools import lru_cache

from number_duels.core.game import AnyGame
from number_duels.players.registry import HUMAN, KINDS, known_scores
from number_duels.review.words import cost


@lru_cache(maxsize=256)
def strength(who: str, game: AnyGame) -> str | None:
    """What is said of a computer at the table; None for a person.

    >>> from number_duels import load
    >>> strength("level:2", load("number-knot"))
    'Level 2: gives away 7.5% a game'
    >>> strength("level:2", load("number-knot", numbers=3))
    'Level 2: slips one turn in 8'
    """
    if who == HUMAN or who not in KINDS:
        return None
    name = who.replace(":", " ").capitalize()
    lost = None if who == "perfect" else loss(who, game)
    return f"{name}: {KINDS[who]}" if lost is None else f"{name}: gives away {cost(lost)} a game"


def loss(who: str, game: AnyGame) -> float | None:
    """What a player loses a game to perfect play, as a value; None if it is not known at once."""
    scores = known_scores(game)
    if scores is None:
        return None
    # A perfect player's result against it in both seats; against its like the two cancel out.
    return (scores["perfect"][who] - scores[who]["perfect"]) / 2
