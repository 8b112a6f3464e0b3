"""`duels arena`: many games among many players, and what they show."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path

from number_duels.arena.report import Report, report
from number_duels.arena.results_file import Book, Entry, read_book
from number_duels.arena.stats.anchors import anchors_of
from number_duels.arena.tournament import Arena
from number_duels.arena.workers import Engine, Pool
from number_duels.core.game import AnyGame
from number_duels.games import load
from number_duels.solvers import Unsolvable, solve
from number_duels.terminal.arguments import check_external, usage
from number_duels.terminal.commands.arena_config import Contest, read_contest
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.ui.arena_report import report_lines
from number_duels.terminal.ui.console import Console, command, note
from number_duels.terminal.ui.live_standings import LiveTable
from number_duels.terminal.ui.progress import progress_bar


def arena(args: Namespace) -> int:
    """Play an arena, or show the report of one that was played."""
    refuse_what_would_be_ignored(args)
    if args.exploit:
        from number_duels.terminal.commands.exploitability import show_exploit

        return show_exploit(args)
    if args.plan and Path(args.plan).suffix == ".jsonl":
        return show(args, Path(args.plan))
    contest = read_contest(args)
    if args.address and args.engine != "ray":
        raise usage("--address is for --engine ray.")
    prepare(contest)
    engine = engine_for(args, contest)
    try:
        book = Book(contest.out)
        run = Arena(contest.plan, book, contest.sprt)
    except OSError as error:
        raise CommandError(f"{contest.out} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    status = play(run, engine)
    found = report(run.counting(), anchors_for(contest.plan.games), run.verdicts)
    html = contest.html
    tell(found, args, html)
    if status == INTERRUPTED:
        note(f"Interrupted; every finished game is in {contest.out}. The same command goes on.")
    elif not args.json:
        there = f", {len(book.before)} of them from before" if book.before else ""
        note(f"The games are in {contest.out}{there}.")
        note(f"What each move of them cost: {command('review', str(contest.out))}")
    return status


def refuse_what_would_be_ignored(args: Namespace) -> None:
    """Say so when options do not go together."""
    given = {name for name in ("players", "out", "html", "gauntlet", "sprt") if getattr(args, name)}
    if args.exploit and (args.plan or given):
        extra = f"--{min(given)}" if given else args.plan
        raise usage(f"--exploit looks at one player; leave out {extra}.")
    if args.plan and Path(args.plan).suffix == ".jsonl":
        others = (given | {n for n in ("games", "pairs", "seed") if getattr(args, n)}) - {"html"}
        if others:
            raise usage(f"{args.plan} is reported on as it is; leave out --{min(others)}.")


def engine_for(args: Namespace, contest: Contest) -> Engine:
    """Where the games are played."""
    if args.engine == "pool":
        return Pool(contest.workers, contest.limits)
    from number_duels.arena.ray_workers import RayEngine

    try:
        return RayEngine(contest.workers, contest.limits, args.address)
    except ValueError as error:
        raise CommandError(str(error)) from None


def prepare(contest: Contest) -> None:
    """Solve the games before the workers need them, and see that everybody is there."""
    check_external(contest.plan.players, contest.limits)
    for game in contest.plan.games:
        with progress_bar(f"Solving {game.title}") as bar:
            try:
                solve(game, progress=bar)
            except Unsolvable as error:
                note(f"{error} Its games are played, but not measured against perfect play.")


def play(run: Arena, engine: Engine) -> int:
    """Play what is missing, with a live table where there is a screen."""
    table = LiveTable(run.total, run.book.entries.values())
    try:
        with table:
            run.run(engine, table.watch)
    except KeyboardInterrupt:
        run.book.close()
        return INTERRUPTED
    except RuntimeError as error:
        raise CommandError(f"{error} What was played is in {run.book.path}.") from None
    return DONE


def anchors_for(games: Iterable[AnyGame]) -> Mapping[str, Mapping[str, float]]:
    """The exact ratings of the built-in players, which take a moment for unusual settings."""
    with progress_bar("Rating the built-in players") as bar:
        return anchors_of(games, bar)


def show(args: Namespace, path: Path) -> int:
    """The report of games that were played before."""
    try:
        entries = read_book(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    tell(
        report(entries, anchors_for(games_of(entries))),
        args,
        Path(args.html) if args.html else None,
    )
    return DONE


def games_of(entries: Iterable[Entry]) -> list[AnyGame]:
    """The games that were played, with their settings."""
    found = {entry.event: (entry.game, entry.settings) for entry in entries}
    try:
        return [load(name, **settings) for name, settings in found.values()]
    except ValueError as error:
        raise CommandError(str(error)) from None


def tell(found: Report, args: Namespace, html: Path | None) -> None:
    """Show a report in all the ways that were asked for."""
    if args.json:
        print(json.dumps(found.as_object(), ensure_ascii=False))
    else:
        console = Console(plain=args.plain)
        console.draw(report_lines(found, console))
    if html is None:
        return
    from number_duels.arena.html.page import page

    try:
        html.write_text(page(found), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{html} cannot be written: {error.strerror}.") from None
    note(f"The page is in {html}; open it in a browser.")
    sys.stdout.flush()
