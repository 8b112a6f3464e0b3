"""The games, one file each; they are found by looking into this folder."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import cast

from number_duels.core.game import AnyGame, Game
from number_duels.core.settings import unknown_setting


@cache
def names() -> tuple[str, ...]:
    """The names of all games.

    >>> "number-bid" in names()
    True
    """
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))


def find(name: str) -> type[AnyGame]:
    """The class of a game by its name; a ValueError lists the names there are."""
    if name not in names():
        raise ValueError(f"There is no game named {name!r}; there are {', '.join(names())}.")
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    (found,) = (
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Game) and not isabstract(thing)
    )
    # A caller that finds a game by name knows its states and moves only as hashable values.
    return cast("type[AnyGame]", found)


def load(name: str, /, **settings: int | str) -> AnyGame:
    """A game by its name, with its settings.

    >>> load("number-bid", numbers=12)
    NumberBid(numbers=12)
    >>> load("number-bid", numbers=99)
    Traceback (most recent call last):
    ValueError: Number Bid: numbers must be 2 to 20, not 99.
    """
    game = find(name)
    known = game.describe_settings()
    for setting in settings:
        if setting not in known:
            raise ValueError(unknown_setting(game.title, setting, known))
    return game(**settings)
