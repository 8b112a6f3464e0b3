"""`duels list`, `duels rules` and `duels replay`: what there is to read and to watch."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from number_duels.core.game import AnyGame, Outcome
from number_duels.core.player import AnyMatch
from number_duels.games import find, names
from number_duels.terminal.console import Console, command, note
from number_duels.terminal.draw import drawn
from number_duels.terminal.errors import DONE
from number_duels.terminal.options import game_name
from number_duels.terminal.saves import latest, read_records, rebuild


def show_list(args: Namespace) -> int:
    """Every game in a line, or all of them as JSON."""
    games = [find(name) for name in names()]
    if args.json:
        print(json.dumps([described(game) for game in games], ensure_ascii=False))
        return DONE
    wide = max(map(len, names()))
    for game in games:
        print(f"{game.name:{wide}}  {game.summary}")
    if sys.stderr.isatty():
        note(f"\nPlay one: {command('play', 'GAME')}")
        note(f"Read its rules: {command('rules', 'GAME')}")
    return DONE


def described(game: type[AnyGame]) -> dict[str, object]:
    """A game as `list --json` has it."""
    settings = {name: setting.default for name, setting in game.describe_settings().items()}
    return {
        "name": game.name,
        "title": game.title,
        "settings": settings,
        "summary": game.summary,
    }


def show_rules(args: Namespace) -> int:
    """Rules, rulings and settings of a game in a page."""
    game = find(game_name(args.game))
    console = Console(plain=args.plain)
    console.say([console.paint(game.title, "bold"), "", *rules_page(game)])
    if sys.stderr.isatty():
        note(f"\nPlay it: {command('play', game.name)}")
    return DONE


def rules_page(game: type[AnyGame]) -> Iterator[str]:
    """The rules, and every setting with its range."""
    yield from game.rules.splitlines()
    yield ""
    yield "SETTINGS (--set NAME=VALUE)"
    defaults = {name: setting.default for name, setting in game.describe_settings().items()}
    for name, setting in game.describe_settings().items():
        allowed = setting.allowed(defaults)
        yield f"  {name} = {setting.default} ({allowed}): {setting.meaning}"


def replay(args: Namespace) -> int:
    """Watch the games of a file again."""
    path = Path(args.file) if args.file else latest()
    matches = [rebuild(saved) for saved in read_records(path)]
    delay = args.delay if args.delay is not None else float(sys.stdout.isatty())
    for match in matches:
        watch(match, Console(plain=args.plain, names=player_names(match)), delay)
    return DONE


def player_names(match: AnyMatch) -> tuple[str, str]:
    """The names at a table."""
    return match.players[0].name, match.players[1].name


def watch(match: AnyMatch, console: Console, delay: float) -> None:
    """A game from its first turn to its last, as a spectator sees it."""
    game, steps = match.game, match.steps(None)
    begin = True
    console.say(game.opening(steps[0].before if steps else match.view(None)))
    for step in steps:
        if begin:
            if not console.plain:
                console.draw(drawn(game.title, game.board(step.before), console))
            console.say(game.announce(step.before, None))
        console.say(game.tell(step.before, step.moves, step.after, None))
        begin = bool(step.moves)
        if begin:
            time.sleep(delay)
    if isinstance(match.turn, Outcome) and match.conceded:
        console.say([match.turn.reason])
    elif not isinstance(match.turn, Outcome):
        console.say([f"The game stops here, at turn {match.number}."])
