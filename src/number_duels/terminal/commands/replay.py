"""`duels replay`: watch a game again."""

from __future__ import annotations

import sys
import time
from argparse import Namespace

from number_duels.core.game import Outcome
from number_duels.core.player import AnyMatch
from number_duels.core.record import shown_names
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
        watch(match, BoardDisplay(console, match.game.title, args.board), delay)
    return DONE


def watch(match: AnyMatch, display: BoardDisplay, delay: float) -> None:
    """A game from its first turn to its last, as a spectator sees it."""
    game, steps = match.game, match.steps(None)
    begin = True
    display.say(game.opening(steps[0].before if steps else match.view(None)))
    for step in steps:
        if begin:
            words = list(game.announce(step.before, None))
            display.show(game.board(step.before), words)
            display.say(words)
        display.say(game.tell(step.before, step.moves, step.after, None), changed=True)
        begin = bool(step.moves)
        if begin:
            time.sleep(delay)
    if isinstance(match.turn, Outcome) and match.conceded:
        display.say([match.turn.reason])
    elif not isinstance(match.turn, Outcome):
        display.say([f"The game stops here, at turn {match.turn_number}."])
