"""Policies and exact figures as tables, for engines that look packed states up.

A game's tables are in a module of its name; without one they are `layered`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from number_duels.adapters.tables.lookup import AnySolution, KnownPolicy, Lookup, Table
from number_duels.core.game import SomeGame
from number_duels.machine.rules import Rules


class TableModule(Protocol):
    """What each module here offers; None: this cannot be a table."""

    def choice_table(self, policy: KnownPolicy) -> Table | None: ...

    def figure_table(self, solution: AnySolution) -> Table | None: ...

    def make_lookup(self, rules: Rules) -> Lookup:
        """Return how compiled code asks about one state."""

    def wide_choices(self, table: Table) -> Table:
        """Return a table of choices as whole arrays are looked up in it."""

    def make_array_lookup(self, rules: Rules) -> Lookup:
        """Return how whole arrays of states are looked up, without branches."""


def table_module(game: SomeGame) -> TableModule:
    """Return the module that makes and reads the tables of a game."""
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    found = import_module(name if find_spec(name) else f"{__name__}.layered")
    return cast("TableModule", found)
