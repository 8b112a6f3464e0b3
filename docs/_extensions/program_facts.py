"""Directives that print facts of the program when the site is built.

`game-rules NAME` prints the rules and settings of a game, `house-rules` the recommended settings of
all games, `levels` how strong the computer is at each level, `config-keys` the keys of
config.toml, `player-keys` those of a player in a players file, `prompt` what a language model is
asked, `bot-views` what a bot sees, and `tensors` the pieces of OpenSpiel's tensors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspiel
from open_spiel.python.observation import make_observation

from number_duels.adapters.open_spiel import register
from number_duels.core.game import Seat
from number_duels.core.player import situation
from number_duels.core.record import Record
from number_duels.core.text import NO_BREAK, Paragraph, SettingValue
from number_duels.games import load
from number_duels.players.bot.process import as_json
from number_duels.players.calibration import error_rates
from number_duels.players.llm.prompt import question
from number_duels.players.players_file import KEYS
from number_duels.players.registry import known_loss
from number_duels.review.words import cost
from number_duels.terminal.config import Config, meaning

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from number_duels.core.game import AnyGame
    from number_duels.core.player import AnyMatch
    from number_duels.core.text import Prose, Section

DATA = Path(__file__).parent.parent / "data"
HOUSE_RULES = DATA / "house_rules.json"
#: A game with some moves, whose view is shown.
EXAMPLES = {
    "high-low-battle": "9/4 3/3",
    "number-bid": "10/10 9/3",
    "number-drop": "8-3 9+3",
    "number-knot": "S5 A3",
    "number-stack-showdown": "7k 3k 5",
}
DEALS = {"number-drop": "294753618 672159834"}
#: What a page calls the kinds of external players.
PLAYERS = {"bot": "bots", "py": "functions", "policy": "policies", "llm": "models"}


def rules(name: str) -> Iterator[str]:
    """Yield the rules of a game and its settings, as Markdown."""
    game = load(name)
    for section in game.rule_sections():
        if section.title:
            yield f"### {section.title.capitalize()}\n"
        yield from blocks(section)
    yield "### Settings\n"
    yield from settings(game)


def blocks(section: Section) -> Iterator[str]:
    """Yield the paragraphs and lists of one section."""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield f"{written(block.text)}\n"
        else:
            for number, item in enumerate(block.items, 1):
                yield f"{f'{number}.' if block.numbered else '-'} {written(item)}"
            yield ""


def written(prose: Prose) -> str:
    """Return sentences as Markdown, with settings as they are typed."""
    parts = (prose,) if isinstance(prose, str) else prose
    text = "".join(f"`{part}`" if isinstance(part, SettingValue) else part for part in parts)
    return text.replace(NO_BREAK, " ")


def settings(game: AnyGame) -> Iterator[str]:
    """Yield a table of the settings of a game."""
    yield "| `--set` | default | allowed | meaning |"
    yield "|---|---|---|---|"
    for name, one in game.describe_settings().items():
        default, allowed = game.settings[name], one.allowed(game.settings)
        yield f"| `{name}` | {default} | {allowed} | {one.meaning} |"


def house_rules() -> Iterator[str]:
    """Yield the findings and the recommended settings of every game that was measured."""
    document = json.loads(HOUSE_RULES.read_text(encoding="utf-8"))
    for name, recommended in document["recommended"].items():
        yield f"### {load(name).title}\n"
        yield f"{document['findings'][name]}\n"
        yield from (f"- `{one['command']}`: {one['why']}" for one in recommended)
        yield ""


def levels() -> Iterator[str]:
    """Yield a table of how often each level moves at random, and what that costs per game."""
    names = list(json.loads((DATA / "solutions.json").read_text(encoding="utf-8")))
    players = [who for who in error_rates(load(names[0])) if who != "perfect"]
    yield f"| game | {' | '.join(f'`{who}`' for who in players)} |"
    yield f"|---{'|---' * len(players)}|"
    for name in names:
        game = load(name)
        rates = error_rates(game)
        cells = (f"{cost(known_loss(who, game) or 0)} ({rates[who]:.0%})" for who in players)
        yield f"| {game.title} | {' | '.join(cells)} |"


def config_keys() -> Iterator[str]:
    """Yield a table of the keys of config.toml."""
    yield "| key | default | meaning |"
    yield "|---|---|---|"
    for one in fields(Config):
        default = json.dumps(one.default)
        yield f"| `{one.name}` | `{default}` | {meaning(one.name)} |"


def player_keys() -> Iterator[str]:
    """Yield a table of the keys of a player in a players file."""
    yield "| key | for | meaning | value |"
    yield "|---|---|---|---|"
    yield "| `who` | all | the player | as on the command line |"
    for name, key in KEYS.items():
        players = ", ".join(PLAYERS[kind] for kind in key.kinds)
        yield f"| `{name}` | {players} | {key.meaning} | {key.right} |"


def prompt(name: str, *moves: str) -> Iterator[str]:
    """Yield the prompt of a game with turns after these moves."""
    match = position(name, moves)
    [seat] = (seat for seat in Seat if match.options(seat))
    yield f"```text\n{question(situation(match, seat))['content']}\n```"


def bot_views() -> Iterator[str]:
    """Yield a table with Player 1's view in the middle of every game."""
    yield "| game | after | `view` |"
    yield "|---|---|---|"
    for name, moves in EXAMPLES.items():
        view = as_json(position(name, moves.split()).view(Seat.ONE))
        shown = json.dumps(view, separators=(",", ":"))
        yield f"| {load(name).title} | `{moves}` | `{shown}` |"


def position(name: str, moves: Iterable[str]) -> AnyMatch:
    """Return a game after these moves."""
    return Record(name, {}, DEALS.get(name), 7, moves=" ".join(moves)).match()


def tensors() -> Iterator[str]:
    """Yield a table of the pieces of every game's tensors in OpenSpiel."""
    yield "| game | pieces of the observation (size by default) | added to the information state |"
    yield "|---|---|---|"
    for name in register():
        game = pyspiel.load_game(name)
        now = make_observation(game).dict
        recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)).dict
        added = {piece: part for piece, part in recall.items() if piece not in now}
        yield f"| {game.get_type().long_name} | {pieces(now)} | {pieces(added)} |"


def pieces(parts: Mapping[str, Any]) -> str:
    """Return the names and sizes of the pieces of a tensor."""
    return ", ".join(f"`{name}` {'x'.join(map(str, part.shape))}" for name, part in parts.items())


PRINTED: dict[str, Callable[..., Iterator[str]]] = {
    "game-rules": rules,
    "house-rules": house_rules,
    "levels": levels,
    "config-keys": config_keys,
    "player-keys": player_keys,
    "prompt": prompt,
    "bot-views": bot_views,
    "tensors": tensors,
}
DIRECTIVE = re.compile(rf"^```\{{({'|'.join(PRINTED)})\}}(.*)\n```$", re.M)


def fill_in(*event: Any) -> None:
    """Replace every directive of a page by what it prints.

    Text that is replaced before parsing may have headings, which a real directive can't add.
    """
    content: list[str] = event[-1]  # what else an event tells differs
    content[0] = DIRECTIVE.sub(
        lambda found: "\n".join(PRINTED[found[1]](*found[2].split())), content[0]
    )


def setup(app: Sphinx) -> None:
    """Read every page like this."""
    app.connect("source-read", fill_in)
