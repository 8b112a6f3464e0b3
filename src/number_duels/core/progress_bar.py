"""A progress bar on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread

from number_duels.core.clock import SYSTEM_CLOCK, Clock

WIDEST_BAR = 30
NARROWEST_BAR = 5
PATIENCE_S = 0.5


@contextmanager
def progress_bar(
    label: str, *, at_once: bool = False, clock: Clock = SYSTEM_CLOCK
) -> Iterator[Callable[[float], None]]:
    """Yield a function that draws a progress bar.

    It draws nothing in the first `PATIENCE_S` seconds, unless `at_once` is set.
    """
    began, drawn, over = clock.monotonic(), False, False

    def report(fraction: float) -> None:
        nonlocal drawn
        early = clock.monotonic() - began < PATIENCE_S and not at_once
        if early or over or not owns_terminal():
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
        over = True
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def owns_terminal() -> bool:
    """Return whether standard error is a terminal on which this thread may draw."""
    from multiprocessing import parent_process

    with suppress(AttributeError, OSError, ValueError):  # standard error is missing, or no file
        own = current_thread() is main_thread() and parent_process() is None
        return own and os.isatty(sys.stderr.fileno())
    return False


def bar_line(label: str, fraction: float, columns: int) -> str:
    """Return a line with a label, a bar and a percentage, at most `columns` wide.

    >>> bar_line("Solving", 0.996, 24)
    'Solving [########.]  99%'
    """
    percent = int(100 * max(0.0, min(1.0, fraction)))
    width = max(NARROWEST_BAR, min(WIDEST_BAR, columns - len(label) - len(" [] 100%")))
    label = label[: columns - width - len(" [] 100%")]
    return f"{label} [{filled_bar(fraction, width)}] {percent:3}%"


def filled_bar(fraction: float, width: int, full: str = "#", empty: str = ".") -> str:
    """Return a bar that is full only when the fraction is 1.

    >>> filled_bar(0.99, 10), filled_bar(1, 10)
    ('#########.', '##########')
    """
    filled = int(width * max(0.0, min(1.0, fraction)))
    return full * filled + empty * (width - filled)
