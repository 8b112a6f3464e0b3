"""The command-line parser: every command, every option, and errors in one sentence."""

from __future__ import annotations

import os
import re
from argparse import (
    SUPPRESS,
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NoReturn

from number_duels import __version__
from number_duels.core.text import printable
from number_duels.terminal.command_options import (
    add_arena,
    add_bench,
    add_bot,
    add_json,
    add_number,
    add_optional,
    add_player_options,
    add_serve,
    add_settings,
    seconds,
)
from number_duels.terminal.config import OPTIONS, Config, read_config, written
from number_duels.terminal.errors import usage

WHO = "human, random, perfect, level:1 to level:5, bot:COMMAND, py:…, llm:MODEL or NAME"
#: The words that `duels cache clear` accepts besides a game.
CACHE_WORDS = ("solutions", "strategies", "reviews", "outdated")


TOPICS = ("daily", "puzzles", "lesson", "drill", "today")
A_GAME = "the name of a game, or any part of it that fits no other"
#: For each group, its commands: the function that runs each, and its help text.
COMMANDS = {
    "play": {
        "play": ("commands.play:play", "Play a game."),
        "resume": ("commands.play:resume", "Resume an interrupted game."),
        "replay": ("commands.play:replay", "Watch a game again."),
        "list": ("commands.catalogue:show_list", "Show all games."),
        "rules": ("commands.catalogue:show_rules", "Show the rules of a game."),
        "saves": ("commands.saves:show_saves", "List or delete your saved games."),
    },
    "learn": {
        "train": ("commands.train:train", "Train with drills, puzzles and lessons."),
        "book": ("commands.book:run_book", "List or change the cards of your mistake book."),
        "review": ("commands.analysis:review_file", "Show what each move of a game cost."),
        "analyze": (
            "commands.analysis:analyze",
            "Show the winning chance of a position and of its moves.",
        ),
        "solve": ("commands.analysis:solve_games", "Solve games exactly."),
        "stats": ("commands.stats:show_stats", "Show how you play, over all your games."),
    },
    "measure": {
        "arena": ("commands.arena:run_arena", "Let many players meet, and measure them."),
        "bench": ("commands.bench:run_bench", "Measure a player by a fixed suite."),
        "bot": ("commands.bot_check:check_bot", "Try a bot in every game, and list its errors."),
    },
    "host": {
        "serve": ("commands.serve:serve", "Serve the games to browsers, across a network."),
        "cache": ("commands.cache:show_cache", "Show the cache, or empty it."),
        "completion": ("completion:show_script", "Print a shell completion script."),
    },
}


class HelpFormatter(RawDescriptionHelpFormatter):
    """A help formatter that takes its width from `screen_width`.

    argparse makes one for every option. By default it gets the width from `shutil`, which is slow
    to import because it imports every compression library.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=screen_width() - 2)


@cache
def screen_width() -> int:
    """Return $COLUMNS, or the width of the terminal, or 80."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size().columns) or 80
    return 80


class Parser(ArgumentParser):
    """An argument parser that raises a wrong argument as a one-sentence error."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".")
        raise usage(f"{sentence}. See: {self.prog} --help")

    def parse_known_args(  # type: ignore[override]  # equivalent to its overloads
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """Refuse an option that the command does not have, and name the nearest one."""
        found, unknown = super().parse_known_args(args, namespace or Namespace())
        options = [word.partition("=")[0] for word in unknown if word.startswith("--")]
        if options and " " in self.prog:
            from difflib import get_close_matches

            near = get_close_matches(options[0], re.findall(r"--[\w-]+", self.format_usage()), 1)
            meant = f"; the nearest is {near[0]}" if near else ""
            self.error(f"There is no option {options[0]}{meant}")
        return found, unknown


def build_parser(*, limits: bool = True) -> Parser:
    """Build the parser, with the options of `duels serve` only if `limits` is set."""
    parser = Parser(
        prog="duels",
        description="Five two-player number games. Without a command: the full screen, or a menu.",
        formatter_class=HelpFormatter,
        usage="duels [-h] [--version] [--plain] [--calm] [COMMAND ...]",
        epilog="\n".join(overview()),
    )
    parser.add_argument("--version", action="version", version=f"number-duels {__version__}")
    add_key(parser, "plain")
    add_key(parser, "calm")
    parser.set_defaults(run="commands.menu:start")
    commands = parser.add_subparsers(
        metavar="COMMAND", parser_class=Parser, help=SUPPRESS, prog="duels"
    )
    made = {}
    for name, (run, text) in (one for group in COMMANDS.values() for one in group.items()):
        made[name] = commands.add_parser(name, description=text, formatter_class=HelpFormatter)
        made[name].add_argument("--plain", action="store_true", default=SUPPRESS, help=SUPPRESS)
        made[name].set_defaults(run=run)
    add_playing(made)
    add_learning(made)
    add_facts(made)
    add_arena(made["arena"])
    if limits:
        add_serve(made["serve"])
    add_bot(made["bot"])
    add_bench(made["bench"])
    add_kept(made)
    return parser


def overview() -> Iterator[str]:
    """List the commands in their groups, for `duels --help`."""
    for group, commands in COMMANDS.items():
        yield f"{group}:"
        yield from (f"  {name:10}  {text}" for name, (_, text) in commands.items())
        yield ""
    yield "Try: duels play knot     duels rules drop     duels COMMAND --help"


def add_key(command: Parser, name: str) -> None:
    """Add an option whose default comes from `config.toml`."""
    about, default = OPTIONS[name], getattr(Config, name)
    told = f"{about['option']} (default: {name} in config.toml, else {written(default)})"
    if default is False:
        command.add_argument(f"--{name}", action="store_true", default=None, help=told)
    else:
        choices = about["choices"] or None
        metavar = "|".join(choices) if choices else "A,B"
        command.add_argument(f"--{name}", choices=choices, metavar=metavar, help=told)


def add_playing(made: Mapping[str, Parser]) -> None:
    add_json(made["list"])
    made["rules"].add_argument("game", metavar="GAME", help=A_GAME)
    add_settings(made["rules"])
    play, resume, replay = made["play"], made["resume"], made["replay"]
    play.add_argument("game", metavar="GAME", help=A_GAME)
    add_optional(resume, "file", "resume this game (default: the latest unfinished)")
    for number, name in enumerate(("one", "two"), 1):
        about = f"choose who plays Player {number}: {WHO} (default: human)"
        play.add_argument(f"--{name}", metavar="WHO", default="human", help=about)
        about = f"choose who plays Player {number} from now on (default: as before)"
        resume.add_argument(f"--{name}", metavar="WHO", help=about)
    add_settings(play, first=("1", "2", "random"))
    add_key(play, "names")
    add_number(play, "seed", "deal the same cards as any game with this seed (default: a new seed)")
    about = "lay out what is otherwise shuffled, in the notation of the rules (default: shuffle it)"
    play.add_argument("--deal", metavar="TEXT", help=about)
    about = "write the game to this new file (default: a file in the folder of games)"
    play.add_argument("--save", metavar="FILE", help=about)
    add_key(play, "board")
    resume.set_defaults(board=None)
    replay.set_defaults(board=None)
    for one in (play, resume):
        about = "let players type hint to see the winning chance of each option"
        one.add_argument("--hints", action="store_true", help=about)
        add_player_options(one)
    add_optional(replay, "file", "show this game (default: the latest)")
    about = "pause this long after each turn (default: 1 on a terminal, else 0)"
    replay.add_argument("--delay", type=seconds, metavar="SECONDS", help=about)


def add_learning(made: Mapping[str, Parser]) -> None:
    train = made["train"]
    add = train.add_argument
    about = "train this (default: open the menu of training)"
    add("what", metavar="|".join(TOPICS), nargs="?", help=about)
    add_optional(train, "game", "train this game (default: the one played last)")
    phases, grades = ("opening", "middle", "end"), "12345"
    add("--phase", choices=phases, help="drill only this part of a game (default: all of it)")
    add(
        "--difficulty",
        dest="level",
        choices=("easy", "medium", "hard"),
        help="drill only positions that are this hard (default: all)",
    )
    about = "ask only puzzles with this many stars (default: all, easy ones first)"
    add("--grade", choices=[*grades], help=about)
    add(
        "--as",
        dest="form",
        choices=["move", "mixture"],
        help="answer drills with a move, or with a mixed strategy where perfect play mixes"
        " (default: move)",
    )
    add("--moves", metavar="TEXT", help="drill one position again and again: the turns before it")
    add("--seat", choices=["1", "2"], help="with --moves: decide for this player (default: either)")
    add("--deal", metavar="TEXT", help="with --moves: what was dealt (default: in order)")
    add_settings(train, first=("1", "2"))
    add_number(train, "count", "ask this many positions (default: 10, with --moves 20)")
    about = "ask the same positions as any run with this seed (default: a new seed)"
    add_number(train, "seed", about)
    add_json(train, "print the puzzles as JSON Lines; for daily and puzzles")
    book = made["book"]
    book.add_argument(
        "action",
        choices=["list", "find", "add", "remove", "merge", "export"],
        nargs="?",
        default="list",
        help="list the cards (default), find some, add the mistakes of recorded games, remove"
        " cards, take in"
        " the book of another machine, or write yours to a new file",
    )
    book.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help="list: a GAME (default: all); find: WORDs that a card mentions; add: FILEs; remove:"
        " CARDs, or a GAME for all of its cards; merge, export: a FILE",
    )
    about = "with add: take the mistakes of this player (default: of the people in the files)"
    book.add_argument("--name", metavar="NAME", help=about)
    add_json(book, "with list or find: print one JSON value instead of text")


def add_facts(made: Mapping[str, Parser]) -> None:
    review, analyze, solve = made["review"], made["analyze"], made["solve"]
    add_optional(review, "file", "review this game (default: the latest finished)")
    add_json(review)
    review.add_argument("--plot", metavar="FILE", help="draw the chances to a .svg or .png file")
    analyze.add_argument("game", metavar="GAME", help=A_GAME)
    about = 'play these turns first: "S5 A3" (default: none)'
    analyze.add_argument("--moves", metavar="TEXT", default="", help=about)
    about = "lay out what is dealt, in the notation of the rules (default: in order)"
    analyze.add_argument("--deal", metavar="TEXT", help=about)
    analyze.add_argument(
        "--lock",
        metavar="TEXT",
        action="append",
        default=[],
        help='fix how a player plays: "2 never 10", "2 always 5 here", "2 plays 6:30 8:25 at 7/6";'
        " repeat for more",
    )
    analyze.add_argument("--nfg", metavar="FILE", help="write the matrix for Gambit to a .nfg file")
    solve.add_argument(
        "games", metavar="GAME", nargs="*", help="solve these games (default: all of them)"
    )
    for one in (analyze, solve):
        add_settings(one, first=("1", "2"))
        add_json(one)


def add_kept(made: Mapping[str, Parser]) -> None:
    stats, saves, cache = made["stats"], made["saves"], made["cache"]
    add_optional(stats, "game", "count only this game (default: all of them)")
    about = "grade every game, also where its solution takes more than 100 MB"
    stats.add_argument("--all", action="store_true", help=about)
    saves.add_argument(
        "search", metavar="WORD", nargs="*", help="list only games that mention every word"
    )
    saves.add_argument("--delete", metavar="FILE", help="delete this game instead")
    cache.add_argument("action", choices=["clear"], nargs="?", help="delete instead of listing")
    cache.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help=f"only {', '.join(CACHE_WORDS)} or a GAME (default: everything)",
    )
    for one in (stats, saves, cache):
        add_json(one)
    for one in (saves, cache):
        one.add_argument("--yes", action="store_true", help="delete without asking")
    shells = ["bash", "zsh", "fish"]
    made["completion"].add_argument("shell", choices=shells, help="print the script of this shell")


def parsed(arguments: list[str]) -> Namespace:
    """Parse a command line, and take missing options from the user's configuration."""
    check_command(arguments)
    args = build_parser(limits="serve" in arguments).parse_args(arguments)
    config = read_config()
    for name in OPTIONS:
        if getattr(args, name, "") is None:
            setattr(args, name, getattr(config, name))
    return args


def check_command(arguments: list[str]) -> None:
    """Refuse a word that is no command, and name the nearest one."""
    word = next((one for one in arguments if not one.startswith("-")), None)
    known = [name for group in COMMANDS.values() for name in group]
    if word is None or word in known:
        return
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}."
    raise usage(f"There is no command {printable(word)!r}; {hint}")
