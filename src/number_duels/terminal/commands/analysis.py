"""`duels solve` and `duels review`: facts about games."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from number_duels.core.game import AnyGame, Seat
from number_duels.core.record import shown_names, with_names
from number_duels.games import find, names
from number_duels.review import Review, examine, totals
from number_duels.review.chances import chances
from number_duels.review.json import reviews_json
from number_duels.review.position import AnySolution
from number_duels.review.review_text import carelessness, figures
from number_duels.review.words import chance, verdict
from number_duels.sessions.review import ReviewSession
from number_duels.solvers import Unsolvable, solve
from number_duels.terminal.arguments import game_name, make_game, usage
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.preparation import preparation
from number_duels.terminal.saves import latest, read_records, saved_path
from number_duels.terminal.ui.console import Console, command, note


def solved(game: AnyGame) -> AnySolution:
    """The solution of a game, with a bar while it is worked out."""
    with preparation(f"Solving {game.title}", game) as report:
        try:
            solution: AnySolution = solve(game, progress=report)
        except Unsolvable as error:
            raise CommandError(str(error)) from None
    if solution.warning:
        note(solution.warning)
    return solution


# ---- solve ---------------------------------------------------------------------


def solve_games(args: Namespace) -> int:
    """Solve games, and say who wins each."""
    console = Console(plain=args.plain)
    rows = []
    for name in [game_name(part) for part in args.games] or games_with(args.first):
        game = make_game(name, args.set, args.first, 0)
        solution = solved(game)
        value = examine(solution, game.start()).value
        rows.append(
            {
                "game": game.name,
                "settings": game.settings,
                "value": value,
                "states": solution.states,
                "seconds": round(solution.seconds, 3),
                "cached": solution.cached,
            }
        )
        if not args.json:
            how = "opened" if solution.cached else "solved"
            said = verdict(value, None, chances(solution, game.start()))
            console.draw([console.paint(game.title, "bold"), f"  {said}"])
            figures = f"Player 1's winning chance {chance(value)}, {solution.states:,} states"
            console.draw([f"  {figures}, {how} in {solution.seconds:.2f} s"])
    if args.json:
        print(json.dumps(rows))
    elif sys.stderr.isatty():
        note(f"\nSee the winning chance of each move: {command('analyze', 'GAME')}")
    return DONE


def games_with(first: str | None) -> list[str]:
    """All games, or those in which somebody goes first."""
    return [name for name in names() if first is None or "first" in find(name).describe_settings()]


# ---- review --------------------------------------------------------------------


def review_file(args: Namespace) -> int:
    """What each move of a recorded game cost."""
    path = saved_path(args.file) if args.file else latest()
    solutions: dict[AnyGame, AnySolution] = {}
    sessions, reviews = [], []
    for where, record in read_records(path):
        try:
            session = ReviewSession(record.match())
            while work := session.work():
                if work.game not in solutions:
                    solutions[work.game] = solved(work.game)
                work.run(solutions[work.game])
        except ValueError as error:
            raise CommandError(f"{where} cannot be reviewed: {error}") from None
        sessions.append(session)
        reviews += [session.review] if session.review else []
    if args.plot:
        plot(sessions, Path(args.plot))
    if args.json:
        print(json.dumps(reviews_json(reviews)))
        return DONE
    show_reviews(sessions, Console(plain=args.plain))
    if len(reviews) > 1:
        show_totals(reviews, Console(plain=args.plain))
    return DONE


def show_reviews(sessions: Sequence[ReviewSession], console: Console) -> None:
    """Every game in words; the console puts the names in."""
    for session in sessions:
        console.names, scene = shown_names(session.match.players), session.scene()
        console.draw([console.paint(f"{scene.title}  {session.match.result}", "bold")])
        console.say([*scene.lines, ""])


def show_totals(reviews: Sequence[Review], console: Console) -> None:
    """Every player's figures over many games."""
    console.draw([console.paint(f"Totals of {len(reviews)} games", "bold")])
    for name, tally in totals(map(with_shown_names, reviews)).items():
        said = with_names(f"{Seat.ONE} {carelessness(tally.carelessness)}", (name, ""))
        console.draw([f"{name}: {tally.games} games, {said.removeprefix(name).strip()}"])
        console.draw([f"  {figures(tally)}"])


def with_shown_names(one: Review) -> Review:
    """A review whose players are called as people read them."""
    seats = zip(shown_names(one.record.players), one.record.players, strict=True)
    first, second = (replace(person, name=name) for name, person in seats)
    return replace(one, record=replace(one.record, players=(first, second)))


def plot(sessions: Sequence[ReviewSession], path: Path) -> None:
    if path.suffix not in (".svg", ".png"):
        raise usage("--plot takes a file that ends in .svg or .png.")
    if len(sessions) > 1:
        raise usage("--plot draws one game; this file holds several.")
    try:
        from number_duels.review.chart import save_chart

        save_chart(sessions[0].scene(), path)
    except ModuleNotFoundError:
        raise CommandError("--plot needs Matplotlib: pip install matplotlib") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    note(f"The picture is in {path}.")
