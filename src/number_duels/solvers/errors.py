"""Errors for games that cannot be solved and for states that have no value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from number_duels.core.game import HIDDEN


class Unsolvable(ValueError):
    """The game cannot be solved exactly. The message says why.

    >>> from number_duels import load, solve
    >>> try:
    ...     solve(load("number-bid", numbers=20))
    ... except Unsolvable as why:
    ...     print(str(why).partition(":")[0])
    Number Bid with these settings cannot be solved
    """


class TooLarge(Unsolvable):
    """The game has too many states to solve. The message gives the number.

    >>> from number_duels import load, solve
    >>> solve(load("number-bid", numbers=20))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    number_duels.solvers.errors.TooLarge: Number Bid with these settings cannot be ...
    """


class Unreachable(ValueError):
    """The state cannot occur in the game that was solved.

    >>> from number_duels import load, solve
    >>> start = load("number-knot", numbers=3, life=9).start()
    >>> solution = solve(load("number-knot", numbers=3, life=3), cache=False)
    >>> solution.value(start)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    number_duels.solvers.errors.Unreachable: This state cannot arise in Number Knot with ...
    """


class SomethingHidden(ValueError):
    """The view has no value, because part of the state is hidden."""


class DamagedFile(Exception):
    """A file in the cache is damaged, so the game must be solved again."""


def hides_something(part: object) -> bool:
    if is_dataclass(part):
        return any(hides_something(getattr(part, field.name)) for field in fields(part))
    if isinstance(part, Mapping):
        return any(map(hides_something, part.values()))
    if isinstance(part, tuple | list | frozenset):
        return any(map(hides_something, part))
    return part is HIDDEN


def no_value(state: object, title: str) -> SomethingHidden | Unreachable:
    if hides_something(state):
        return SomethingHidden(
            "This view hides something, so it has no value; pass match.state, or the view of the "
            "seat that decides."
        )
    return Unreachable(f"This state cannot arise in {title} with these settings.")
