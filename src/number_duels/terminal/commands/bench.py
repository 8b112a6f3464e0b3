"""The command `duels bench`, which measures a player, compares two players or verifies results."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

from number_duels.arena.engines import Engine, Pool
from number_duels.arena.in_flight import InFlight
from number_duels.arena.model_cost import ModelCost, cost_of_games, model_cost
from number_duels.arena.schedule import short_name
from number_duels.bench.compare import conclusion, differences
from number_duels.bench.page import TITLE, page
from number_duels.bench.report import BenchReport, report_of
from number_duels.bench.results import BenchFile, Results, read_bench
from number_duels.bench.run import Bench, header_of
from number_duels.bench.suite import PLAYER, SIZES, Size, Suite, find_suite
from number_duels.bench.verify import NO_FILES, Files, Verifier
from number_duels.core.game import AnyGame
from number_duels.core.input_files import parse_json
from number_duels.core.player import Outage
from number_duels.core.progress_bar import progress_bar
from number_duels.core.record import Person
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.games import names
from number_duels.players.external import Limits
from number_duels.players.registry import is_model
from number_duels.review.position import AnySolution
from number_duels.terminal.arguments import check_external, check_players
from number_duels.terminal.command_options import read_player_options
from number_duels.terminal.commands.arena import agreed, read_game, read_workers
from number_duels.terminal.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    CommandError,
    file_errors,
    refusing,
    usage,
)
from number_duels.terminal.line.console import Console, command, note, print_json
from number_duels.terminal.line.progress import solved
from number_duels.terminal.reports import bench_lines, comparison_lines

RESULTS, REPORT, PAGE = "results.jsonl", "report.json", "report.html"
#: Text near the start of every report file. A file without it is not overwritten.
REPORT_MARK = b'"header"'
MAX_REPORT_BYTES = 256 * 1024 * 1024
MAX_TOLD = 20


def run_bench(args: Namespace) -> int:
    first, *rest = args.words
    if first == "compare" and len(rest) == 2:
        return compare(args, *rest)
    if first == "verify" and len(rest) == 1:
        return verify(args, rest[0])
    if rest or first in ("compare", "verify"):
        raise usage("Name one player to measure, or use compare A B or verify FILE.")
    return measure(args, first)


def measure(args: Namespace, word: str) -> int:
    suite, file = read_suite(args), read_player_options(args)
    who, limits = file.who(word), file.limits({PLAYER: word}).of(PLAYER)
    check_players(who)
    check_external([Person(PLAYER, who)], limits, suite.games)
    workers = read_workers(args, models=is_model(who))
    folder = Path(args.out) if args.out else Path(default_folder(suite, word))
    solutions = {game: solved(game, arrays=True) for game in suite.games}
    header = header_of(suite, who, limits, command(*sys.argv[1:]))
    with file_errors(folder, "written"):
        check_replaceable(folder / PAGE, TITLE.encode(), "a page that duels bench wrote")
        check_replaceable(folder / REPORT, REPORT_MARK, "a report that duels bench wrote")
        bench = Bench(suite, who, limits, BenchFile(folder / RESULTS, header))
    engine: Engine = InFlight(workers, limits) if is_model(who) else Pool(workers, limits)
    with closing(bench.file):
        if not agreed({Person(PLAYER, who): cost_of(bench, limits)}, limits, yes=args.yes):
            return DONE
        status = play(bench, engine, solutions, workers if is_model(who) else 1)
    found = report_of(read_bench(folder / RESULTS), by_name(solutions))
    write(folder, found)
    if args.json:
        print_json(found.as_object())
    else:
        console = Console(plain=args.plain)
        console.say(bench_lines(found, console))
    if status == INTERRUPTED:
        note(f"Interrupted; the results so far are in {folder}. Run the same command to resume.")
    else:
        note(
            f"The results, the report and the page are in {folder}."
            f" To verify them: duels bench verify {folder}"
        )
    return status


def cost_of(bench: Bench, limits: Limits) -> ModelCost:
    """Return the cost of the remaining questions and games, or zero if no model plays."""
    person, tasks = Person(PLAYER, bench.who), bench.tournament.tasks()
    found = cost_of_games([person], tasks, limits)
    if person not in found:
        return ModelCost()
    size = bench.suite.size
    missing = (size.positions + size.statements) - len(bench.file.answers) / len(bench.suite.games)
    return found[person] + model_cost({}, dict.fromkeys(bench.suite.games, missing), limits.model)


def read_suite(args: Namespace) -> Suite:
    usual = SIZES[args.size or "full"]
    pairs = usual.pairs if args.pairs is None else args.pairs
    positions = usual.positions if args.positions is None else args.positions
    games = [read_game(one, args.set) for one in args.games or names()]
    settings = {game.name: game.settings for game in games} if args.set else {}
    try:
        suite = find_suite(Size(pairs, positions), args.seed, settings, args.suite)
        return suite.only([game.name for game in games]) if args.games else suite
    except ValueError as error:
        raise usage(f"{error} See --pairs, --seed and --suite.") from None


def default_folder(suite: Suite, who: str) -> str:
    name = re.sub(r"[^\w.-]+", "-", short_name(who)).strip("-.") or "player"
    own = "" if suite.is_public else f"-{suite.seed}"
    other = "-settings" if suite.variant else ""
    counts = f"-{suite.size.pairs}-pairs-{suite.size.positions}-positions"
    size = {SIZES["full"]: "", SIZES["small"]: "-small"}.get(suite.size, counts)
    some = len(suite.games) < len(find_suite(name=suite.name).games)
    games = "".join(f"-{game.name}" for game in suite.games) if some else ""
    return f"bench-{name}-{suite.name}{own}{other}{size}{games}"


def by_name(solutions: Mapping[AnyGame, AnySolution]) -> dict[str, AnySolution]:
    return {game.name: solution for game, solution in solutions.items()}


def play(
    bench: Bench, engine: Engine, solutions: Mapping[AnyGame, AnySolution], at_once: int
) -> int:
    try:
        with progress_bar(f"Measuring {bench.who}") as bar:
            bench.run(engine, solutions, lambda done, total: bar(done / max(1, total)), at_once)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Outage, RuntimeError) as error:  # the endpoint is down, or workers died
        folder = bench.file.path.parent
        raise CommandError(
            f"The bench stopped: {error} The results so far are in {folder}. Run the same command"
            " to resume."
        ) from None
    return DONE


def write(folder: Path, found: BenchReport) -> None:
    whole = json.dumps(found.as_object(), indent=1, ensure_ascii=False)
    for name, text in ((REPORT, whole + "\n"), (PAGE, page(found))):
        path = folder / name
        with file_errors(path, "written"), replace_file(path, mode=BY_UMASK) as file:
            file.write(text.encode())


def results_path(text: str) -> Path:
    path = Path(text)
    return path / RESULTS if path.is_dir() else path


def read_results(text: str) -> Results:
    path = results_path(text)
    with file_errors(path, "read"):
        return read_bench(path)


def compare(args: Namespace, one: str, two: str) -> int:
    first, second = read_results(one), read_results(two)
    with refusing():
        found = differences(first, second)
    names = [side.header.player for side in (first, second)]
    if names[0] == names[1]:
        names = [f"{name} ({place})" for name, place in zip(names, (one, two), strict=True)]
    said = conclusion(found, *zip(names, (first, second), strict=True))
    if args.json:
        parts = [{**asdict(part), "difference": asdict(part.estimate)} for part in found]
        print_json({"differences": parts, "conclusion": said})
        return DONE
    console = Console(plain=args.plain)
    console.say(comparison_lines(found, said, console))
    return DONE


def verify(args: Namespace, text: str) -> int:
    results = read_results(text)
    files = read_beside(results_path(text))
    with refusing():
        solutions = by_name(
            {game: solved(game, arrays=True) for game in results.header.to_suite().games}
        )
        verifier = Verifier(results, solutions)
    with progress_bar("Replaying every game") as bar:
        found = list(verifier.differences(files, bar))
    if args.json:
        print_json({"games": len(results.games), "differences": found})
        return FAILED if found else DONE
    for what in found[:MAX_TOLD]:
        print(what)
    if len(found) > MAX_TOLD:
        print(f"And {len(found) - MAX_TOLD} more.")
    if not found:
        beside = "" if files == NO_FILES else ", and so are the report and the page"
        print(f"{len(results.games)} games and {len(results.answers)} answers are correct{beside}.")
    return FAILED if found else DONE


def read_beside(results: Path) -> Files:
    report, page, calls = (
        read_bounded(path)
        for path in (
            *(results.with_name(name) for name in (REPORT, PAGE)),
            results.with_suffix(".calls.jsonl"),
        )
    )
    with refusing(f"{results.parent}: "):
        found = None if report is None else parse_json(report)
    lines = []
    for line in (calls or b"").splitlines():
        with suppress(ValueError):  # a killed process may have left an incomplete line
            lines.append(parse_json(line))
    return Files(
        found if isinstance(found, dict) else None if report is None else {},
        None if page is None else page.decode(errors="replace"),
        [line for line in lines if isinstance(line, dict)],
    )


def read_bounded(path: Path) -> bytes | None:
    with suppress(OSError):
        if path.stat().st_size > MAX_REPORT_BYTES:
            raise CommandError(f"{path} is too large to come from duels bench.")
        return path.read_bytes()
    return None
