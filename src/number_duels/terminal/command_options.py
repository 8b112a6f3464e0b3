"""Options that several commands share, and the options of larger commands such as `arena`."""

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
    " policy:FILE.npz, llm:MODEL, or a NAME from --players-file"
)


SETTING = "change a setting, such as life=12; repeat to change more (see: duels rules GAME)"


def whole_number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,20}", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not a whole number such as 7")
    return int(text)


def seconds(text: str) -> float:
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 99")
    return float(text)


def add_optional(command: ArgumentParser, name: str, about: str) -> None:
    command.add_argument(name, metavar=name.upper(), nargs="?", help=about)


def add_number(command: ArgumentParser, name: str, about: str) -> None:
    command.add_argument(f"--{name}", type=whole_number, metavar="N", help=about)


def add_settings(command: ArgumentParser, first: Sequence[str] = (), about: str = SETTING) -> None:
    command.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=about)
    if first:
        about = "choose who takes the first turn (default: 1)"
        command.add_argument("--first", choices=first, help=about)


def add_json(command: ArgumentParser, about: str = "print one JSON value instead of text") -> None:
    command.add_argument("--json", action="store_true", help=about)


def add_player_options(command: ArgumentParser) -> None:
    add = command.add_argument
    about = "read bots and models from this TOML file; use their names as WHO (default: no file)"
    add("--players-file", metavar="FILE", help=about)
    add(
        "--seconds",
        type=float,
        metavar="N",
        help="allow this many seconds per move (default: 10 for a bot, 300 for a model)",
    )
    about = "use the language models at this address (default: OPENAI_BASE_URL, else OpenAI)"
    add("--url", metavar="URL", help=about)


def add_yes(command: ArgumentParser) -> None:
    about = "start without asking you to confirm the cost of language models"
    command.add_argument("--yes", action="store_true", help=about)


def add_arena(arena: ArgumentParser) -> None:
    add = arena.add_argument
    add(
        "results",
        metavar="FILE",
        nargs="?",
        help="print the report of this results file (.jsonl) without playing games",
    )
    add("--players", metavar="WHO", nargs="+", help=f"name two or more players: {ARENA_WHO}")
    about = "play these games; add settings as in bid(numbers=6) (default: all games)"
    add("--games", metavar="GAME", nargs="+", help=about)
    add_number(
        arena, "pairs", "play this many pairs of games between every two players (default: 50)"
    )
    add_number(arena, "seed", "use this seed for cards and random moves (default: 1)")
    add(
        "--salt",
        metavar="HEX",
        help="use the salt of an earlier arena to repeat its games (default: a new salt)",
    )
    add_settings(arena)
    add(
        "--gauntlet",
        metavar="NAME",
        help="play only the pairings that involve this player (default: all pairings)",
    )
    about = "play this many games at a time (default: one per core; 8 with language models)"
    add_number(arena, "workers", about)
    about = "write the games to this .jsonl file (default: a new file in this folder)"
    add("--out", metavar="FILE", help=about)
    add_json(arena, "print the report as JSON")
    add("--html", metavar="FILE", help="also write the report to this file, as a page with charts")
    about = (
        "stop a pairing as soon as a test can tell whether the first player is ELO1 points"
        " stronger or only ELO0, such as 0,50; 0,50,corrected tests results without luck"
        " (default: play all pairs)"
    )
    add("--sprt", metavar="ELO0,ELO1", help=about)
    about = "measure how much the best counter-strategy wins per game against this player"
    add("--exploit", metavar="WHO", help=about)
    about = "play on this machine (pool) or on the Ray cluster at RAY_ADDRESS (default: pool)"
    add("--engine", choices=["pool", "ray"], default="pool", help=about)
    add_player_options(arena)
    add_yes(arena)


