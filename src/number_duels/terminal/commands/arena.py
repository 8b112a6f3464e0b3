"""The command `duels arena`, which plays many games between players and reports the results."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from number_duels.arena.engines import MAX_BATCH, Engine, Pool
from number_duels.arena.model_cost import ModelCost, cost_of_games, is_local
from number_duels.arena.page import TITLE, page
from number_duels.arena.report import Provenance, Report, provenance, report
from number_duels.arena.results import GameResult, ResultsFile, read_results
from number_duels.arena.schedule import (
    Schedule,
    event_name,
    has_models,
    has_outsiders,
    named,
    read_salt,
    split_name,
)
from number_duels.arena.stats.ratings import anchors_of, exploitabilities_of
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.stats.sprt import parse as parse_sprt
from number_duels.arena.tournament import Tournament, salted
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit, Outage
from number_duels.core.progress_bar import progress_bar
from number_duels.core.record import Person
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.games import load, names, split_word
from number_duels.players.external import USUAL_MODEL, Limits
from number_duels.players.players_file import PlayersFile
from number_duels.players.registry import KINDS, POLICY, has_policy, policy_of
from number_duels.solvers.best_response import Response, best_response
from number_duels.terminal.arguments import check_external, check_players, make_game
from number_duels.terminal.command_options import read_player_options
from number_duels.terminal.errors import (
    DONE,
    INTERRUPTED,
    CommandError,
    file_errors,
    refusing,
    refusing_usage,
    usage,
)
from number_duels.terminal.line.console import Console, command, confirmed, note, print_json
from number_duels.terminal.line.progress import solved
from number_duels.terminal.reports import LiveStandings, report_lines, table

AnyResponse: TypeAlias = Response[Hashable, Hashable, Hashable]


def run_arena(args: Namespace) -> int:
    check_option_conflicts(args)
    if args.exploit:
        return show_exploit(args)
    if args.results:
        return show_again(args, Path(args.results))
    config = read_config(args)
    check_page(config.html)
    prepare(config)
    engine = engine_for(args, config)
    with file_errors(config.out, "written"):
        file = ResultsFile(config.out)
        schedule = salted(config.schedule, file, config.salt)
        tournament = Tournament(schedule, file, config.sprt)
    with closing(file):
        costs = cost_of_games(schedule.players, tournament.tasks(), config.limits)
        if not agreed(costs, config.limits, yes=args.yes):
            return DONE
        status = play(tournament, engine)
    games, results = schedule.games, tournament.counting()
    whos = (person.who for person in schedule.players if status == DONE)
    policies = [who for who in whos if who.startswith(POLICY)]
    with progress_bar("Computing the best counter-strategies", at_once=bool(policies)) as bar:
        gains = exploitabilities_of(games, policies, bar)
    exact = anchors_for(games), tournament.verdicts, gains
    run = replace(provenance(results), seed=schedule.seed, pairs=schedule.pairs)
    show(report(results, *exact), run, args, config.html)
    if status == INTERRUPTED:
        note(
            f"Interrupted; every finished game is in {config.out}. Run the same command to resume."
        )
    elif not args.json:
        there = f", {len(file.before)} of them from an earlier run" if file.before else ""
        note(f"The games are in {config.out}{there}.")
        note(f"See what each move cost: {command('review', str(config.out))}")
    return status


def agreed(costs: Mapping[Person, ModelCost], limits: Limits, *, yes: bool) -> bool:
    """Return whether the user accepts the cost of the models. Local endpoints cost nothing."""
    total = sum(costs.values(), start=ModelCost())
    if not total.requests:
        return True
    usual = os.environ.get("OPENAI_BASE_URL", "")
    places = [limits.of(person.name).url or usual for person in costs]
    if yes or all(map(is_local, places)):
        note(total.sentence)
        return True
    return confirmed(f"{total.sentence} Start?", Console(), yes=False)


def check_option_conflicts(args: Namespace) -> None:
    others: tuple[str, ...]
    if args.exploit:
        why = "--exploit measures one player"
        others = ("players", "out", "html", "gauntlet", "sprt", "pairs", "seed", "salt")
        if args.results:
            raise usage(f"{why}; leave out {args.results}.")
    elif args.results:
        why = f"The report of {args.results} needs no new games"
        others = ("players", "out", "gauntlet", "sprt", "games", "pairs", "seed", "salt")
    else:
        return
    given = sorted(name for name in others if getattr(args, name))
    if given:
        raise usage(f"{why}; leave out --{given[0]}.")


def engine_for(args: Namespace, config: ArenaConfig) -> Engine:
    # Models wait for their endpoint, so one process plays many of their games at once.
    if args.engine == "pool" and has_models(config.schedule.players):
        from number_duels.arena.in_flight import InFlight

        cores = os.cpu_count() or 1
        return InFlight(config.workers, config.limits, min(config.workers, cores))
    if args.engine == "pool":
        return Pool(config.workers, config.limits, 1 if config.sprt else MAX_BATCH)
    from number_duels.arena.engines import RayEngine

    with refusing():
        return RayEngine(config.workers, config.limits, os.environ.get("RAY_ADDRESS"))


def prepare(config: ArenaConfig) -> None:
    check_external(config.schedule.players, config.limits, config.schedule.games)
    for game in config.schedule.games:
        try:
            solved(game, arrays=True)
        except CommandError as error:
            note(
                f"{error} The arena plays this game, but cannot measure moves against perfect play."
            )


def play(tournament: Tournament, engine: Engine) -> int:
    standings = LiveStandings(tournament.total, tournament.file.results.values())
    try:
        with standings.live():
            tournament.run(engine, standings.add)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Outage as outage:
        played, path = len(tournament.file.results), tournament.file.path
        raise CommandError(
            f"The arena stopped because {outage.reason}; {played} of {tournament.total} games are"
            f" in {path}. Run the same command to resume."
        ) from None
    except RuntimeError as error:
        raise CommandError(
            f"{error} The games played so far are in {tournament.file.path}."
        ) from None
    return DONE


def anchors_for(games: Iterable[AnyGame]) -> Mapping[str, Mapping[str, float]]:
    with progress_bar("Rating the built-in players") as bar:
        return anchors_of(games, bar)


def show_again(args: Namespace, path: Path) -> int:
    html = Path(args.html) if args.html else None
    check_page(html)
    with file_errors(path, "read"):
        results = read_results(path)
    games = games_of(results)
    # Loading a policy that a file names would run its code.
    found = report(results, anchors_for(games), {}, exploitabilities_of(games))
    show(found, provenance(results), args, html)
    return DONE


def check_page(html: Path | None) -> None:
    if html is not None:
        with file_errors(html, "written"):
            check_replaceable(html, TITLE.encode(), "an arena report")


def games_of(results: Iterable[GameResult]) -> list[AnyGame]:
    found = {result.event: result.record for result in results}
    with refusing():
        return [load(record.game, **record.settings) for record in found.values()]


def show(found: Report, run: Provenance, args: Namespace, html: Path | None) -> None:
    if args.json:
        print_json({**found.as_object(), "run": run.as_object()})
    else:
        console = Console(plain=args.plain)
        console.say(report_lines(found, console))
    if html is None:
        return
    written = page(found, run, command(*sys.argv[1:]))
    check_page(html)
    target = Path(os.path.realpath(html))
    with file_errors(html, "written"), replace_file(target, mode=BY_UMASK) as file:
        file.write(written.encode())
    note(f"The page is in {html}; open it in a browser.")
    sys.stdout.flush()


DEFAULT_PAIRS, DEFAULT_SEED, MODEL_WORKERS = 50, 1, 8
MAX_PLAYERS, MAX_GAMES, MAX_WORKERS = 1000, 10_000_000, 1024


@dataclass(frozen=True)
class ArenaConfig:
    schedule: Schedule
    limits: Limits
    workers: int
    out: Path
    html: Path | None
    sprt: Sprt | None
    #: The value of --salt. If None, the salt of the results file is used, or a new one.
    salt: str | None


def read_config(args: Namespace) -> ArenaConfig:
    players, limits = read_people(args.players or [], read_player_options(args))
    with refusing_usage():
        schedule = Schedule(
            players,
            tuple(read_game(one, args.set) for one in args.games or names()),
            pairs=count(args.pairs, "--pairs", DEFAULT_PAIRS, MAX_GAMES),
            seed=DEFAULT_SEED if args.seed is None else args.seed,
            gauntlet=args.gauntlet or "",
        )
        check_size(schedule)
        sprt = parse_sprt(args.sprt) if args.sprt else None
        salt = read_salt(args.salt) if args.salt is not None else None
    if salt and not has_outsiders(players):
        raise usage("--salt is for arenas with bots, functions, policies or models; leave it out.")
    out = args.out or f"arena-{fingerprint(schedule, limits)}.jsonl"
    html = Path(args.html) if args.html else None
    workers = read_workers(args, models=has_models(players))
    return ArenaConfig(schedule, limits, workers, Path(out), html, sprt, salt)


def read_workers(args: Namespace, *, models: bool) -> int:
    usual = MODEL_WORKERS if models else os.cpu_count() or 1
    return count(args.workers, "--workers", usual, MAX_WORKERS)


def count(value: int | None, option: str, usual: int, most: int) -> int:
    if value is None:
        return usual
    if value < 1:
        raise usage(f"{option} must be at least 1.")
    if value > most:
        raise usage(f"{option} must be at most {most}.")
    return value


def read_people(words: Sequence[str], file: PlayersFile) -> tuple[tuple[Person, ...], Limits]:
    """Parse players, each given as `WHO` or `NAME=WHO`, and return them with their limits."""
    if not words:
        raise usage("Name two or more players: duels arena --players random level:3 perfect")
    if len(words) > MAX_PLAYERS:
        raise usage(f"An arena can have at most {MAX_PLAYERS} players.")
    parts = [split_name(word) for word in words]
    found = named(
        [Person(name or (who if who in file.players else ""), file.who(who)) for name, who in parts]
    )
    check_players(*(person.who for person in found))
    for person in found:
        if person.name in KINDS and person.name != person.who:
            raise usage(f"{person.name} is the name of a built-in player; choose another.")
        if not re.fullmatch(r"\S.{0,18}\S|\S", person.name) or not person.name.isprintable():
            raise usage(f"{person.name!r} is not a valid name; use 1 to 20 printable characters.")
    known = {person.name: who for person, (_, who) in zip(found, parts, strict=True)}
    return found, file.limits(known)


def read_game(word: str, settings: Sequence[str]) -> AnyGame:
    """Parse a game's name or a part of it, with optional settings in parentheses.

    >>> read_game("bid(numbers=6)", []).settings["numbers"]
    6
    """
    name, own = split_word(word)
    return make_game(name, [*own, *settings], None, 0)


def check_size(schedule: Schedule) -> None:
    meetings = len(schedule.players) * (len(schedule.players) - 1) // 2
    games = 2 * schedule.pairs * len(schedule.games) * meetings
    if games > MAX_GAMES:
        raise ValueError(
            f"This would be {games} games, but the limit is {MAX_GAMES}; choose fewer --pairs."
        )


def fingerprint(schedule: Schedule, limits: Limits) -> str:
    """Return 8 hex digits that identify a schedule, except for its number of pairs."""
    words = [str(schedule.seed), schedule.gauntlet]
    words += [f"{person.name}={person.who}" for person in schedule.players]
    models = [(name, replace(own.model, price=())) for name, own in limits.players]
    words += [f"{name}: {model}" for name, model in models if model != USUAL_MODEL]
    words += [f"{game.name} {sorted(game.settings.items())}" for game in schedule.games]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]


def show_exploit(args: Namespace) -> int:
    (person,), _ = read_people([args.exploit], read_player_options(args))
    if not has_policy(person.who):
        raise usage(
            "--exploit works only with built-in players and policies, because their probabilities"
            " are known. To get a lower bound for this player:"
            f" duels arena --players {shlex.quote(person.who)} perfect"
        )
    found: dict[str, AnyResponse] = {}
    for game in [read_game(one, args.set) for one in args.games or names()]:
        # The game may be unsolvable, or the policy invalid.
        with refusing(), progress_bar(f"Finding the best counter-strategy in {game.title}") as bar:
            try:
                policy = policy_of(person.who, game)
                found[event_name(game)] = best_response(game, policy, progress=bar)
            except Forfeit as failure:
                raise CommandError(f"{person.who} cannot be measured: {failure.reason}.") from None
    if args.json:
        print_json([exploit_json(event, person.who, one) for event, one in found.items()])
    else:
        Console(plain=args.plain).draw(exploit_lines(found))
    return DONE


def exploit_json(event: str, who: str, found: AnyResponse) -> dict[str, object]:
    return {
        "event": event,
        "who": who,
        "exploitability": found.exploitability,
        "seats": {str(seat + 1): gain for seat, gain in found.gains.items()},
    }


def exploit_lines(found: Mapping[str, AnyResponse]) -> Iterator[str]:
    head = "game", "gain", "as Player 1", "as Player 2"
    rows = (
        (event, *(f"{gain:.6f}" for gain in (one.exploitability, *one.gains.values())))
        for event, one in found.items()
    )
    yield from table([head, *rows])
    yield ""
    yield "Gain: how much more the best counter-strategy wins per game than perfect play would."
    yield "The gain is exact. 0 means that no opponent can profit from this player."
