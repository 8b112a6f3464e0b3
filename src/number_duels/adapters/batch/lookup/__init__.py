"""Tables of policies and values for compiled code, made by a game's own module or by `layered`."""

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
KnownPolicy: TypeAlias = PerfectPolicy[Any, Any, Any] | ArrayPolicy[Any, Any, Any]

Table: TypeAlias = tuple[NDArray[np.generic], ...]

HALVES = 2**32


class Lookup(NamedTuple):
    """Functions that look up a state in a table."""

    #: Returns a seat's action, given half of a random number.
    choose: Callable[..., int]
    value: Callable[..., float]
    #: Returns how much worse a legal action is than the best one, given the state's value.
    loss: Callable[..., float]


def last_halves(sums: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the largest 32-bit random number that selects each option.

    Each option gets a part of the numbers from 0 to 2**32 - 1 that is proportional to its
    probability. `sums` has the cumulative probability of each option, `totals` the sum over all
    options.

    >>> last_halves(np.array([0.25, 1.0]), np.array([1.0, 1.0])).tolist()
    [1073741823, 4294967295]
    """
    found = np.ceil(sums / totals * HALVES) - 1

    def later(halves: NDArray[np.float64]) -> NDArray[np.bool_]:
        return totals * halves / HALVES >= sums

    # Because of rounding, the quotient may be one or two away from the exact answer.
    while (wrong := later(found)).any():
        found -= wrong
    while (wrong := ~later(found + 1) & (found < HALVES - 1)).any():
        found += wrong
    return found.astype(np.int64)


class TableModule(Protocol):
    def choice_table(self, policy: KnownPolicy) -> Table | None: ...

    def figure_table(self, solution: AnySolution) -> Table | None: ...

    def make_lookup(self, rules: Rules) -> Lookup: ...


def table_module(game: SomeGame) -> TableModule:
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    found = import_module(name if find_spec(name) else f"{__name__}.layered")
    return cast("TableModule", found)
