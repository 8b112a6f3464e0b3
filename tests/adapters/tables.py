"""Games at their defaults and at a small setting, for the environments' tests.

Environments know no game: two games are tried in `make test`, and all of them in `make test-all`.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
import pytest

from number_duels.adapters.encoding import Encoding
from tests.core.playing import TABLES, Table, decisions
from tests.some_games import CARDS, SECRET

T = TypeVar("T")

SMALL = [table for table in TABLES if table.label.endswith(" small")]
CHOSEN = [table for table in TABLES if table in SMALL or table.label.endswith(" defaults")]
BOTH_AT_ONCE = [table for table in CHOSEN if Encoding(table.game).simultaneous]


def each(tables: Iterable[Table]) -> pytest.MarkDecorator:
    """A test of each of some tables, those of most games in the long run only."""
    return pytest.mark.parametrize(
        "table", [pytest.param(table, id=table.label, marks=marks(table)) for table in tables]
    )


def marks(table: Table) -> tuple[pytest.MarkDecorator, ...]:
    return () if table.game.name in (SECRET, CARDS) else (pytest.mark.slow,)


def closes_actions_to_both(table: Table) -> bool:
    """Whether either seat meets decisions in which not every action is open."""
    count = Encoding(table.game).action_count
    seats = {s for _, turn in decisions(table) for s, o in turn.options.items() if len(o) < count}
    return len(seats) == 2


every_table = each(CHOSEN)
#: For what is compiled for each: the defaults in the long run only.
every_table_small_first = pytest.mark.parametrize(
    "table",
    [
        pytest.param(t, id=t.label, marks=marks(t) if t in SMALL else pytest.mark.slow)
        for t in CHOSEN
    ],
)
#: For what is the same at all settings, and is tried in many ways.
every_small_table = each(SMALL)
every_table_at_once = each(BOTH_AT_ONCE)
every_small_table_at_once = each(table for table in SMALL if table in BOTH_AT_ONCE)
every_table_in_turns = each(table for table in CHOSEN if table not in BOTH_AT_ONCE)
every_table_with_closed_actions = each(filter(closes_actions_to_both, CHOSEN))


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
