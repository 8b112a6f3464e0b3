"""The command line: every command and every option, and what is said of a wrong one."""

from __future__ import annotations

import os
import re
from argparse import (
    SUPPRESS,
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import NoReturn

from number_duels import __version__
from number_duels.terminal.bench_options import add_bench
from number_duels.terminal.config import read_config
from number_duels.terminal.errors import WRONG_USAGE, CommandError
from number_duels.terminal.model_options import add_model_options
from number_duels.terminal.option_values import SETTING, seconds, whole_number
from number_duels.terminal.serve_options import add_serve
from number_duels.terminal.train.options import add_train

WHO = "human (default), random, perfect, level:1 to level:5, bot:COMMAND, py:… or llm:MODEL"
ARENA_WHO = (
    "random, perfect, level:1 to level:5, bot:COMMAND, py:MODULE:FUNCTION, policy:MODULE:NAME,"
    " policy:FILE.npz or llm:MODEL"
)
#: What can be deleted from the cache, besides all that belongs to a game.
CACHE_WORDS = ("solutions", "strategies", "reviews", "outdated")


class HelpFormatter(RawDescriptionHelpFormatter):
    """As wide as the screen.

    A parser makes one for every option, and `shutil`, which it would ask for the width, imports
    every compression library.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=screen_width() - 2)


@cache
def screen_width() -> int:
    """As many columns as the environment or the screen says, else 80."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size().columns) or 80
    return 80


class Parser(ArgumentParser):
    """Answers a wrong argument in one sentence."""

    def error(self, message: str) -> NoReturn:
        """End with the status for wrong usage."""
        sentence = message[:1].upper() + message[1:].rstrip(".")
        raise CommandError(f"{sentence}. See: {self.prog} --help", WRONG_USAGE)

    def parse_known_args(  # type: ignore[override]  # its overloads say the same
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """Refuse an option that a command does not have, and name the nearest one."""
        found, unknown = super().parse_known_args(args, namespace or Namespace())
        options = [word.partition("=")[0] for word in unknown if word.startswith("--")]
        if options and " " in self.prog:
            from difflib import get_close_matches

            near = get_close_matches(options[0], re.findall(r"--[\w-]+", self.format_usage()), 1)
            meant = f"; the nearest is {near[0]}" if near else ""
            self.error(f"There is no option {options[0]}{meant}")
        return found, unknown


def build_parser(*, limits: bool = True) -> Parser:
    """Every command and every option; the server's limits only where somebody may ask for them."""
    parser = Parser(
        prog="duels",
        description="Five two-player number games. Without a command: the full screen, or a menu.",
        formatter_class=HelpFormatter,
        epilog="Try: duels play knot     duels rules drop     duels list",
    )
    parser.add_argument("--version", action="version", version=f"number-duels {__version__}")
    parser.add_argument("--plain", action="store_true", help="bare text, no colours or boards")
    parser.add_argument("--calm", action="store_true", help="nothing moves on the full screen")
    parser.set_defaults(run="commands.start:start")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)

    def command(name: str, run: str, text: str) -> Parser:
        one = commands.add_parser(name, help=text, description=text, formatter_class=HelpFormatter)
        one.add_argument("--plain", action="store_true", default=SUPPRESS, help=SUPPRESS)
        one.set_defaults(run=run)
        return one

    listing = command("list", "commands.catalogue:show_list", "Show all games.")
    listing.add_argument("--json", action="store_true", help="as JSON")
    rules = command("rules", "commands.catalogue:show_rules", "Show the rules of a game.")
    rules.add_argument("game", metavar="GAME")
    rules.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=SETTING)
    add_play(command("play", "commands.play:play", "Play a game."))
    resume = command("resume", "commands.play:resume", "Go on with an interrupted game.")
    resume.add_argument("file", metavar="FILE", nargs="?", help="default: the latest one")
    resume.add_argument("--one", metavar="WHO", help="who plays Player 1 from now on")
    resume.add_argument("--two", metavar="WHO", help="who plays Player 2 from now on")
    resume.add_argument("--hints", action="store_true", help="a player may type hint")
    add_board(resume)
    add_terms(resume)
    replay = command("replay", "commands.replay:replay", "Watch a game again.")
    replay.add_argument("file", metavar="FILE", nargs="?", help="default: the latest game")
    replay.add_argument("--delay", type=seconds, metavar="SECONDS", help="pause after each turn")
    add_board(replay)
    add_facts(command)
    add_arena(
        command("arena", "commands.arena:run_arena", "Let many players meet, and measure them.")
    )
    serve = command("serve", "commands.serve:serve", "Play in browsers, across a network.")
    if limits:
        add_serve(serve)
    add_bot(
        command(
            "bot",
            "commands.bot_check:check_bot",
            "Try a bot in every game, and say what it gets wrong.",
        )
    )
    bench = command("bench", "commands.bench:run_bench", "Measure a player by a fixed suite.")
    add_bench(bench)
    add_terms(bench)
    add_model_options(bench)
    add_train(command("train", "commands.train:train", "Learn to play perfectly, and to mix."))
    add_kept(command)
    completion = command("completion", "completion:show_script", "Print a shell completion script.")
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])
    return parser


