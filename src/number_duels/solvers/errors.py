"""Why a game cannot be solved, or a state not valued, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from number_duels.core.game import HIDDEN


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


def hides_something(part: object) -> bool:
    """Whether the mark of something hidden is anywhere in a state."""
    if is_dataclass(part):
        return any(hides_something(getattr(part, field.name)) for field in fields(part))
    if isinstance(part, Mapping):
        return any(map(hides_something, part.values()))
    if isinstance(part, tuple | list | frozenset):
        return any(map(hides_something, part))
    return part is HIDDEN


def no_value(state: object, title: str) -> SomethingHidden | Unreachable:
    """Why a state of a game has no value."""
    if hides_something(state):
        return SomethingHidden(
            "Something is hidden in this view, and only what is seen in full has a value: "
            "ask about the match's own state, or about the view of the seat that decides."
        )
    return Unreachable(f"This state cannot arise in {title} with these settings.")
