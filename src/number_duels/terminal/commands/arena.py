"""`duels arena`: many games among many players, and what they show."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from number_duels.arena.game_result import GameResult
from number_duels.arena.html import TITLE
from number_duels.arena.provenance import Provenance, provenance
from number_duels.arena.report import Report, report
from number_duels.arena.results_file import ResultsFile, read_results
from number_duels.arena.schedule import has_models
from number_duels.arena.stats.anchors import anchors_of, exploitabilities_of
from number_duels.arena.tournament import Tournament, salted
from number_duels.arena.workers import MAX_BATCH, Engine, Pool
from number_duels.core.game import AnyGame
from number_duels.core.player import Outage
from number_duels.core.record import Person
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.games import load
from number_duels.players.registry import POLICY
from number_duels.solvers import Unsolvable, solve
from number_duels.terminal.arguments import check_external, usage
from number_duels.terminal.commands.arena_config import ArenaConfig, read_config
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.line.console import Console, command, note, print_json
from number_duels.terminal.line.progress import preparation, progress_bar
from number_duels.terminal.ui.arena_report import report_lines
from number_duels.terminal.ui.live_standings import LiveStandings


def run_arena(args: Namespace) -> int:
    """Play an arena, or show the report of one that was played."""
    check_option_conflicts(args)
    if args.exploit:
        from number_duels.terminal.commands.exploitability import show_exploit

        return show_exploit(args)
    if args.plan and Path(args.plan).suffix == ".jsonl":
        return show_again(args, Path(args.plan))
    config = read_config(args)
    check_page(config.html)
    if args.address and args.engine != "ray":
        raise usage("--address is for --engine ray.")
    if args.in_flight and args.engine == "ray":
        raise usage("--in-flight is for one process, not for --engine ray.")
    prepare(config)
    engine = engine_for(args, config)
    try:
        file = ResultsFile(config.out)
        schedule = salted(config.schedule, file, config.salt)
        tournament = Tournament(schedule, file, config.sprt)
    except OSError as error:
        raise CommandError(f"{config.out} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    status = play(tournament, engine)
    games, results = schedule.games, tournament.counting()
    policies = policies_among(schedule.players) if status == DONE else []
    with progress_bar("Answering the policies", at_once=bool(policies)) as bar:
        gains = exploitabilities_of(games, policies, bar)
    exact = anchors_for(games), tournament.verdicts, gains
    run = replace(provenance(results), seed=schedule.seed, pairs=schedule.pairs)
    show(report(results, *exact), run, args, config.html)
    if status == INTERRUPTED:
        note(f"Interrupted; every finished game is in {config.out}. The same command goes on.")
    elif not args.json:
        there = f", {len(file.before)} of them from before" if file.before else ""
        note(f"The games are in {config.out}{there}.")
        note(f"What each move of them cost: {command('review', str(config.out))}")
    return status


def check_option_conflicts(args: Namespace) -> None:
    """Refuse options of which one would be ignored."""
    options = ("players", "out", "html", "gauntlet", "sprt", "sprt_on")
    given = {name for name in options if getattr(args, name)}
    if args.exploit and (args.plan or given):
        extra = f"--{min(given).replace('_', '-')}" if given else args.plan
        raise usage(f"--exploit looks at one player; leave out {extra}.")
    if args.plan and Path(args.plan).suffix == ".jsonl":
        others = (given | {n for n in ("games", "pairs", "seed", "salt") if getattr(args, n)}) - {
            "html"
        }
        if others:
            first = min(others).replace("_", "-")
            raise usage(f"{args.plan} is reported on as it is; leave out --{first}.")


def engine_for(args: Namespace, config: ArenaConfig) -> Engine:
    """Where the games are played: models wait for their endpoint in one process, others compute."""
    if args.engine == "pool" and has_models(config.schedule.players):
        from number_duels.arena.in_flight import InFlight

        return InFlight(config.in_flight, config.limits, config.workers)
    if args.engine == "pool":
        return Pool(config.workers, config.limits, 1 if config.sprt else MAX_BATCH)
    from number_duels.arena.ray_workers import RayEngine

    try:
        return RayEngine(config.workers, config.limits, args.address)
    except ValueError as error:
        raise CommandError(str(error)) from None


def prepare(config: ArenaConfig) -> None:
    """Solve the games before the workers need them, and see that everybody is there."""
    check_external(config.schedule.players, config.limits, config.schedule.games)
    for game in config.schedule.games:
        with preparation(f"Solving {game.title}", game) as bar:
            try:
                solve(game, progress=bar).open_arrays(bar)
            except Unsolvable as error:
                note(f"{error} Its games are played, but not measured against perfect play.")


def play(tournament: Tournament, engine: Engine) -> int:
    """Play what is missing, with a live table where there is a screen."""
    standings = LiveStandings(tournament.total, tournament.file.results.values())
    try:
        with standings:
            tournament.run(engine, standings.add)
    except KeyboardInterrupt:
        tournament.file.close()
        return INTERRUPTED
    except Outage as outage:
        tournament.file.close()
        played, path = len(tournament.file.results), tournament.file.path
        raise CommandError(
            f"The arena stops, as {outage.reason}; {played} of {tournament.total} games are in"
            f" {path}, and the same command plays the rest."
        ) from None
    except RuntimeError as error:
        raise CommandError(f"{error} What was played is in {tournament.file.path}.") from None
    return DONE


def anchors_for(games: Iterable[AnyGame]) -> Mapping[str, Mapping[str, float]]:
    """The exact ratings of the built-in players, which take a moment for unusual settings."""
    with progress_bar("Rating the built-in players") as bar:
        return anchors_of(games, bar)


def policies_among(people: Iterable[Person]) -> list[str]:
    return [person.who for person in people if person.who.startswith(POLICY)]


def show_again(args: Namespace, path: Path) -> int:
    html = Path(args.html) if args.html else None
    check_page(html)
    try:
        results = read_results(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    games = games_of(results)
    # A policy that a file names is not loaded: its code would run.
    found = report(results, anchors_for(games), {}, exploitabilities_of(games))
    show(found, provenance(results), args, html)
    return DONE


def check_page(html: Path | None) -> None:
    """Refuse to write over a file that is no report, before hours are spent on one."""
    try:
        if html is not None:
            check_replaceable(html, TITLE.encode(), "the page of a report")
    except OSError as error:
        raise CommandError(f"{html} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None


def games_of(results: Iterable[GameResult]) -> list[AnyGame]:
    found = {result.event: result.record for result in results}
    try:
        return [load(record.game, **record.settings) for record in found.values()]
    except ValueError as error:
        raise CommandError(str(error)) from None


def show(found: Report, run: Provenance, args: Namespace, html: Path | None) -> None:
    """Show a report as text or JSON, and write its page."""
    if args.json:
        print_json({**found.as_object(), "run": run.as_object()})
    else:
        console = Console(plain=args.plain)
        console.draw(report_lines(found, console))
    if html is None:
        return
    from number_duels.arena.html.page import page

    written = page(found, run, command(*sys.argv[1:]))
    check_page(html)
    try:
        with replace_file(Path(os.path.realpath(html)), mode=BY_UMASK) as file:
            file.write(written.encode())
    except OSError as error:
        raise CommandError(f"{html} cannot be written: {error.strerror}.") from None
    note(f"The page is in {html}; open it in a browser.")
    sys.stdout.flush()
