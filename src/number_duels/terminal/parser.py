"""The command-line parser with all commands and options."""

from __future__ import annotations

import os
import re
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
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
    add_export,
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

WHO = "human, random, perfect, level:1 to level:5, bot:COMMAND, py:…, policy:…, llm:MODEL or NAME"
CACHE_WORDS = ("solutions", "strategies", "reviews", "outdated")


TOPICS = ("daily", "puzzles", "lesson", "drill", "today")
A_GAME = "choose a game by its name or a part of it, such as knot"
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
        "book": ("commands.book:run_book", "List or change the mistakes in your book."),
        "review": ("commands.analysis:review_file", "Show what each move of a game cost."),
        "analyze": (
            "commands.analysis:analyze",
            "Show the winning chance of a position and of its moves.",
        ),
        "solve": ("commands.analysis:solve_games", "Solve games exactly."),
        "stats": ("commands.stats:show_stats", "Show your results, and what your mistakes cost."),
    },
    "measure": {
        "arena": ("commands.arena:run_arena", "Let players play many games, and measure them."),
        "bench": (
            "commands.bench:run_bench",
            "Measure a player with a fixed suite of games and positions.",
        ),
        "bot": ("commands.bot_check:check_bot", "Try a bot in every game, and list its errors."),
        "export": ("commands.export:export", "Print positions to train language models on."),
    },
    "host": {
        "serve": ("commands.serve:serve", "Start a server to play in a browser."),
        "cache": ("commands.cache:show_cache", "Show the cache, or empty it."),
        "completion": ("completion:show_script", "Print a shell completion script."),
    },
}


