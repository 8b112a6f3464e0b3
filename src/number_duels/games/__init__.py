"""All games: the modules of this folder, and the games of installed packages.

>>> import number_duels as nd
>>> "number-knot" in nd.games()
True
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, cast, overload
from warnings import warn

from number_duels.core import make_callable
from number_duels.core.bug_reports import BrokenGame, first_line
from number_duels.core.game import AnyGame, E, Game, M, S
from number_duels.core.settings import read_settings, unknown_setting

if TYPE_CHECKING:
    from number_duels.games.high_low_battle import HighLowBattle
    from number_duels.games.number_bid import NumberBid
    from number_duels.games.number_drop import NumberDrop
    from number_duels.games.number_knot import NumberKnot
    from number_duels.games.number_stack_showdown import NumberStackShowdown

#: The entry point group in which other packages register games: `name = module:Class`.
ENTRY_POINTS = "number_duels.games"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order.

    Warn of each installed game that cannot be loaded, and leave it out.

    >>> "number-bid" in names()
    True
    """
    own = f"{__name__}."
    return tuple(
        name for name, place in sorted(_places().items()) if place.startswith(own) or _loads(name)
    )


def _loads(name: str) -> bool:
    try:
        find(name)
    except BrokenGame as error:
        warn(str(error), stacklevel=2)
        return False
    return True


@cache
def _places() -> Mapping[str, str]:
    """Return the `module:Class` of each game. The games of this folder take precedence."""
    own = {
        module.name.replace("_", "-"): f"{__name__}.{module.name}:"
        for module in iter_modules(__path__)
    }
    return dict(_installed()) | own


def _installed() -> Iterator[tuple[str, str]]:
    """Yield the name and the `module:Class` of each game in an installed package."""
    # Importing importlib.metadata takes longer than starting a game.
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.name.endswith(".dist-info"):
                    yield from _entry_points(f"{entry.path}/entry_points.txt")


def _entry_points(path: str) -> Iterator[tuple[str, str]]:
    section = ""
    with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8") as file:  # noqa: PTH123  # a Path per file takes twice as long
        for line in map(str.strip, file):
            if line.startswith("["):
                section = line.strip("[] ")
            elif section == ENTRY_POINTS and "=" in line:
                name, _, place = line.partition("=")
                yield name.strip(), place.strip()


def full_name(part: str) -> str:
    """Return the full name of a game. `part` is the name or a unique part of it.

    Raise ValueError if no name fits, or if several do.

    >>> full_name("knot")
    'number-knot'
    """
    said = part.casefold().replace(" ", "-").replace("_", "-")
    every = sorted(_places())  # `names` would load all installed games
    fitting = [name for name in every if said in name] if said else []
    if said in every or len(fitting) == 1:
        return said if said in every else fitting[0]
    if fitting:
        raise ValueError(f"{part!r} could be {' or '.join(fitting)}; type more of the name.")
    from difflib import get_close_matches

    words = {word: name for name in every for word in (name, *name.split("-"))}
    close = get_close_matches(said, words, n=1)
    hint = f"did you mean {words[close[0]]}?" if close else f"the games are {', '.join(every)}."
    raise ValueError(f"There is no game named {part!r}; {hint}")


def split_word(word: str) -> tuple[str, list[str]]:
    """Split text such as `bid(numbers=6)` into the name of a game and its settings.

    >>> split_word("bid(numbers=6)"), split_word("bid")
    (('bid', ['numbers=6']), ('bid', []))
    """
    name, bracket, rest = word.partition("(")
    if not bracket or not rest.endswith(")"):
        return word, []
    return name, [one for one in rest[:-1].split(",") if one.strip()]


def find(name: str) -> type[AnyGame]:
    name = full_name(name)
    place = _places()[name].strip(":")
    module_name = place.partition(":")[0]
    broken = f"The game {name} ({place}) cannot be loaded"
    try:
        module = import_module(module_name)
    except Exception as error:
        raise BrokenGame(f"{broken} ({first_line(error, module_name)}).") from error
    named = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, Game)
        and getattr(thing, "name", None) == name
    ]
    found = [thing for thing in named if not isabstract(thing)]
    if named and not found:
        missing = ", ".join(sorted(named[0].__abstractmethods__))
        raise BrokenGame(f"{broken} ({named[0].__name__} lacks {missing}).")
    if len(found) != 1:
        raise BrokenGame(f"{broken} (it must define exactly one game named {name!r}).")
    return cast("type[AnyGame]", found[0])


@overload
def load(name: Literal["number-bid", "bid"], **settings: int | str) -> NumberBid: ...
@overload
def load(name: Literal["high-low-battle", "high"], **settings: int | str) -> HighLowBattle: ...
@overload
def load(
    name: Literal["number-stack-showdown", "stack"], **settings: int | str
) -> NumberStackShowdown: ...
@overload
def load(name: Literal["number-knot", "knot"], **settings: int | str) -> NumberKnot: ...
@overload
def load(name: Literal["number-drop", "drop"], **settings: int | str) -> NumberDrop: ...
@overload
def load(name: str, **settings: int | str) -> AnyGame: ...
def load(*names: str, **settings: int | str) -> object:
    """Return a game with these settings. `name` is the game's name or a unique part of it.

    Raise ValueError for an unknown game, an unknown setting or a value out of range.

    >>> load("number-bid", numbers=12), load("bid(numbers=12)"), load("knot").title
    (NumberBid(numbers=12), NumberBid(numbers=12), 'Number Knot')
    >>> load(name="number-knot", life=12).life
    12
    >>> load("number-bid", numbers=99)
    Traceback (most recent call last):
    ValueError: Number Bid: numbers must be 2 to 20, not 99.
    """
    # `*names` takes the name by position. A name given as `name=` is among the settings.
    name, *others = names or (str(settings.pop("name", "")),)
    if others:
        raise TypeError(f"Pass one game name, not {len(names)}, and pass settings by keyword.")
    name, texts = split_word(name)
    game = find(name)
    known = game.describe_settings()
    settings = read_settings(texts, known) | settings
    for setting in settings:
        if setting not in known:
            raise ValueError(unknown_setting(game.title, setting, known))
    return game(**settings)


def as_game(given: Game[S, M, E] | str, **settings: int | str) -> Game[S, M, E]:
    """Return the game with this name and these settings. Return a game object unchanged.

    Raise ValueError for anything else.

    >>> as_game("knot", life=5).life
    5
    >>> from number_duels import NumberKnot
    >>> as_game(NumberKnot)
    Traceback (most recent call last):
    ValueError: A game must be a name such as 'number-knot' or a game object; write NumberKnot().
    """
    if isinstance(given, str):
        return cast("Game[S, M, E]", load(given, **settings))
    if isinstance(given, Game):
        if settings:
            raise ValueError(
                f"A game object already has settings; pass {', '.join(settings)} to nd.load."
            )
        return given
    is_class = isinstance(given, type) and issubclass(given, Game)
    wrong = f"write {given.__name__}()" if is_class else f"this is {given!r:.60}"
    raise ValueError(f"A game must be a name such as 'number-knot' or a game object; {wrong}.")


make_callable(__name__, names)
