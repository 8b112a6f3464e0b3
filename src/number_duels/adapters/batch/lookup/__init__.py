"""Policies and exact figures as tables, in which compiled code looks packed states up.

A game's tables are in a module of its name here; without one they are `layered`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import SomeGame
from number_duels.machine.rules import Rules
from number_duels.solvers import PerfectPolicy
from number_duels.solvers.solution import Solution
from number_duels.solvers.strategy_arrays import ArrayPolicy

AnySolution: TypeAlias = Solution[Hashable, Hashable, Hashable]
#: The policies that can be tables, of whatever game.
KnownPolicy: TypeAlias = PerfectPolicy[Any, Any, Any] | ArrayPolicy[Any, Any, Any]

#: Arrays, of the kind that a game's lookup knows.
Table: TypeAlias = tuple[NDArray[np.generic], ...]

#: How many halves of a random number there are.
HALVES = 2**32


class Lookup(NamedTuple):
    """Functions of a table, a game's packed settings and a packed state that is not over."""

    #: The action of a seat, by half of a random number.
    choose: Callable[..., int]
    #: What the state is worth to Player 1.
    value: Callable[..., float]
    #: What a legal action of a seat loses against its best one, in a state of that worth.
    loss: Callable[..., float]


def last_halves(sums: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.int64]:
    """The largest half that chooses no later than each sum: `total * half / 2**32 < sum`.

    Sums and totals are those of the probabilities of a policy, in the order of its options.

    >>> last_halves(np.array([0.25, 1.0]), np.array([1.0, 1.0])).tolist()
    [1073741823, 4294967295]
    """
    found = np.ceil(sums / totals * HALVES) - 1

    def later(halves: NDArray[np.float64]) -> NDArray[np.bool_]:
        return totals * halves / HALVES >= sums

    # Division may be off by a half or two from what the products say.
    while (wrong := later(found)).any():
        found -= wrong
    while (wrong := ~later(found + 1) & (found < HALVES - 1)).any():
        found += wrong
    return found.astype(np.int64)


class TableModule(Protocol):
    """What each module here offers; None: this cannot be a table."""

    def choice_table(self, policy: KnownPolicy) -> Table | None: ...

    def figure_table(self, solution: AnySolution) -> Table | None: ...

    def make_lookup(self, rules: Rules) -> Lookup: ...


def table_module(game: SomeGame) -> TableModule:
    """Return the module that makes and reads the tables of a game."""
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    found = import_module(name if find_spec(name) else f"{__name__}.layered")
    return cast("TableModule", found)