def add_play(play: Parser) -> None:
    """The options of a new game."""
    play.add_argument("game", metavar="GAME", help="its name, or any unambiguous part of it")
    play.add_argument("--one", metavar="WHO", default="human", help=f"who is Player 1: {WHO}")
    play.add_argument("--two", metavar="WHO", default="human", help=f"who is Player 2: {WHO}")
    play.add_argument("--first", choices=["1", "2", "random"], help="who takes the first turn")
    play.add_argument("--names", metavar="A,B", help="the players' names")
    play.add_argument(
        "--seed", type=whole_number, metavar="N", help="the same seed deals the same cards"
    )
    play.add_argument("--deal", metavar="TEXT", help="what is otherwise shuffled, as you want it")
    play.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=SETTING)
    play.add_argument("--hints", action="store_true", help="a player may type hint")
    play.add_argument("--save", metavar="FILE", help="where to keep the game")
    add_board(play)
    add_terms(play)


def add_board(command: Parser) -> None:
    """How often the board is drawn between the words."""
    command.add_argument(
        "--board",
        choices=["always", "changes", "never"],
        help="draw it every turn, where the words do not show it (default), or never",
    )


def add_terms(command: Parser) -> None:
    """What players from outside are granted."""
    command.add_argument("--seconds", type=float, metavar="N", help="time for a bot's move (10)")
    command.add_argument("--retries", type=whole_number, metavar="N", help="after a bad answer (2)")
    command.add_argument("--url", metavar="URL", help="the endpoint of language models")
    command.add_argument("--patience", type=float, metavar="N", help="with an endpoint (45 s)")
    add_bot_terms(command)


def add_bot_terms(command: Parser) -> None:
    """What programs may use."""
    command.add_argument(
        "--limit",
        metavar="NAME=N",
        action="append",
        help="for bots: memory=MIB, processes=N, files=N; 0 is no limit",
    )
    command.add_argument(
        "--pass-env", metavar="NAME", action="append", help="an environment variable that bots get"
    )


def add_bot(bot: Parser) -> None:
    """What can be done with a bot, apart from playing against it."""
    bot.add_argument("what", choices=["check"], help="try it in every game")
    bot.add_argument("command", metavar="COMMAND", help='what runs it, in quotes: "python3 bot.py"')
    bot.add_argument(
        "--seconds", type=seconds, metavar="N", help="for each answer, and for getting ready"
    )
    add_bot_terms(bot)


