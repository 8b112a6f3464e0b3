"""The commands `duels list` and `duels rules`."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator

from number_duels.core.game import AnyGame
from number_duels.games import find, names
from number_duels.terminal.errors import DONE
from number_duels.terminal.line.console import Console, suggest


def show_list(args: Namespace) -> int:
    games = [find(name) for name in names()]
    if args.json:
        print(json.dumps([described(game) for game in games], ensure_ascii=False))
        return DONE
    wide = max(map(len, names()))
    for game in games:
        print(f"{game.name:{wide}}  {game.summary}")
    suggest(("Play one:", "play", "GAME"), ("Read its rules:", "rules", "GAME"))
    return DONE


def described(game: type[AnyGame]) -> dict[str, object]:
    settings = {name: setting.default for name, setting in game.describe_settings().items()}
    return {"name": game.name, "title": game.title, "settings": settings, "summary": game.summary}


def show_rules(args: Namespace) -> int:
    from number_duels.terminal.arguments import make_game  # `duels list` does not need it

    game = make_game(args.game, args.set, None, 0)
    console = Console(plain=args.plain)
    console.say([console.paint(game.title, "bold"), "", *rules_page(game, console)])
    suggest(("Play it:", "play", game.name))
    return DONE


def rules_page(game: AnyGame, console: Console) -> Iterator[str]:
    yield from console.rules(game.rule_sections())
    if game.settings:
        yield from ("", "SETTINGS (--set NAME=VALUE)")
    for name, setting in game.describe_settings().items():
        allowed = setting.allowed(game.settings)
        yield f"  {name} = {game.settings[name]} ({allowed}): {setting.meaning}"
