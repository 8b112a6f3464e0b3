"""A progress bar on standard error, and games that are solved behind one."""

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
#: What is done sooner is not worth a bar.
PATIENCE_S = 0.5


@contextmanager
def progress_bar(
    label: str, *, at_once: bool = False, clock: Clock = SYSTEM_CLOCK
) -> Iterator[Callable[[float], None]]:
    """A function to tell the fraction done; it draws only on a terminal.

    What is known to take long is drawn at once, before its first fraction is done.
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
    """A label, a bar and a figure that fit; full only at the end.

    >>> bar_line("Solving", 0.996, 24)
    'Solving [########.]  99%'
    """
    percent = int(100 * max(0.0, min(1.0, fraction)))
    width = max(NARROWEST_BAR, min(WIDEST_BAR, columns - len(label) - len(" [] 100%")))
    label = label[: columns - width - len(" [] 100%")]
    return f"{label} [{filled_bar(fraction, width)}] {percent:3}%"


def filled_bar(fraction: float, width: int, full: str = "#", empty: str = ".") -> str:
    """A bar that is full only at the end.

    >>> filled_bar(0.99, 10), filled_bar(1, 10)
    ('#########.', '##########')
    """
    filled = int(width * max(0.0, min(1.0, fraction)))
    return full * filled + empty * (width - filled)


@contextmanager
def preparation(label: str, game: AnyGame) -> Iterator[Callable[[float], None]]:
    """Show a bar for a game that may have to be solved first, and say what a large one takes."""
    from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache

    growth = 0
    with suppress(ValueError):  # a game that cannot be solved says so when it is
        growth = bytes_to_cache(game)
    if growth > LARGE_CACHE_BYTES and sys.stderr.isatty():
        note(f"{game.title} is solved once, which takes less than a minute.")
        note(f"Its solution takes {growth // 1_000_000} MB in the cache; see: {command('cache')}")
    with thinking(), progress_bar(label, at_once=growth > 0) as report:
        yield report


def solved(game: AnyGame, *, arrays: bool = False) -> AnySolution:
    """The solution of a game, with a bar while it is worked out.

    With arrays, all strategies are at hand, for those who ask about many positions.
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
