"""A progress bar on standard error, and a function that shows it while a game is solved."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.terminal.errors import refusing
from number_duels.terminal.line.console import command, note, thinking

if TYPE_CHECKING:
    from number_duels.core.game import AnyGame
    from number_duels.review.position import AnySolution

WIDEST_BAR = 30
NARROWEST_BAR = 5
#: Work that is done within this time shows no progress bar.
PATIENCE_S = 0.5


@contextmanager
def progress_bar(
    label: str, *, at_once: bool = False, clock: Clock = SYSTEM_CLOCK
) -> Iterator[Callable[[float], None]]:
    """Yield a function that draws a progress bar.

    It draws nothing for the first `PATIENCE_S` seconds, unless `at_once` is true.
    """
    began, drawn = clock.monotonic(), False

    def report(fraction: float) -> None:
        nonlocal drawn
        early = clock.monotonic() - began < PATIENCE_S and not at_once
        if early or not sys.stderr.isatty():
            return
        drawn = True
        columns = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
        sys.stderr.write(f"\r{bar_line(label, fraction, columns)}\x1b[K")
        sys.stderr.flush()

    try:
        if at_once:
            report(0.0)
        yield report
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def bar_line(label: str, fraction: float, columns: int) -> str:
    """Return a label, a progress bar and a percentage in one line that fits into `columns`.

    >>> bar_line("Solving", 0.996, 24)
    'Solving [########.]  99%'
    """
    percent = int(100 * max(0.0, min(1.0, fraction)))
    width = max(NARROWEST_BAR, min(WIDEST_BAR, columns - len(label) - len(" [] 100%")))
    label = label[: columns - width - len(" [] 100%")]
    return f"{label} [{filled_bar(fraction, width)}] {percent:3}%"


def filled_bar(fraction: float, width: int, full: str = "#", empty: str = ".") -> str:
    """Return a progress bar. It is full only if `fraction` is 1.

    >>> filled_bar(0.99, 10), filled_bar(1, 10)
    ('#########.', '##########')
    """
    filled = int(width * max(0.0, min(1.0, fraction)))
    return full * filled + empty * (width - filled)


@contextmanager
def preparation(label: str, game: AnyGame) -> Iterator[Callable[[float], None]]:
    from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache

    growth = 0
    with suppress(ValueError):  # solving reports an unsolvable game
        growth = bytes_to_cache(game)
    if growth > LARGE_CACHE_BYTES and sys.stderr.isatty():
        note(f"Solving {game.title}, only once. This takes less than a minute.")
        note(f"Its solution takes {growth / 1e6:.0f} MB in the cache; see: {command('cache')}")
    with thinking(), progress_bar(label, at_once=growth > 0) as report:
        yield report


def solved(game: AnyGame, *, arrays: bool = False) -> AnySolution:
    """Solve a game and show a progress bar.

    If `arrays` is true, also load all strategies, so that many lookups are fast.
    """
    from number_duels.solvers import solve

    with refusing(), preparation(f"Solving {game.title}", game) as report:
        solution: AnySolution = solve(game, progress=report)
    if solution.warning:
        note(solution.warning)
    if arrays:
        with refusing(), thinking(), progress_bar(f"Getting {game.title} ready") as report:
            solution.open_arrays(report)
    return solution
