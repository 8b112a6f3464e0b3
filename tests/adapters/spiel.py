"""The games that the OpenSpiel tests are about: all at their defaults, and some small ones."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

import number_duels as nd
from number_duels.adapters.open_spiel import register
from tests.some_games import CARDS, SECRET

NAMES = register()
#: Small settings in which nothing is as it is by default.
SMALL = (
    "python_high_low_battle(cards=3,level=draw,rounds=2)",
    "python_number_bid(numbers=4)",
    "python_number_drop(first=2,side=2)",
    "python_number_knot(exhausted=higher-life,first=2,life=5,numbers=4)",
    "python_number_stack_showdown(copies=2,first=2,highest=3,overflow=allowed,target=4)",
)
GAMES = (*NAMES, *SMALL)


def settings_of(name: str) -> dict[str, int | str]:
    """The default settings of a game by its name in OpenSpiel."""
    return nd.load(name.removeprefix("python_").replace("_", "-")).settings


def some(texts: Iterable[str]) -> list[ParameterSet]:
    """Games for code that knows none: those of two in `make test`, the rest in the long run."""
    short = tuple(f"python_{name.replace('-', '_')}" for name in (SECRET, CARDS))
    return [
        pytest.param(text, marks=() if text.startswith(short) else pytest.mark.slow)
        for text in texts
    ]
