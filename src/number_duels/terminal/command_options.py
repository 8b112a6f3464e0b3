"""Options shared by several commands, and the options of `arena`, `bench`, `bot` and `serve`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from number_duels.terminal.errors import refusing_usage, usage

if TYPE_CHECKING:
    from number_duels.players.players_file import PlayersFile


ARENA_WHO = (
    "random, perfect, level:1 to level:5, bot:COMMAND, py:MODULE:FUNCTION, policy:MODULE:NAME,"
    " policy:FILE.npz, llm:MODEL, or a NAME of --players-file"
)


# ---- shared options ------------------------------------------------------------


#: The help text of `--set`.
SETTING = "change a rule of the game, such as life=12; repeat for more (see: duels rules GAME)"


def whole_number(text: str) -> int:
    """Parse a whole number of at most 20 digits."""
    if not re.fullmatch(r"-?\d{1,20}", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not a whole number, such as 7")
    return int(text)


def seconds(text: str) -> float:
    """Parse a number of seconds below 100, with at most three decimals."""
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not between 0 and 99 seconds")
    return float(text)


def add_optional(command: ArgumentParser, name: str, about: str) -> None:
    command.add_argument(name, metavar=name.upper(), nargs="?", help=about)


def add_number(command: ArgumentParser, name: str, about: str) -> None:
    command.add_argument(f"--{name}", type=whole_number, metavar="N", help=about)


def add_settings(command: ArgumentParser, first: Sequence[str] = (), about: str = SETTING) -> None:
    """Add --set, and --first if it has choices."""
    command.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=about)
    if first:
        about = "choose who takes the first turn (default: 1)"
        command.add_argument("--first", choices=first, help=about)


def add_json(command: ArgumentParser, about: str = "print one JSON value instead of text") -> None:
    command.add_argument("--json", action="store_true", help=about)


def add_player_options(command: ArgumentParser) -> None:
    """Add the options for bots and models."""
    add = command.add_argument
    about = "describe bots and models in TOML, one table [players.NAME] each; WHO can be NAME"
    add("--players-file", metavar="FILE", help=about)
    add("--seconds", type=float, metavar="N", help="time for a move of a bot or model (default 10)")
    add("--url", metavar="URL", help="address of the endpoint of language models")


def add_arena(arena: ArgumentParser) -> None:
    add = arena.add_argument
    add("results", metavar="FILE", nargs="?", help="report on the games of this file (.jsonl)")
    add("--players", metavar="WHO", nargs="+", help=f"two or more of: {ARENA_WHO}")
    add("--games", metavar="GAME", nargs="+", help="default: all; settings as in bid(numbers=6)")
    add_number(arena, "pairs", "pairs of games per pairing (default 50)")
    add_number(arena, "seed", "seed of cards and dice (default 1)")
    add("--salt", metavar="HEX", help="play the games of a finished file again")
    add_settings(arena)
    add("--gauntlet", metavar="NAME", help="let this player meet all others, and no one else")
    about = "games played at a time (default: one per core; 8 with language models)"
    add_number(arena, "workers", about)
    add("--out", metavar="FILE", help="where the games are kept (.jsonl)")
    add_json(arena, "print the report as JSON")
    add("--html", metavar="FILE", help="write the report as one page with charts")
    about = "stop a pairing once this is known; 0,50,corrected tests results without luck"
    add("--sprt", metavar="ELO0,ELO1", help=about)
    add("--exploit", metavar="WHO", help="measure how much a best reply gains on a player")
    about = "where to play; ray uses the cluster at RAY_ADDRESS"
    add("--engine", choices=["pool", "ray"], default="pool", help=about)
    add_player_options(arena)


def add_bench(bench: ArgumentParser) -> None:
    add = bench.add_argument
    about = f"{ARENA_WHO}; or: compare A B; or: verify FILE"
    add("words", metavar="PLAYER", nargs="+", help=about)
    add("--size", choices=["small", "full"], help="how much is played (default full)")
    add_number(bench, "pairs", "pairs of games against each opponent")
    add_number(bench, "positions", "positions asked per game")
    add("--games", metavar="GAME", nargs="+", help="play only these games of the suite")
    add_number(bench, "seed", "your own seed: new cards and positions")
    add_settings(bench, about="change a setting; needs --seed")
    add("--out", metavar="FOLDER", help="where results and report are kept")
    about = "games played at a time (default: one per core; 8 with a language model)"
    add_number(bench, "workers", about)
    add_json(bench, "print the report as JSON")
    add_player_options(bench)


def add_bot(bot: ArgumentParser) -> None:
    add = bot.add_argument
    add("what", choices=["check"], help="try it in every game")
    add("command", metavar="COMMAND", help='what runs it, in quotes: "python3 bot.py"; or NAME')
    add("--players-file", metavar="FILE", help="find NAME in this file of players (TOML)")
    add("--seconds", type=float, metavar="N", help="time for each answer, and for getting ready")


def read_player_options(args: Namespace) -> PlayersFile:
    """Read the limits of external players from the options and the players file."""
    from number_duels.players.external import Limits
    from number_duels.players.players_file import MAX_SECONDS, PlayersFile, read_players

    usual = Limits(url=getattr(args, "url", None) or None)
    if args.seconds is not None:
        if not 0 < args.seconds <= MAX_SECONDS:
            raise usage(
                f"--seconds is the time for one move, more than 0 and at most {MAX_SECONDS}."
            )
        starting = max(usual.starting, args.seconds)
        usual = replace(usual, seconds=args.seconds, starting=starting)
    if not args.players_file:
        return PlayersFile(usual)
    with refusing_usage():
        return read_players(Path(args.players_file), usual)


# ---- options of duels serve ----------------------------------------------------


def add_serve(serve: ArgumentParser) -> None:
    from number_duels.web.config import OPTIONS, flag_of

    serve.description = (
        f"{serve.description} Each option is also a line of the --config FILE,"
        " such as public_host = 'games.example.org', and a variable, such as DUELS_PUBLIC_HOST."
    )
    for name, one in OPTIONS.items():
        default = str(one.default).removesuffix(".0")
        about = one.metadata["meaning"] + (f" (default {default})" if default else "")
        kind = "TEXT" if isinstance(one.default, str) else "N"
        metavar = "|".join(one.metadata.get("choices", ())) or kind
        serve.add_argument(flag_of(name), metavar=metavar, help=about)
    serve.add_argument("--config", metavar="FILE", help="TOML file with any of these options")
    serve.add_argument(
        "--show-limits", action="store_true", help="print the limits that are no options, and exit"
    )