def add_bench(bench: ArgumentParser) -> None:
    add = bench.add_argument
    about = (
        f"measure this player ({ARENA_WHO}); or `compare A B` to compare the results in two"
        " folders; or `verify FILE` to check results"
    )
    add("words", metavar="PLAYER", nargs="+", help=about)
    about = "choose the suite: core-2, or starter-1 with smaller games (default: core-2)"
    add("--suite", choices=["core-2", "starter-1"], default="core-2", help=about)
    add(
        "--size", choices=["small", "full"], help="play the small or the full suite (default: full)"
    )
    add_number(
        bench,
        "pairs",
        "play this many pairs of games per opponent (default: 50, or 4 with --size small)",
    )
    add_number(
        bench,
        "positions",
        "ask the player for a move in this many positions per game"
        " (default: 500, or 40 with --size small)",
    )
    add("--games", metavar="GAME", nargs="+", help="play only these games (default: all)")
    add_number(
        bench,
        "seed",
        "use this seed for cards and positions (default: the public seed of the suite)",
    )
    add_settings(
        bench, about="change a setting, such as life=12; repeat to change more; needs --seed"
    )
    about = (
        "write the results and the report to this folder (default: a folder named after the player)"
    )
    add("--out", metavar="FOLDER", help=about)
    about = "play this many games at a time (default: one per core; 8 with a language model)"
    add_number(bench, "workers", about)
    add_json(bench, "print the report as JSON")
    add_player_options(bench)
    add_yes(bench)


def add_bot(bot: ArgumentParser) -> None:
    add = bot.add_argument
    add("what", choices=["check"], help="try the bot in every game")
    add(
        "command",
        metavar="COMMAND",
        help='check the bot that this command starts, such as "python3 bot.py", or the bot NAME',
    )
    add("--players-file", metavar="FILE", help="look up NAME in this TOML file of players")
    about = (
        "give the bot this many seconds to start and to answer (default: 30 to start, 10 to answer)"
    )
    add("--seconds", type=float, metavar="N", help=about)


def add_export(export: ArgumentParser) -> None:
    add = export.add_argument
    about = "print positions with their prompts and exact values, one JSON object per line"
    add("what", choices=["positions"], help=about)
    add("game", metavar="GAME", help="export positions of this game")
    about = "export this many positions (default: 1000)"
    add("--count", type=whole_number, metavar="N", default=1000, help=about)
    about = "choose the positions with this seed (default: 1)"
    add("--seed", type=whole_number, metavar="N", default=1, help=about)
    about = "export only the positions for training or for testing (default: both)"
    add("--split", choices=["train", "test"], help=about)
    add_settings(export)
    add("--out", metavar="FILE", help="write to this file (default: standard output)")


def read_player_options(args: Namespace) -> PlayersFile:
    from number_duels.players.external import Limits
    from number_duels.players.players_file import MAX_SECONDS, PlayersFile, read_players

    usual = Limits(url=getattr(args, "url", None) or None)
    if args.seconds is not None:
        if not 0 < args.seconds <= MAX_SECONDS:
            raise usage(f"--seconds must be more than 0 and at most {MAX_SECONDS}.")
        starting = max(usual.starting, args.seconds)
        usual = replace(usual, seconds=args.seconds, starting=starting)
    if not args.players_file:
        return PlayersFile(usual)
    with refusing_usage():
        return read_players(Path(args.players_file), usual)


def add_serve(serve: ArgumentParser) -> None:
    from number_duels.web.config import OPTIONS, flag_of

    serve.description = (
        f"{serve.description} You can also set each option in the --config FILE, as in"
        " public_host = 'games.example.org', or as an environment variable, such as"
        " DUELS_PUBLIC_HOST."
    )
    for name, one in OPTIONS.items():
        default = str(one.default).removesuffix(".0")
        about = one.metadata["meaning"] + (f" (default: {default})" if default else "")
        kind = "TEXT" if isinstance(one.default, str) else "N"
        metavar = "|".join(one.metadata.get("choices", ())) or kind
        serve.add_argument(flag_of(name), metavar=metavar, help=about)
    serve.add_argument(
        "--config", metavar="FILE", help="read any of these options from a TOML file"
    )
    serve.add_argument(
        "--show-limits", action="store_true", help="print the fixed limits of the server and exit"
    )