def add_facts(command: Callable[[str, str, str], Parser]) -> None:
    """The commands that answer from exact solutions."""
    review = command(
        "review", "commands.analysis:review_file", "Show what each move of a game cost."
    )
    review.add_argument("file", metavar="FILE", nargs="?", help="default: the latest game")
    review.add_argument("--json", action="store_true", help="as JSON")
    review.add_argument("--plot", metavar="FILE", help="draw the chances as .svg or .png")
    analyze = command(
        "analyze",
        "commands.position:analyze",
        "Show the winning chance of a position and of its moves.",
    )
    analyze.add_argument("game", metavar="GAME")
    analyze.add_argument("--moves", metavar="TEXT", default="", help='the turns so far: "S5 A3"')
    analyze.add_argument("--deal", metavar="TEXT", help="what was dealt")
    analyze.add_argument(
        "--lock",
        metavar="TEXT",
        action="append",
        default=[],
        help='what if: "2 never 10", "2 always 5 here", "2 plays 6:30 8:25 at 7/6"',
    )
    analyze.add_argument("--nfg", metavar="FILE", help="write the matrix for Gambit (.nfg)")
    solve = command("solve", "commands.analysis:solve_games", "Solve games exactly.")
    solve.add_argument("games", metavar="GAME", nargs="*", help="default: all of them")
    for one in (analyze, solve):
        one.add_argument("--first", choices=["1", "2"], help="who takes the first turn")
        one.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=SETTING)
        one.add_argument("--json", action="store_true", help="as JSON")


def add_kept(command: Callable[[str, str, str], Parser]) -> None:
    """The commands about what is kept on disk."""
    stats = command("stats", "commands.stats:show_stats", "Show how you play, over all your games.")
    stats.add_argument("game", metavar="GAME", nargs="?", help="default: all of them")
    stats.add_argument("--all", action="store_true", help="grade also what needs a large solution")
    saves = command("saves", "commands.saves:show_saves", "List your saved games.")
    saves.add_argument("search", metavar="SEARCH", nargs="*", help="only games that mention this")
    saves.add_argument("--delete", metavar="FILE", help="delete this game instead")
    cache = command("cache", "commands.cache:show_cache", "Show the cache, or empty it.")
    cache.add_argument("action", choices=["clear"], nargs="?", help="empty it")
    cache.add_argument(
        "what", metavar="WHAT", nargs="*", help=f"only {', '.join(CACHE_WORDS)} or a GAME"
    )
    for one in (stats, saves, cache):
        one.add_argument("--json", action="store_true", help="as JSON")
    for one in (saves, cache):
        one.add_argument("--yes", action="store_true", help="delete without asking")


def add_arena(arena: Parser) -> None:
    """The options of an arena."""
    arena.add_argument(
        "plan", metavar="FILE", nargs="?", help="a plan (.toml), or games to report on (.jsonl)"
    )
    arena.add_argument("--players", metavar="WHO", nargs="+", help=f"two or more: {ARENA_WHO}")
    arena.add_argument("--games", metavar="GAME", nargs="+", help="default: all of them")
    arena.add_argument("--pairs", type=whole_number, metavar="N", help="pairs of games (50)")
    arena.add_argument("--seed", type=whole_number, metavar="N", help="default: 1")
    arena.add_argument("--salt", metavar="HEX", help="play the games of a finished file again")
    arena.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=SETTING)
    arena.add_argument("--gauntlet", metavar="NAME", help="this player meets all others")
    arena.add_argument("--workers", type=whole_number, metavar="N", help="default: one a core")
    arena.add_argument(
        "--in-flight", type=whole_number, metavar="N", help="requests to models at a time (8)"
    )
    arena.add_argument("--out", metavar="FILE", help="where the games are kept (.jsonl)")
    arena.add_argument("--json", action="store_true", help="the report as JSON")
    arena.add_argument("--html", metavar="FILE", help="the report as one page with charts")
    arena.add_argument("--sprt", metavar="ELO0,ELO1", help="stop a pairing once this is known")
    arena.add_argument("--sprt-on", choices=["plain", "corrected"], help="corrected: without luck")
    arena.add_argument("--exploit", metavar="WHO", help="how much a best reply gains on a player")
    arena.add_argument("--engine", choices=["pool", "ray"], default="pool", help="where to play")
    arena.add_argument("--address", metavar="ADDRESS", help="a running Ray cluster")
    arena.add_argument("--yes", action="store_true", help="do what a plan asks for unasked")
    add_terms(arena)
    add_model_options(arena)


def parsed(arguments: list[str]) -> Namespace:
    """The command line, completed by the user's own defaults."""
    args = build_parser(limits="serve" in arguments).parse_args(arguments)
    config = read_config()
    args.plain = args.plain or config.plain
    if getattr(args, "names", "") is None:
        args.names = config.names
    if getattr(args, "board", "") is None:
        args.board = config.board
    return args
