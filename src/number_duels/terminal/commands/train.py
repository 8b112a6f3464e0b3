"""`duels train`: drills, puzzles, lessons and the mistake book."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress

from number_duels.core.game import AnyGame
from number_duels.core.randomness import fresh_seed
from number_duels.core.scene import OVER
from number_duels.core.text import counted
from number_duels.games import names
from number_duels.sessions.train import Plan, TrainSession, fitting_puzzles, spot_after
from number_duels.terminal.arguments import game_name, make_game, usage
from number_duels.terminal.commands import book as book_commands
from number_duels.terminal.commands.analysis import solved
from number_duels.terminal.commands.book import local_day
from number_duels.terminal.config import read_config, remember
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError, Interrupted
from number_duels.terminal.line.console import Console, Quit, command, full_screen, note
from number_duels.trainer.answers import MOVE
from number_duels.trainer.book_file import BookFile
from number_duels.trainer.daily import daily
from number_duels.trainer.drills import Scope
from number_duels.trainer.puzzle_sets import puzzle_lines
from number_duels.trainer.puzzles import Puzzle
from number_duels.trainer.spot import Spot

#: More than anybody answers in one sitting.
MAX_COUNT = 1000
#: What is about a spot, a puzzle or a file, and the option that it goes with.
GOES_WITH = {
    "seat": "moves",
    "deal": "moves",
    "grade": "puzzles",
    "name": "add",
}


def train(args: Namespace) -> int:
    """Do what is asked for; at a terminal with room for it, on the full screen."""
    check(args)
    try:
        return action_of(args)(args)
    except ValueError as error:
        raise CommandError(str(error)) from None


def action_of(args: Namespace) -> Callable[[Namespace], int]:
    """What a command line asks for."""
    actions = (
        (args.add, book_commands.add_files),
        (args.merge, book_commands.merge_book),
        (args.export, book_commands.export_book),
        (args.book, repeat),
        (args.json, show_puzzles),
        (args.daily, solve_daily),
    )
    return next((action for asked, action in actions if asked), practise)


def check(args: Namespace) -> None:
    """Refuse what does not fit together."""
    if args.count is not None and not 1 <= args.count <= MAX_COUNT:
        raise usage(f"--count is how many positions come up, 1 to {MAX_COUNT}.")
    for name, needed in GOES_WITH.items():
        # No moves at all lead to the start.
        if getattr(args, name) is not None and getattr(args, needed) in (None, False):
            raise usage(f"--{name} goes with --{needed}.")
    if args.json and not (args.book or args.puzzles or args.daily):
        raise usage("--json goes with --book, --puzzles or --daily.")


# ---- where tasks come from -----------------------------------------------------


def chosen_game(args: Namespace) -> AnyGame:
    """The game that is named, or the one played last, or the first there is."""
    return make_game(args.game or read_config().game or names()[0], args.set, args.first, 0)


def practise(args: Namespace) -> int:
    """Drills and all else; without a word about what, the full screen asks."""
    if on_full_screen(args) and not asks_for_something(args):
        return open_app(args)
    return sit_down(args, plan_of(args))


def asks_for_something(args: Namespace) -> bool:
    chosen = (args.game, args.phase, args.level, args.moves, args.count, args.seed, args.first)
    wanted = (args.puzzles, args.lesson, args.set, args.form != MOVE)
    return any(one is not None for one in chosen) or any(wanted)


def plan_of(args: Namespace) -> Plan:
    """What is to be trained, besides what is due."""
    seed = fresh_seed() if args.seed is None else args.seed
    if args.lesson:
        return Plan("lesson", plain_game(args).name)
    if args.puzzles:
        grade, name = int(args.grade) if args.grade else None, plain_game(args).name
        puzzles_asked(args)  # refused in a sentence where there are none
        return Plan("puzzle", name, grade=grade, count=args.count, seed=seed)
    game = chosen_game(args)
    scope = Scope(args.phase or "", args.level or "", args.form, spot_asked(args, game))
    remember(game=game.name)
    return Plan("drill", game.name, game.settings, scope, count=args.count, seed=seed)


def plain_game(args: Namespace) -> AnyGame:
    """A game as puzzles and lessons have it."""
    if args.set or args.first or args.moves is not None:
        raise usage(
            "Puzzles and lessons have the usual settings; leave out --set, --first, --moves."
        )
    game = chosen_game(args)
    remember(game=game.name)
    return game


def puzzles_asked(args: Namespace) -> list[Puzzle]:
    """The puzzles that the command line asks for."""
    if args.daily:
        return [daily(local_day(args.clock))]
    try:
        grade = int(args.grade) if args.grade else None
        return fitting_puzzles(plain_game(args).name, grade)
    except ValueError as error:
        raise usage(str(error)) from None


def show_puzzles(args: Namespace) -> int:
    """Puzzles as JSON Lines, each of which explains itself."""
    found = puzzles_asked(args)
    for line in puzzle_lines(found, solved(found[0].spot.open().game)):
        print(line)
    return DONE


def spot_asked(args: Namespace, game: AnyGame) -> Spot | None:
    """The one spot that the command line asks for, if it does."""
    if args.moves is None:
        return None
    try:
        seat = int(args.seat) if args.seat else None
        return spot_after(game, args.deal, args.moves, seat).spot
    except ValueError as error:
        raise usage(f"{game.title}: {error}") from None


def solve_daily(args: Namespace) -> int:
    """The puzzle of the day, or how it went."""
    plan = Plan("daily", day=local_day(args.clock))
    session = TrainSession(plan, BookFile(), args.clock)
    if session.state.stage != OVER:
        return sit_down(args, plan)
    Console(plain=args.plain).say(session.summary())
    return DONE


def repeat(args: Namespace) -> int:
    """What is due today in the book, or all of it as JSON."""
    only = game_name(args.game) if args.game else ""
    book, now = book_commands.collected_book(BookFile()), args.clock.now()
    if args.json:
        return book_commands.show_json(book, now, only)
    plan = Plan("book", only, count=args.count)
    session = TrainSession(plan, BookFile(), args.clock)
    if session.state.items:
        return sit_down(args, plan)
    Console(plain=args.plain).say(session.summary())
    if sys.stderr.isatty():
        if book.cards:
            with suppress(ValueError):  # a book from elsewhere may have games that are not here
                from number_duels.terminal.line.trainer import again_command

                note(f"Try it now: {again_command(book.cards[0].spot)}")
        note(f"Find new ones: {command('train')}")
    return DONE


# ---- a sitting -----------------------------------------------------------------


def sit_down(args: Namespace, plan: Plan) -> int:
    """Ask until there is nothing left, or somebody has had enough."""
    if on_full_screen(args):
        return open_app(args, plan)
    from number_duels.terminal.line.trainer import LineTrainer

    console = Console(plain=args.plain)
    session = TrainSession(plan, BookFile(), args.clock)
    if session.book.notice:
        note(session.book.notice)
    if session.resumed:
        note(session.resumed)
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


def on_full_screen(args: Namespace) -> bool:
    return not args.plain and full_screen()


def open_app(args: Namespace, plan: Plan | None = None) -> int:
    """The trainer's page, and over it what was asked for."""
    from number_duels.terminal.app.application import run
    from number_duels.terminal.app.drill import DrillScreen
    from number_duels.terminal.app.train_page import TrainScreen

    session = TrainSession(plan, BookFile(), args.clock) if plan else None
    return run(
        calm=args.calm,
        opens=lambda: [TrainScreen(), *([DrillScreen(session)] if session else [])],
    )


def say_next(session: TrainSession) -> None:
    """What would be a good next step."""
    due = len(session.book.due(session.clock.now()))
    if due:
        positions = counted(due, "position")
        note(f"Today: {positions} in your book; see them: {command('train', '--book')}")
    else:
        note(f"Go on: {command('train')}")
