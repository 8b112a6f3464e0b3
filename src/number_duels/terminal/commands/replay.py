"""`duels replay`: watch a game again."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from itertools import pairwise

from number_duels.core.record import shown_names
from number_duels.sessions.replay import ReplaySession
from number_duels.terminal.errors import DONE
from number_duels.terminal.saves import latest, read_records, rebuild, saved_path
from number_duels.terminal.ui.board_display import BoardDisplay
from number_duels.terminal.ui.console import Console


def replay(args: Namespace) -> int:
    """Watch the games of a file again."""
    path = saved_path(args.file) if args.file else latest()
    matches = [rebuild(saved) for saved in read_records(path)]
    delay = args.delay if args.delay is not None else float(sys.stdout.isatty())
    for match in matches:
        console = Console(plain=args.plain, names=shown_names(match.players))
        display = BoardDisplay(console, match.game.title, args.board)
        watch(ReplaySession.of(match), display, delay)
    return DONE


def watch(session: ReplaySession, display: BoardDisplay, delay: float) -> None:
    """A game from its first turn to its last, as a spectator sees it."""
    display.say(session.frames[0].lines)
    for before, frame in pairwise(session.frames):
        announced, told = frame.lines[: frame.announced], frame.lines[frame.announced :]
        display.show(before.board, announced)
        display.say(announced)
        display.say(told, changed=True)
        time.sleep(delay)
