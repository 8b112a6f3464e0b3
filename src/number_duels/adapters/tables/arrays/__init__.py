"""The lookups of tables for whole arrays at once, of NumPy or of JAX: without branches.

A game's lookup is in a module of its name; without one it is `layered`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from number_duels.adapters.packed.rules import Rules
from number_duels.adapters.tables.lookup import Lookup, Table
from number_duels.core.game import SomeGame


class ArrayModule(Protocol):
    """What each module here offers."""

    def prepare(self, table: Table) -> Table:
        """A table of choices as it is asked here."""

    def make_lookup(self, rules: Rules) -> Lookup: ...


def array_module(game: SomeGame) -> ArrayModule:
    """The module that asks the tables of a game about many states."""
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    found = import_module(name if find_spec(name) else f"{__name__}.layered")
    return cast("ArrayModule", found)
