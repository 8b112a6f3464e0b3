"""Errors about games that cannot be solved and states without a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from number_duels.core.game import HIDDEN


class Unsolvable(ValueError):
    """A game that cannot be solved exactly. The message says why.

    >>> from number_duels import load, solve
    >>> try:
    ...     solve(load("number-bid", numbers=20))
    ... except Unsolvable as why:
    ...     print(str(why).partition(":")[0])
    Number Bid with these settings cannot be solved
    """


class TooLarge(Unsolvable):
    """A game with too many states to be solved. The message says how many.

    >>> from number_duels import load, solve
    >>> solve(load("number-bid", numbers=20))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    number_duels.solvers.errors.TooLarge: Number Bid with these settings cannot be ...
    """


class Unreachable(ValueError):
    """A state that cannot arise in the game that was solved.

    >>> from number_duels import load, solve
    >>> start = load("number-knot", numbers=3, life=9).start()
    >>> solution = solve(load("number-knot", numbers=3, life=3), cache=False)
    >>> solution.value(start)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    number_duels.solvers.errors.Unreachable: This state cannot arise in Number Knot with ...
    """


class SomethingHidden(ValueError):
    """A view in which something is hidden, so that it has no value."""


class DamagedFile(Exception):
    """A cached solution that is damaged. The game is solved again."""


def hides_something(part: object) -> bool:
    """Return whether any part of a state is hidden."""
    if is_dataclass(part):
        return any(hides_something(getattr(part, field.name)) for field in fields(part))
    if isinstance(part, Mapping):
        return any(map(hides_something, part.values()))
    if isinstance(part, tuple | list | frozenset):
        return any(map(hides_something, part))
    return part is HIDDEN


def no_value(state: object, title: str) -> SomethingHidden | Unreachable:
    """Return the error for a state without a value."""
    if hides_something(state):
        return SomethingHidden(
            "This view hides something, so it has no value; pass match.state, or the view of the "
            "seat that decides."
        )
    return Unreachable(f"This state cannot arise in {title} with these settings.")
