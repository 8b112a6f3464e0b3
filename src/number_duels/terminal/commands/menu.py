"""The menu, for newcomers: everything can be reached from it."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext

from number_duels.core.questions import Prompt
from number_duels.core.text import count_word
from number_duels.games import find as find_game
from number_duels.games import load, names
from number_duels.players.registry import HUMAN, KINDS
from number_duels.terminal import saves
from number_duels.terminal.arguments import needs_solution
from number_duels.terminal.commands.game_setup import GameSetup, set_up
from number_duels.terminal.commands.menu_page import Entry, choose
from number_duels.terminal.commands.play import standing
from number_duels.terminal.config import Config, read_config
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.main import execute
from number_duels.terminal.parser import parsed
from number_duels.terminal.preparation import BackgroundPreparation, announce_size
from number_duels.terminal.ui.console import Console, thinking

NEWEST = 9
#: Who meets when somebody just wants to see it.
METERED = ("random", "level:1", "level:3", "perfect")
GO_BACK = "Press Enter to go back to the menu..."


def menu(args: Namespace) -> int:
    """Show the menu until the user has had enough."""
    console = Console(plain=args.plain)
    console.say(
        [
            "Welcome to Number Duels!",
            f"Two players, {count_word(len(names()))} games, a few numbers.",
            "",
        ]
    )
    options = ("--plain",) if args.plain else ()
    while True:
        words = choose(console, "What would you like to do? ", first_page(read_config()), "Quit")
        if words is None:
            console.say(["Goodbye!"])
            return DONE
        try:
            if whole := complete(console, words):
                perform(console, (*whole, *options))
        except KeyboardInterrupt:  # one level back, which is here
            console.draw([""])


def first_page(config: Config) -> list[Entry]:
    """What can be done now."""
    page = [
        *games_page("play"),
        Entry("t", "Train", "drills of a game, each answer judged at once", ("train",)),
        Entry("r", "Rules", "read the rules of a game", ("rules",)),
        Entry("a", "Analyze", "see the winning chance of every first move", ("analyze",)),
        Entry("s", "Solve", "who wins if both play perfectly", ("solve",)),
        Entry("m", "Measure", "let computer players meet, and rate them", ("arena",)),
        Entry("b", "Browser", "play across a network, until Ctrl-C", ("serve",)),
    ]
    if config.game:
        title, setup = find_game(config.game).title, GameSetup.remembered(config.game, config)
        against = "by two people" if config.opponent == HUMAN else f"against {config.opponent}"
        again = setup.words(config.opponent)
        page.append(Entry("l", "Like last time", f"{title}, {against}", again))
    if (path := saves.latest_unfinished()) is not None:
        title = find_game(saves.read_records(path)[0].record.game).title
        page.append(Entry("c", "Continue", f"go on with {title}", ("resume", str(path))))
    if any(saves.saved_games()):
        page.append(Entry("w", "Watch", "see one of your games again", ("replay",)))
        page.append(Entry("v", "Review", "see what each move of a game cost", ("review",)))
    return page


def games_page(command: str) -> list[Entry]:
    """All games, numbered."""
    games = map(find_game, names())
    return [Entry(str(n), g.title, g.summary, (command, g.name)) for n, g in enumerate(games, 1)]


def saved_page(command: str) -> list[Entry]:
    """The newest games."""
    page = []
    for n, (path, record) in enumerate(saves.saved_games(), 1):
        if n > NEWEST:
            break
        title = find_game(record.game).title
        page.append(Entry(str(n), title, standing(record), (command, str(path))))
    return page


def complete(console: Console, words: tuple[str, ...]) -> tuple[str, ...]:
    """Ask for what a command still needs; nothing: back to the menu."""
    match words:
        case ("play", game):
            return new_game(console, game)
        case ("rules" | "analyze" | "train",):
            return choose(console, "Which game? ", games_page(words[0])) or ()
        case ("arena",):
            chosen = choose(console, "Which game? ", games_page("arena"))
            return measuring(chosen[1]) if chosen else ()
        case ("replay" | "review",):
            return choose(console, "Which game? ", saved_page(words[0])) or ()
        case _:
            return words


def measuring(game: str) -> tuple[str, ...]:
    """A small arena of built-in players; its games are kept, so that it is quick the next time."""
    kept = saves.games_folder().parent / "arenas" / f"{game}.jsonl"
    return ("arena", "--games", game, "--pairs", "25", "--out", str(kept), "--players", *METERED)


def new_game(console: Console, game: str) -> tuple[str, ...]:
    """Ask who plays; at a keyboard the game is solved meanwhile, before anybody needs it."""
    setup = GameSetup.remembered(game, read_config())
    if not console.keyboard or not announce_size(load(game)):
        return set_up(console, setup)
    preparation = BackgroundPreparation(game)
    try:
        words = set_up(console, setup)
        if any(map(needs_solution, KINDS.keys() & set(words))):
            preparation.wait()
        return words
    finally:
        preparation.stop()


def run_quietly(words: tuple[str, ...]) -> int:
    """Run a command; what is typed at one that asks nothing is dropped."""
    asks = words[0] in ("play", "resume", "train")
    with nullcontext() if asks else thinking():
        return execute(parsed(list(words)))


def perform(console: Console, words: tuple[str, ...]) -> None:
    """Run a command, as if it had been typed; a game can be played again."""
    again = [Entry("y", "Yes", "the same again", words)]
    while True:
        status = DONE
        try:
            status = run_quietly(words)
        except CommandError as error:
            console.say([str(error)])
        console.say([""])
        if status == INTERRUPTED:
            return
        if words[0] != "play":
            if console.keyboard:
                console.ask(Prompt(GO_BACK))
                console.say([""])
            return
        if choose(console, "Play again? ", again, "No") is None:
            return
