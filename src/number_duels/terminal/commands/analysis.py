"""The commands `duels solve`, `duels review` and `duels analyze`."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path

from number_duels.core.game import AnyGame, Seat
from number_duels.core.progress_bar import progress_bar
from number_duels.core.record import shown_names, with_names
from number_duels.games import find, names
from number_duels.review import Review, examine, totals
from number_duels.review.json import locks_json, position_json, reviews_json
from number_duels.review.locks import LockedPosition, examine_locks, lock_lines
from number_duels.review.position import AnySolution, chances
from number_duels.review.words import (
    COUNTED_MOVES,
    carelessness,
    chance,
    figures,
    has_luck,
    verdict,
)
from number_duels.sessions.analyze import AnalyzeSession
from number_duels.sessions.review import ReviewSession
from number_duels.sessions.scene_tables import scene_lines
from number_duels.solvers.strategy_lock_solution import LockedSolution
from number_duels.solvers.strategy_locks import Lock, LockRules
from number_duels.terminal.arguments import make_game
from number_duels.terminal.errors import (
    DONE,
    CommandError,
    file_errors,
    refusing,
    refusing_usage,
    usage,
)
from number_duels.terminal.line.console import Console, note, suggest, thinking
from number_duels.terminal.line.progress import solved
from number_duels.terminal.saves import latest, read_records, saved_games, saved_path


def solve_games(args: Namespace) -> int:
    console = Console(plain=args.plain)
    rows = []
    chosen = args.games or [
        name for name in names() if not args.first or "first" in find(name).describe_settings()
    ]
    for game in [make_game(one, args.set, args.first, 0) for one in chosen]:
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
            figures = f"Player 1's winning chance: {chance(value)}, {solution.states:,} states"
            console.draw([f"  {figures}, {how} in {solution.seconds:.2f} s"])
    if args.json:
        print(json.dumps(rows))
    else:
        suggest(("See the winning chance of each move:", "analyze", "GAME"))
    return DONE


def review_file(args: Namespace) -> int:
    path = saved_path(args.file) if args.file else latest(finished=True)
    solutions: dict[AnyGame, AnySolution] = {}
    sessions, reviews = [], []
    for where, record in read_records(path):
        with refusing(f"{where} cannot be reviewed: "):
            earlier = (game.record for game in saved_games())
            session = ReviewSession(record.match(), earlier=earlier)
            while work := session.work():
                if work.game not in solutions:
                    solutions[work.game] = solved(work.game)
                work.run(solutions[work.game])
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
    if any(session.has_own_mistakes for session in sessions):
        suggest(("Try your mistakes again:", "train", "today"))
    return DONE


def show_reviews(sessions: Sequence[ReviewSession], console: Console) -> None:
    for session in sessions:
        console.names, scene = shown_names(session.match.players), session.scene()
        console.draw([console.paint(f"{scene.title}  {session.match.result}", "bold")])
        console.say([*scene.lines, ""])


def show_totals(reviews: Sequence[Review], console: Console) -> None:
    console.draw([console.paint(f"Totals of {len(reviews)} games", "bold")])
    named = [with_shown_names(one) for one in reviews]
    for name, tally in totals(named).items():
        grades = [
            grade
            for one in named
            for grade in one.grades
            if one.record.players[grade.seat].name == name
        ]
        luck = tally.luck if all(map(has_luck, named)) else 0.0
        told = *figures(grades, str(Seat.ONE), luck, tally.games), carelessness(tally.carelessness)
        console.say([f"{name}: {with_names(' '.join(told), (name, ''))}"])
    console.say([COUNTED_MOVES])


def with_shown_names(one: Review) -> Review:
    seats = zip(shown_names(one.record.players), one.record.players, strict=True)
    first, second = (replace(person, name=name) for name, person in seats)
    return replace(one, record=replace(one.record, players=(first, second)))


def plot(sessions: Sequence[ReviewSession], path: Path) -> None:
    if path.suffix not in (".svg", ".png"):
        raise usage("The file name for --plot must end in .svg or .png.")
    if len(sessions) > 1:
        raise usage("--plot draws one game, but this file has several; give a file with one game.")
    try:
        from number_duels.review.chart import save_chart

        with file_errors(path, "written"):
            save_chart(sessions[0].scene(), path)
    except ModuleNotFoundError:
        raise CommandError("--plot needs Matplotlib: pip install matplotlib") from None
    note(f"The picture is in {path}.")


def analyze(args: Namespace) -> int:
    game = make_game(args.game, args.set, args.first, 0)
    with refusing_usage(f"{game.title}: "):
        session = AnalyzeSession(game, args.deal, args.moves)
        state, moves = session.history.state, str(session.history)
        locks = [Lock.parse(text, here=moves) for text in args.lock]
        rules = LockRules.read(game, locks)
    solution = solved(game)
    if work := session.work():
        work.run(solution)
    position = session.position
    assert position
    locked = examine_locked(solution, state, locks, rules) if locks else None
    if args.json:
        extra = {"locks": locks_json(locked)} if locked else {}
        print(json.dumps({**position_json(game, moves, position), **extra}))
        return DONE
    console = Console(plain=args.plain)
    scene = session.scene()
    console.draw([console.paint(scene.title, "bold"), scene.path])
    console.say(["", *scene_lines(scene)])
    if locked:
        console.say(["", *lock_lines(locked, moves)])
    if scene.stage != "over":
        suggest("To try moves, add them to --moves, separated by spaces")
    return DONE


def examine_locked(
    solution: AnySolution,
    state: Hashable,
    locks: Sequence[Lock],
    rules: LockRules[Hashable, Hashable, Hashable],
) -> LockedPosition:
    label = f"Solving {solution.game.title} with locks"
    with refusing(), thinking(), progress_bar(label) as report:
        return examine_locks(LockedSolution(solution, rules, report), locks, state)
