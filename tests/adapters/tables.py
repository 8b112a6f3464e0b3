"""Every game at its defaults and at two other settings, for the environments' tests."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from number_duels.adapters.encoding import Coding
from tests.core.playing import TABLES

T = TypeVar("T")

CHOSEN = [t for t in TABLES if t.label.endswith((" defaults", " small", " random-0"))]
BOTH_AT_ONCE = [t for t in CHOSEN if Coding(t.game).simultaneous]
IN_TURNS = [t for t in CHOSEN if t not in BOTH_AT_ONCE]

every_table = pytest.mark.parametrize("table", CHOSEN, ids=lambda t: t.label)
every_table_at_once = pytest.mark.parametrize("table", BOTH_AT_ONCE, ids=lambda t: t.label)
every_table_in_turns = pytest.mark.parametrize("table", IN_TURNS, ids=lambda t: t.label)


def through_pickle(thing: T) -> T:
    again: T = pickle.loads(pickle.dumps(thing))
    return again


WAYS_TO_COPY: list[Callable[[T], T]] = [copy.copy, copy.deepcopy, through_pickle]
every_way_to_copy = pytest.mark.parametrize("duplicate", WAYS_TO_COPY, ids=lambda way: way.__name__)


def plain(shown: object) -> object:
    """What an environment shows, as values that can be compared with ==."""
    if isinstance(shown, np.ndarray):
        return shown.dtype.name, shown.tolist()
    if isinstance(shown, dict):
        return {key: plain(value) for key, value in shown.items()}
    if isinstance(shown, tuple | list):
        return [plain(value) for value in shown]
    return shown
