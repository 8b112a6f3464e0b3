"""The engine of a batch whose game has packed rules: compiled, by tables, on several threads."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays, BatchOptions, read_only
from number_duels.adapters.batch.policies import Policy, known_policy
from number_duels.adapters.batch.threads import MIN_GAMES_PER_THREAD, in_threads
from number_duels.adapters.tables import table_module
from number_duels.adapters.tables.lookup import AnySolution, Lookup, Table
from number_duels.core.game import AnyGame

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled.driver import BatchKernel
    from number_duels.adapters.batch.compiled.passes import Pass
    from number_duels.adapters.packed.rules import Rules


class GameTables(NamedTuple):
    """By what the rival chooses, what positions are worth, and how to ask for it.

    None: it chooses at random, and nobody asks.
    """

    choices: Table | None = None
    figures: Table | None = None
    lookup: Lookup | None = None


class CompiledEngine:
    """Steps a batch by a kernel."""

    def __init__(
        self,
        kernel: BatchKernel,
        options: BatchOptions,
        tables: GameTables,
        threads: int | None,
        *,
        alone: bool,
    ) -> None:
        self.kernel, self.options, self.threads = kernel, options, threads
        self.tables, self.by_tables = tables, tables.lookup is not None
        lookup = tables.lookup if tables.choices is not None else None
        self._step = kernel.step(lookup, plain=alone and not options.next_step)
        self._passes = passes_of(kernel.packed.rules, tables)

    def rows(self, size: int) -> npt.NDArray[np.int64]:
        """Room for as many packed states."""
        return np.zeros((size, self.kernel.width), np.int64)

    def pack(self, state: Hashable) -> tuple[int, ...]:
        """A readable state as a row."""
        return self.kernel.packed.pack(state)

    def step(
        self, arrays: BatchArrays, seed: int, actions: npt.NDArray[np.int64], mode: int
    ) -> None:
        """Play a turn of every game, begin them all, or show them as they are."""
        settings, (choices, figures, _) = self.kernel.settings, self.tables
        pick, grade, value = self._passes
        given = actions if pick is None else actions.copy()

        def work(begin: int, end: int) -> None:
            order = (begin, end, mode, self.options.next_step, self.options.draw_seats)
            if grade is not None:
                grade(settings, arrays, actions, figures, order)
            if pick is not None:
                pick(settings, arrays, given, choices, order)
            self._step(settings, arrays, np.uint64(seed), given, choices, order)
            if value is not None:
                value(settings, arrays, actions, figures, order)

        in_threads(work, len(actions), self.threads, MIN_GAMES_PER_THREAD)


def passes_of(rules: Rules, tables: GameTables) -> tuple[Pass | None, Pass | None, Pass | None]:
    """How the rival picks beforehand, and how choices are graded and positions valued."""
    if tables.lookup is None:
        return None, None, None
    from number_duels.adapters.batch.compiled import passes

    lookup, picks = tables.lookup, tables.choices is not None and rules.both
    graded = tables.figures is not None
    return (
        passes.compile_picks(rules, lookup) if picks else None,
        passes.compile_grades(rules, lookup) if graded else None,
        passes.compile_values(rules, lookup) if graded else None,
    )


def find_tables(
    kernel: BatchKernel, game: AnyGame, policy: Policy | None, solution: AnySolution | None
) -> GameTables | None:
    """The tables that a batch needs; None: something that it needs is no table."""
    if policy is None and solution is None:
        return GameTables()
    module, choices, figures = table_module(game), None, None
    if policy is not None:
        known = known_policy(policy, game)
        choices = module.choice_table(known) if known else None
        if choices is None:
            return None
    if solution is not None:
        figures = module.figure_table(solution)
        if figures is None:
            return None
    from number_duels.adapters.batch.compiled.driver import use_lookup

    lookup = use_lookup(module.make_lookup(kernel.packed.rules))
    return GameTables(frozen(choices), frozen(figures), lookup)


def frozen(table: Table | None) -> Table | None:
    """The same table, read-only: compiled code is made for one kind of arrays."""
    if table is None:
        return None
    return type(table)(*map(read_only, table))
