"""The command `duels stats`, which shows statistics of the user's saved games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from number_duels.core.clock import SYSTEM_CLOCK
from number_duels.core.progress_bar import progress_bar
from number_duels.core.scene import Scene
from number_duels.review.json import stats_json
from number_duels.review.player_stats import player_stats
from number_duels.sessions.statistics import statistics_scene, training_sentences
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.terminal.arguments import game_name
from number_duels.terminal.commands.book import local_day
from number_duels.terminal.errors import DONE
from number_duels.terminal.line.console import Console, aligned, command, note, print_json
from number_duels.terminal.menu_entries import read_book
from number_duels.terminal.saves import saved_games

BLOCKS, BARE_COLUMNS = "▁▂▃▄▅▆▇█", "_.:-=+*#"
BAR_WIDTH = 20


def show_stats(args: Namespace) -> int:
    only = game_name(args.game) if args.game else None
    records = [one.record for one in saved_games() if only in (None, one.record.game)]
    limit = None if args.all else LARGE_CACHE_BYTES
    with progress_bar("Grading your games") as report:
        stats = player_stats(records, progress=report, max_bytes=limit)
    if args.json:
        print_json(stats_json(stats))
        return DONE
    console = Console(plain=args.plain)
    training = () if only else training_sentences(read_book(SYSTEM_CLOCK), local_day())
    scene = statistics_scene(stats, training=training)
    lines = stats_lines(scene, BARE_COLUMNS if console.plain else BLOCKS)
    console.say(lines)
    if not stats.games:
        play = command("play", only or "GAME", "--two", "level:1")
        note(f"There is no game to count yet; play one: {play}")
    elif stats.ungraded and not args.all:
        note(f"To grade all your games: {command('stats', *filter(None, [only]), '--all')}")
    return DONE


def stats_lines(scene: Scene, heights: str = BLOCKS) -> Iterator[str]:
    scores = [table for table in scene.tables if table.kind == "scores"]
    shares = [table for table in scene.tables if table.kind == "shares"]
    for table in scores:
        rows = ((row.words, *row.cells) for row in table.rows)
        columns = (table.title, *table.columns)
        yield from aligned([columns, *rows], right=range(1, len(columns)))
        yield ""
    yield from scene.lines
    if scene.chart:
        ((curve,), axis) = scene.chart.curves, scene.chart.axis
        drawn = "".join(heights[round((len(heights) - 1) * at)] for _, at in curve.points)
        yield from ("", scene.chart.title, f"  {axis[-1][1]}  {drawn}  {axis[0][1]}")
    for table in shares:
        yield from ("", table.title)
        for row in table.rows:
            bar = "█" * round(BAR_WIDTH * row.share)
            share, mean = row.cells
            yield f"  {row.words:7}  {bar:░<{BAR_WIDTH}}  {share:>4}  {mean}"
    if scene.notes:
        yield from ("", *scene.notes)
