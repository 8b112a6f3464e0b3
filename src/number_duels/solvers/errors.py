"""Why a game cannot be solved, or a state not valued, in a sentence."""

from __future__ import annotations


class Unsolvable(ValueError):
    """A game that cannot be solved exactly; the message says why."""


class TooLarge(Unsolvable):
    """A game with more states than can be solved; the message says how many."""


class Unreachable(ValueError):
    """A state that cannot arise in the game that was solved."""


class SomethingHidden(ValueError):
    """A view in which something is hidden: only what is seen in full has a value."""


class DamagedFile(Exception):
    """A cached solution that is not what was written; it is solved again, never trusted."""