class HelpFormatter(RawDescriptionHelpFormatter):
    """A help formatter that does not import `shutil` to find the width, because that is slow."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=screen_width() - 2)


@cache
def screen_width() -> int:
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size().columns) or 80
    return 80


class Parser(ArgumentParser):
    """An argument parser that raises an error with one sentence instead of printing the usage."""

    #: The option that people forget before its values.
    wanted = ""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:].rstrip(".")
        raise usage(f"{sentence}. See: {self.prog} --help")

    def parse_known_args(  # type: ignore[override]  # equivalent to its overloads
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        found, unknown = super().parse_known_args(args, namespace or Namespace())
        options = [word.partition("=")[0] for word in unknown if word.startswith("--")]
        if options and " " in self.prog:
            from difflib import get_close_matches

            near = get_close_matches(options[0], re.findall(r"--[\w-]+", self.format_usage()), 1)
            meant = f"; the nearest is {near[0]}" if near else ""
            self.error(f"There is no option {options[0]}{meant}")
        if unknown and self.wanted:
            # The first player was taken for the results file.
            first = getattr(found, "results", None) or unknown[0]
            self.error(f"Write {self.wanted} before {printable(first)!r}")
        return found, unknown


def build_parser(*, limits: bool = True) -> Parser:
    parser = Parser(
        prog="duels",
        description="Five two-player number games. Run duels without a command to open the menu.",
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
    made["arena"].wanted, made["analyze"].wanted = "--players", "--moves"
    add_arena(made["arena"])
    if limits:
        add_serve(made["serve"])
    add_bot(made["bot"])
    add_bench(made["bench"])
    add_export(made["export"])
    add_kept(made)
    return parser


def overview() -> Iterator[str]:
    for group, commands in COMMANDS.items():
        yield f"{group}:"
        yield from (f"  {name:10}  {text}" for name, (_, text) in commands.items())
        yield ""
    yield "Try: duels play knot     duels rules drop     duels COMMAND --help"


def add_key(command: Parser, name: str) -> None:
    about, default = OPTIONS[name], getattr(Config, name)
    usual = f"{name} from config.toml, or {written(default)} if it is not set there"
    told = f"{about['option']} (default: {usual})"
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
    add_optional(resume, "file", "resume this game (default: the latest unfinished game)")
    for number, name in enumerate(("one", "two"), 1):
        about = f"choose who plays Player {number}: {WHO} (default: human)"
        play.add_argument(f"--{name}", metavar="WHO", default="human", help=about)
        about = f"choose who plays Player {number} from now on (default: as before)"
        resume.add_argument(f"--{name}", metavar="WHO", help=about)
    add_settings(play, first=("1", "2", "random"))
    add_key(play, "names")
    add_number(
        play, "seed", "use this seed to deal the same cards every time (default: a new seed)"
    )
    about = "deal these cards or numbers, written as in `duels rules GAME` (default: shuffled)"
    play.add_argument("--deal", metavar="TEXT", help=about)
    about = "save the game to this new file (default: a file in your folder of saved games)"
    play.add_argument("--save", metavar="FILE", help=about)
    add_key(play, "board")
    resume.set_defaults(board=None)
    replay.set_defaults(board=None)
    for one in (play, resume):
        about = 'let players type "hint" to get help with a move'
        one.add_argument("--hints", action="store_true", help=about)
        add_player_options(one)
    add_optional(replay, "file", "show this game (default: the latest game)")
    about = "pause this many seconds after each turn (default: 1 on a terminal, else 0)"
    replay.add_argument("--delay", type=seconds, metavar="SECONDS", help=about)


def add_learning(made: Mapping[str, Parser]) -> None:
    train = made["train"]
    add = train.add_argument
    about = "choose what to train (default: open the training menu)"
    add("what", metavar="|".join(TOPICS), nargs="?", help=about)
    add_optional(train, "game", "train this game (default: the game that you played last)")
    phases, grades = ("opening", "middle", "end"), "12345"
    add("--phase", choices=phases, help="drill only this part of a game (default: the whole game)")
    add(
        "--difficulty",
        dest="level",
        choices=("easy", "medium", "hard"),
        help="drill only easy, medium or hard positions (default: all)",
    )
    about = "show only puzzles with this many stars (default: all, easy ones first)"
    add("--grade", choices=[*grades], help=about)
    add(
        "--as",
        dest="form",
        choices=["move", "mixed"],
        help="answer drills with a move, or with a mixed strategy if perfect play uses one"
        " (default: move)",
    )
    about = "drill only the position after these turns (default: many positions)"
    add("--moves", metavar="TEXT", help=about)
    add("--seat", choices=["1", "2"], help="with --moves: play as this player (default: either)")
    add(
        "--deal",
        metavar="TEXT",
        help="with --moves: deal these cards or numbers (default: in order)",
    )
    add_settings(train, first=("1", "2"))
    add_number(train, "count", "ask about this many positions (default: 10, or 20 with --moves)")
    about = "use this seed to choose the same positions every time (default: a new seed)"
    add_number(train, "seed", about)
    add_json(train, "with daily or puzzles: print the puzzles as JSON Lines")
    book = made["book"]
    book.add_argument(
        "action",
        choices=["list", "find", "add", "remove", "merge", "export"],
        nargs="?",
        default="list",
        help="list your mistakes (default), find some of them, add the mistakes in recorded games,"
        " remove mistakes, merge a book from another machine, or export your book to a new file",
    )
    book.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help="for list: a GAME (default: all games); for find: WORDs; for add: FILEs; for remove:"
        " IDs or a GAME; for merge or export: a FILE",
    )
    about = "with add: add only the mistakes of this player (default: of all players in the files)"
    book.add_argument("--name", metavar="NAME", help=about)
    add_json(book, "with list or find: print one JSON value instead of text")


def add_facts(made: Mapping[str, Parser]) -> None:
    review, analyze, solve = made["review"], made["analyze"], made["solve"]
    add_optional(review, "file", "review this game (default: the latest finished game)")
    add_json(review)
    review.add_argument(
        "--plot",
        metavar="FILE",
        help="write a chart of the winning chances to this .svg or .png file",
    )
    analyze.add_argument("game", metavar="GAME", help=A_GAME)
    about = 'analyze the position after these turns, such as "S5 A3" (default: the start)'
    analyze.add_argument("--moves", metavar="TEXT", default="", help=about)
    about = "deal these cards or numbers, written as in `duels rules GAME` (default: in order)"
    analyze.add_argument("--deal", metavar="TEXT", help=about)
    analyze.add_argument(
        "--lock",
        metavar="TEXT",
        action="append",
        default=[],
        help='fix how a player plays: "2 never 10", "2 always 5 here", "2 plays 6:30 8:25 at 7/6";'
        " repeat for more",
    )
    solve.add_argument(
        "games", metavar="GAME", nargs="*", help="solve these games (default: all games)"
    )
    for one in (analyze, solve):
        add_settings(one, first=("1", "2"))
        add_json(one)


def add_kept(made: Mapping[str, Parser]) -> None:
    stats, saves, cache = made["stats"], made["saves"], made["cache"]
    add_optional(stats, "game", "count only this game (default: all games)")
    about = "grade every game, even if its solution takes more than 100 MB"
    stats.add_argument("--all", action="store_true", help=about)
    saves.add_argument(
        "search",
        metavar="WORD",
        nargs="*",
        help="list only games that match all these words (default: all games)",
    )
    saves.add_argument(
        "--delete", metavar="FILE", help="delete this saved game (default: list the games)"
    )
    cache.add_argument(
        "action",
        choices=["clear"],
        nargs="?",
        help="delete the cached files (default: list them)",
    )
    cache.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help=f"delete only these files: {', '.join(CACHE_WORDS)}, or those of a GAME"
        " (default: everything)",
    )
    for one in (stats, saves, cache):
        add_json(one)
    for one in (saves, cache):
        one.add_argument("--yes", action="store_true", help="delete without asking")
    shells = ["bash", "zsh", "fish"]
    made["completion"].add_argument("shell", choices=shells, help="print the script for this shell")


def parsed(arguments: list[str]) -> Namespace:
    check_command(arguments)
    args = build_parser(limits="serve" in arguments).parse_args(arguments)
    config = read_config()
    for name in OPTIONS:
        if getattr(args, name, "") is None:
            setattr(args, name, getattr(config, name))
    return args


def check_command(arguments: list[str]) -> None:
    word = next((one for one in arguments if not one.startswith("-")), None)
    known = [name for group in COMMANDS.values() for name in group]
    if word is None or word in known:
        return
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}."
    raise usage(f"There is no command {printable(word)!r}; {hint}")
