"""`duels stats`: how somebody plays, over all saved games."""

from __future__ import annotations

from argparse import Namespace

from number_duels.review.json import stats_json
from number_duels.review.player_stats import player_stats
from number_duels.review.stats_text import stats_lines
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.terminal.arguments import game_name
from number_duels.terminal.errors import DONE
from number_duels.terminal.saves import saved_games
from number_duels.terminal.ui.console import Console, command, note, print_json
from number_duels.terminal.ui.progress import progress_bar


def show_stats(args: Namespace) -> int:
    """Results, chances thrown away, and where."""
    only = game_name(args.game) if args.game else None
    records = [record for _, record in saved_games() if only in (None, record.game)]
    limit = None if args.all else LARGE_CACHE_BYTES
    with progress_bar("Grading your games") as report:
        stats = player_stats(records, progress=report, max_bytes=limit)
    if args.json:
        print_json(stats_json(stats))
        return DONE
    console = Console(plain=args.plain)
    console.draw(line for part in stats_lines(stats) for line in console.fold(part))
    if not stats.games:
        play = command("play", only or "GAME", "--two", "level:1")
        note(f"No finished game against the computer counts yet; play one: {play}")
    elif stats.ungraded and not args.all:
        note(f"To grade them too: {command('stats', *filter(None, [only]), '--all')}")
    return DONE
