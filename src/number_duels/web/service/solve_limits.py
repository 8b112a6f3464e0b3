"""Find the settings whose solutions are small enough for this server."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import product

from number_duels.core.game import AnyGame
from number_duels.core.settings import Setting
from number_duels.games import find, load, names
from number_duels.solvers.solver import is_kept, method_for

Numbers = dict[str, int]


@lru_cache(maxsize=4096)
def table_bytes(game: AnyGame) -> int:
    return method_for(game).table_bytes()


def is_solved(game: AnyGame, limit_bytes: int) -> bool:
    """Return whether the solution of a game is kept, or small enough."""
    try:
        return table_bytes(game) <= limit_bytes or is_kept(game)
    except ValueError:
        return False


def load_solvers() -> None:
    for name in names():
        with suppress(ValueError, ImportError):  # a request for that game will report it
            table_bytes(load(name))


@lru_cache(maxsize=128)
def solved_settings(name: str, limit_bytes: int) -> list[Numbers]:
    """Return the largest settings of a game that the server solves. It also solves smaller ones."""
    about = {
        setting: one for setting, one in find(name).describe_settings().items() if not one.choices
    }
    if not about:
        return [{}] if size(name, {}) <= limit_bytes else []
    *others, last = sorted(about, key=lambda setting: width(about, setting))
    found: list[Numbers] = []
    for values in product(*(range(about[each].low, top(about, each) + 1) for each in others)):
        numbers = dict(zip(others, values, strict=True))
        steps = range(about[last].low, top(about, last, numbers) + 1)
        fitting = bisect_right(
            steps, limit_bytes, key=lambda value: size(name, {**numbers, last: value})
        )
        if fitting:
            found.append({**numbers, last: steps[fitting - 1]})
    return [one for one in found if not any(covers(other, one) for other in found)]


def width(about: Mapping[str, Setting], setting: str) -> tuple[bool, int]:
    """Return a sort key that puts settings with few values first."""
    return isinstance(about[setting].high, str), top(about, setting) - about[setting].low


def top(about: Mapping[str, Setting], setting: str, numbers: Mapping[str, int] = {}) -> int:
    """Return the highest value that a setting can have, given the values of other settings."""
    high = about[setting].high
    if isinstance(high, int):
        return high
    return numbers[high] if high in numbers else top(about, high)


def size(name: str, numbers: Mapping[str, int]) -> int:
    try:
        return method_for(load(name, **numbers)).table_bytes()
    except ValueError:
        return sys.maxsize


def covers(larger: Numbers, smaller: Numbers) -> bool:
    return larger != smaller and all(value <= larger[name] for name, value in smaller.items())
