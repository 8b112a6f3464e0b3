"""A batch engine in compiled code, for games with machine rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays, Order, read_only
from number_duels.adapters.batch.lookup import AnySolution, Lookup, Table, table_module
from number_duels.adapters.batch.policies import Chooser, PolicyFunction, is_table
from number_duels.core.game import AnyGame, SomeGame
from number_duels.machine import find_packed

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled import BatchKernel, Pass


def find_kernel(game: SomeGame) -> BatchKernel | None:
    """Return a game's compiled machine rules, if any. Raise ModuleNotFoundError without Numba."""
    packed = find_packed(game)
    if packed is None:
        return None
    if find_spec("numba") is None:
        raise ModuleNotFoundError(
            "Compiled games need Numba: install number-duels[learn], or pass compiled=False.",
            name="numba",
        )
    from number_duels.adapters.batch.compiled import make_kernel

    return make_kernel(packed, usual=game == type(game)())


class CompiledEngine:
    """Plays the steps of a batch in compiled code, with tables of moves and of values."""

    def __init__(
        self,
        kernel: BatchKernel,
        threads: int | None,
        *,
        plain: bool,
        lookup: Lookup | None = None,
        choices: Table | None = None,
        figures: Table | None = None,
    ) -> None:
        from number_duels.adapters.batch import compiled

        self.packed, self.threads = kernel.packed, threads
        self.by_tables, rules = lookup is not None, kernel.packed.rules
        self._choices, self._figures = frozen(choices), frozen(figures)
        self._step = kernel.step(lookup if choices is not None else None, plain=plain)
        self._pick: Pass | None = None
        self._grade: Pass | None = None
        self._value: Pass | None = None
        if lookup is not None and choices is not None and rules.both:
            self._pick = compiled.compile_picks(rules, lookup)
        if lookup is not None and figures is not None:
            self._grade = compiled.compile_grades(rules, lookup)
            self._value = compiled.compile_values(rules, lookup)

    def rows(self, size: int) -> npt.NDArray[np.int64]:
        return np.zeros((size, len(self.packed.bounds)), np.int64)

    def pack(self, state: Hashable) -> tuple[int, ...]:
        return self.packed.pack(state)

    def step(
        self, arrays: BatchArrays, seed: int, actions: npt.NDArray[np.int64], order: Order
    ) -> None:
        settings = self.packed.settings
        given = actions if self._pick is None else actions.copy()

        def work(first: int, last: int) -> None:
            if self._grade is not None:
                self._grade(settings, arrays, actions, self._figures, order, first, last)
            if self._pick is not None:
                self._pick(settings, arrays, given, self._choices, order, first, last)
            self._step(settings, arrays, np.uint64(seed), given, self._choices, order, first, last)
            if self._value is not None:
                self._value(settings, arrays, actions, self._figures, order, first, last)

        in_threads(work, len(actions), self.threads, MIN_GAMES_PER_THREAD)


def find_engine(
    game: AnyGame,
    policy: PolicyFunction | Chooser | None,
    solution: AnySolution | None,
    threads: int | None,
    *,
    plain: bool,
) -> CompiledEngine | None:
    kernel = find_kernel(game)
    if kernel is None:
        return None
    if policy is None and solution is None:
        return CompiledEngine(kernel, threads, plain=plain)
    from number_duels.adapters.batch.compiled import register_functions

    module = table_module(game)
    choices = module.choice_table(policy) if is_table(policy, game) else None
    figures = None if solution is None else module.figure_table(solution)
    if (policy and choices is None) or (solution and figures is None):
        return None
    lookup = module.make_lookup(kernel.packed.rules)
    register_functions(lookup.choose.__module__)
    return CompiledEngine(
        kernel, threads, plain=plain, lookup=lookup, choices=choices, figures=figures
    )


def frozen(table: Table | None) -> Table | None:
    # Compiled code requires read-only arrays.
    return None if table is None else type(table)(*map(read_only, table))


#: With fewer games, starting a thread takes longer than playing a turn of each.
MIN_GAMES_PER_THREAD = 16_384
MIN_WHOLE_GAMES_PER_THREAD = 2_048


def available_threads(threads: int | None) -> int:
    """Return how many threads to use. None means one thread per available core."""
    if threads is None:
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"A batch needs at least 1 thread, not {threads}.")
    return threads


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "number-duels-batch")


# A forked process has none of its parent's threads.
os.register_at_fork(after_in_child=pool.cache_clear)


def in_threads(
    work: Callable[[int, int], None], games: int, threads: int | None, least: int
) -> None:
    """Split the games among threads, and call `work(begin, end)` in each."""
    parts = max(1, min(available_threads(threads), games // least))
    bounds = [games * part // parts for part in range(parts + 1)]
    waiting = [pool(parts - 1).submit(work, begin, end) for begin, end in pairwise(bounds[1:])]
    work(0, bounds[1])
    for other in waiting:
        other.result()
