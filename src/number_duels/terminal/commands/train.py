"""`duels train`: drills, puzzles, lessons and the mistake book."""

from __future__ import annotations

import sys
from argparse import Namespace

from number_duels.core.game import AnyGame
from number_duels.core.randomness import fresh_seed
from number_duels.games import names
from number_duels.terminal.arguments import make_game, usage
from number_duels.terminal.commands.start import full_screen
from number_duels.terminal.config import read_config, remember
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError, Interrupted
from number_duels.terminal.input_commands import Quit
from number_duels.terminal.train_tasks import DrillTasks, spot_of
from number_duels.terminal.training import Sitting, Tasks
from number_duels.terminal.ui.console import Console, command, note
from number_duels.trainer.book_file import BookFile
from number_duels.trainer.drills import Scope

#: More than anybody answers in one sitting.
MAX_COUNT = 1000


def train(args: Namespace) -> int:
    """Do what is asked for; at a terminal with room for it, on the full screen."""
    check(args)
    try:
        return sit_down(args, drill_tasks(args))
    except ValueError as error:
        raise CommandError(str(error)) from None


def check(args: Namespace) -> None:
    """Refuse what does not fit together."""
    if args.count is not None and not 1 <= args.count <= MAX_COUNT:
        raise usage(f"--count is how many positions come up, 1 to {MAX_COUNT}.")
    if args.moves is None and (args.seat or args.deal):
        raise usage("--seat and --deal go with --moves, which leads to one spot.")


def drill_tasks(args: Namespace) -> DrillTasks:
    """The drills that the command line asks for."""
    game = chosen_game(args)
    spot = None
    if args.moves is not None:
        try:
            found = spot_of(game, args.deal, args.moves, int(args.seat) if args.seat else None)
        except ValueError as error:
            raise usage(f"{game.title}: {error}") from None
        spot = found.spot
    scope = Scope(args.phase or "", args.level or "", args.form, spot)
    seed = fresh_seed() if args.seed is None else args.seed
    remember(game=game.name)
    return DrillTasks(game, scope, BookFile().read().learner(game.name), seed, args.count)


def chosen_game(args: Namespace) -> AnyGame:
    """The game that is named, or the one played last, or the first there is."""
    return make_game(args.game or read_config().game or names()[0], args.set, args.first, 0)


def sit_down(args: Namespace, tasks: Tasks) -> int:
    """Ask until there is nothing left, or somebody has had enough."""
    if not args.plain and full_screen():
        from number_duels.terminal.app.application import run
        from number_duels.terminal.app.train_drill import DrillScreen

        return run(calm=args.calm, opens=lambda: [DrillScreen(tasks)])
    from number_duels.terminal.commands.train_lines import LineTrainer

    console = Console(plain=args.plain)
    sitting = Sitting(tasks, BookFile())
    if sitting.book.notice:
        note(sitting.book.notice)
    status = DONE
    try:
        LineTrainer(sitting, console).run()
    except Quit:
        pass
    except (Interrupted, KeyboardInterrupt) as how:
        status = INTERRUPTED
        if isinstance(how, KeyboardInterrupt):
            console.draw([""])  # the prompt's line is still open
    console.say(sitting.summary())
    if sys.stderr.isatty():
        say_next(sitting)
    return status


def say_next(sitting: Sitting) -> None:
    """What would be a good next step."""
    from datetime import UTC, datetime

    due = len(sitting.book.due(datetime.now(UTC)))
    if due:
        note(f"Today: {due} positions in your book; see them: {command('train', '--book')}")
    else:
        note(f"Go on: {command('train')}")
