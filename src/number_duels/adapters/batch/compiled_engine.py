"""The engine of a batch whose game has packed rules: compiled, by tables, on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays, BatchOptions, read_only
from number_duels.adapters.batch.lookup import AnySolution, Lookup, Table, table_module
from number_duels.adapters.batch.policies import Policy, known_policy
from number_duels.core.game import AnyGame, SomeGame
from number_duels.machine import find_packed

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled import BatchKernel, Pass
    from number_duels.machine.rules import Rules


def find_kernel(game: SomeGame) -> BatchKernel | None:
    """Return the compiled rules of a game; None if no machine rules know its settings.

    A ModuleNotFoundError says that Numba, which every kernel needs, is missing.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    if find_spec("numba") is None:
        raise ModuleNotFoundError(
            "Compiled games need Numba: install number-duels[learn], or say compiled=False.",
            name="numba",
        )
    from number_duels.adapters.batch.compiled import make_kernel

    return make_kernel(packed, usual=game == type(game)())


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
    from number_duels.adapters.batch import compiled

    lookup, picks = tables.lookup, tables.choices is not None and rules.both
    graded = tables.figures is not None
    return (
        compiled.compile_picks(rules, lookup) if picks else None,
        compiled.compile_grades(rules, lookup) if graded else None,
        compiled.compile_values(rules, lookup) if graded else None,
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
    from number_duels.adapters.batch.compiled import register_functions

    lookup = module.make_lookup(kernel.packed.rules)
    register_functions(lookup.choose.__module__)
    return GameTables(frozen(choices), frozen(figures), lookup)


def frozen(table: Table | None) -> Table | None:
    """The same table, read-only: compiled code is made for one kind of arrays."""
    if table is None:
        return None
    return type(table)(*map(read_only, table))


# ---- threads: compiled code runs without the interpreter's lock ------------------

#: To hand fewer games than this to a thread takes longer than to play a turn of each.
MIN_GAMES_PER_THREAD = 16_384
#: The same for whole games.
MIN_WHOLE_GAMES_PER_THREAD = 2_048


def available_threads(threads: int | None) -> int:
    """How many threads are meant; None: one for each core that this process may use."""
    if threads is None:
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"A batch has at least 1 thread, not {threads}.")
    return threads


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "number-duels-batch")


# A forked process has none of its parent's threads.
os.register_at_fork(after_in_child=pool.cache_clear)


def in_threads(
    work: Callable[[int, int], None], games: int, threads: int | None, least: int
) -> None:
    """Call `work(begin, end)` for ranges of so many games, at the least, that make up all."""
    parts = max(1, min(available_threads(threads), games // least))
    bounds = [games * part // parts for part in range(parts + 1)]
    waiting = [pool(parts - 1).submit(work, begin, end) for begin, end in pairwise(bounds[1:])]
    work(0, bounds[1])
    for other in waiting:
        other.result()
