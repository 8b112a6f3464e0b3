"""Ranges of games on several threads: compiled code runs without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

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
