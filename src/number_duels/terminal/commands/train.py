"""The command `duels train`, for drills, puzzles, lessons and the mistake book."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import suppress

from number_duels.core.game import AnyGame
from number_duels.core.randomness import fresh_seed
from number_duels.core.scene import OVER
from number_duels.games import names
from number_duels.sessions.progress import due_words
from number_duels.sessions.train import Plan, TrainSession, fitting_puzzles, spot_after
from number_duels.terminal.arguments import game_name, make_game
from number_duels.terminal.commands.book import collected_book, local_day
from number_duels.terminal.config import read_config, remember
from number_duels.terminal.errors import (
    DONE,
    INTERRUPTED,
    Interrupted,
    refusing,
    refusing_usage,
    usage,
)
from number_duels.terminal.line.console import Console, Quit, command, note, on_full_screen
from number_duels.terminal.line.progress import solved
from number_duels.terminal.parser import TOPICS, parsed
from number_duels.trainer.book import BookFile
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import NAMED_FORMS
from number_duels.trainer.puzzles import Puzzle, daily, puzzle_lines
from number_duels.trainer.spot import Spot

MAX_COUNT = 1000
#: Options for certain topics only. Without a topic, they mean drills.
ONLY_FOR = {
    "phase": ("drill",),
    "level": ("drill",),
    "form": ("drill",),
    "moves": ("drill",),
    "set": ("drill",),
    "first": ("drill",),
    "grade": ("puzzles",),
    "json": ("daily", "puzzles"),
    "seed": ("drill", "puzzles"),
    "count": ("drill", "puzzles", "today"),
}


def train(args: Namespace) -> int:
    check(args)
    with refusing():
        if args.what is None:
            return open_menu(args)
        if args.json:
            return show_puzzles(args)
        if args.what == "daily":
            return solve_daily(args)
        return repeat(args) if args.what == "today" else sit_down(args, plan_of(args))


def check(args: Namespace) -> None:
    read_words(args)
    if args.count is not None and not 1 <= args.count <= MAX_COUNT:
        raise usage(f"--count must be from 1 to {MAX_COUNT}.")
    for name in ("seat", "deal"):
        if getattr(args, name) is not None and args.moves is None:  # --moves "" means the start
            raise usage(f"--{name} works only with --moves.")
    given = [name for name in ONLY_FOR if getattr(args, name) not in (None, False, [])]
    if given and args.what is None:
        args.what = "drill"
    for name in given:
        if args.what not in ONLY_FOR[name]:
            fits = " or ".join(f"train {topic}" for topic in ONLY_FOR[name])
            option = {"form": "as", "level": "difficulty"}.get(name, name)
            raise usage(f"--{option} works only with {fits}.")


def read_words(args: Namespace) -> None:
    if args.what is not None and args.what not in TOPICS:
        if args.game is not None:
            raise usage(
                f"There is no kind of training called {args.what!r}; choose {', '.join(TOPICS)},"
                " then a game."
            )
        args.what, args.game = None, args.what
    if args.game is not None:
        args.game = game_name(args.game)


def open_menu(args: Namespace) -> int:
    if args.game:
        remember(game=args.game)
    if on_full_screen(args):
        return open_app(args)
    from number_duels.terminal.commands.menu import choose_training
    from number_duels.terminal.main import execute

    words = choose_training(Console(plain=args.plain), args.clock, args.game or "")
    if not words:
        return DONE
    if words[0] == "book":
        return execute(parsed([*words, *(["--plain"] if args.plain else [])]), args.clock)
    _, args.what, *game = words
    args.game = next(iter(game), args.game)
    return train(args)


def chosen_game(args: Namespace) -> AnyGame:
    return make_game(usual_game(args), args.set, args.first, 0)


def usual_game(args: Namespace) -> str:
    return str(args.game or read_config().game or names()[0])


def plan_of(args: Namespace) -> Plan:
    game = chosen_game(args)
    seed = fresh_seed() if args.seed is None else args.seed
    remember(game=game.name)
    if args.what == "lesson":
        return Plan("lesson", game.name)
    if args.what == "puzzles":
        puzzles_asked(args)  # raises a usage error if there are none
        grade = int(args.grade) if args.grade else None
        return Plan("puzzle", game.name, grade=grade, count=args.count, seed=seed)
    form = NAMED_FORMS[args.form or "move"]
    scope = Scope(args.phase or "", args.level or "", form, spot_asked(args, game))
    return Plan("drill", game.name, game.settings, scope, count=args.count, seed=seed)


def puzzles_asked(args: Namespace) -> list[Puzzle]:
    if args.what == "daily":
        return [daily(local_day(args.clock))]
    with refusing_usage():
        return fitting_puzzles(chosen_game(args).name, int(args.grade) if args.grade else None)


def show_puzzles(args: Namespace) -> int:
    found = puzzles_asked(args)
    for line in puzzle_lines(found, solved(found[0].spot.open().game)):
        print(line)
    return DONE


def spot_asked(args: Namespace, game: AnyGame) -> Spot | None:
    if args.moves is None:
        return None
    with refusing_usage(f"{game.title}: "):
        seat = int(args.seat) if args.seat else None
        return spot_after(game, args.deal, args.moves, seat).spot


def solve_daily(args: Namespace) -> int:
    plan = Plan("daily", day=local_day(args.clock))
    session = TrainSession(plan, BookFile(), args.clock)
    if session.state.stage != OVER:
        return sit_down(args, plan)
    Console(plain=args.plain).say(session.summary())
    return DONE


def repeat(args: Namespace) -> int:
    book = collected_book(BookFile())
    plan = Plan("book", args.game or "", count=args.count)
    session = TrainSession(plan, BookFile(), args.clock)
    if session.state.items:
        return sit_down(args, plan)
    Console(plain=args.plain).say(session.summary())
    if sys.stderr.isatty():
        if book.cards:
            with suppress(ValueError):  # the book may have games that are not installed
                from number_duels.terminal.line.trainer import again_command

                note(f"Try it now: {again_command(book.cards[0].spot)}")
        note(f"Find new ones: {command('train', 'drill')}")
    return DONE


def sit_down(args: Namespace, plan: Plan) -> int:
    if on_full_screen(args):
        return open_app(args, plan)
    from number_duels.terminal.line.trainer import LineTrainer

    console = Console(plain=args.plain)
    session = TrainSession(plan, BookFile(), args.clock)
    if session.book.notice:
        note(session.book.notice)
    if session.resumed:
        note(f"{session.resumed} Type restart to begin again.")
    status = DONE
    try:
        LineTrainer(session, console).run()
    except Quit:
        pass
    except Interrupted:
        status = INTERRUPTED
    except KeyboardInterrupt:
        status = INTERRUPTED
        console.draw([""])  # the prompt's line is still open
    console.say(filter(None, (session.problem, *session.summary())))
    if sys.stderr.isatty():
        say_next(session)
    return status


def open_app(args: Namespace, plan: Plan | None = None) -> int:
    from number_duels.terminal.app.application import run
    from number_duels.terminal.app.drill import DrillScreen
    from number_duels.terminal.app.train_page import TrainScreen

    session = TrainSession(plan, BookFile(), args.clock) if plan else None
    return run(
        calm=args.calm, opens=lambda: [TrainScreen(), *([DrillScreen(session)] if session else [])]
    )


def say_next(session: TrainSession) -> None:
    due = len(session.book.due(session.clock.now()))
    if due:
        note(f"Today: {due_words(due)}; start with: {command('train', 'today')}")
    else:
        note(f"Continue: {command('train')}")
