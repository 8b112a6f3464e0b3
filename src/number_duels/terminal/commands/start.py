"""`duels` alone: the full screen where there is one, else the menu."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from importlib.util import find_spec
from shutil import get_terminal_size

#: The smallest screen on which a table can be used.
MIN_COLUMNS, MIN_ROWS = 60, 20


def start(args: Namespace) -> int:
    """Open the application, or show the menu where there is no room or no library for it."""
    if not args.plain and full_screen():
        from number_duels.terminal.app.application import run

        return run(calm=args.calm)
    from number_duels.terminal.commands.menu import menu

    return menu(args)


def full_screen() -> bool:
    """Whether this is a terminal that the application can be shown on."""
    # Textual reads from standard input and draws on standard error.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(one.isatty() for one in streams) or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    size = get_terminal_size()
    return size.columns >= MIN_COLUMNS and size.lines >= MIN_ROWS and has_textual()


def has_textual() -> bool:
    """Whether the library that draws the application is installed."""
    return find_spec("textual") is not None
