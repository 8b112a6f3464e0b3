"""A progress bar on standard error, for anything that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WIDTH = 30
#: What is done sooner is not worth a bar.
PATIENCE = 0.5


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[float], None]]:
    """A function to tell the fraction done; it draws only on a terminal."""
    began, drawn = time.monotonic(), False

    def report(fraction: float) -> None:
        nonlocal drawn
        if not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        drawn = True
        filled = round(WIDTH * max(0.0, min(1.0, fraction)))
        sys.stderr.write(f"\r{label} [{'#' * filled}{'.' * (WIDTH - filled)}] {fraction:4.0%}")
        sys.stderr.flush()

    try:
        yield report
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
