"""Why a game cannot be solved, or a state not valued, in a sentence."""

from __future__ import annotations


class Unsolvable(ValueError):
    """A game that cannot be solved exactly; the message says why."""


class TooLarge(Unsolvable):
    """A game with more states than can be solved; the message says how many."""


class Unreachable(ValueError):
    """A state that cannot arise in the game that was solved."""


class Damaged(Exception):
    """A kept solution that is not what was written; it is made again, never trusted."""
