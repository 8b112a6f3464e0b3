"""Write a page for each game, docs/games/*.md, and its pictures, from computed figures.

    python scripts/write_game_pages.py            # pages and pictures, from the kept figures
    python scripts/write_game_pages.py --solve [NAME …]    # work the figures out again first

The figures are kept in docs/data/games.json. `make test` checks that pages and pictures are what
they say, and the figures of the quick games; `make test-all` that all are what the solver says.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Hashable, Iterator
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from string import Template
from types import ModuleType
from typing import Any, TypedDict

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.players.builtin import PerfectPlayer
from number_duels.players.levels import LEVELS, slip, slip_words
from number_duels.players.registry import known_loss
from number_duels.review.words import chance, cost, verdict

ROOT = Path(__file__).parent.parent
MODULES = Path(__file__).parent / "game_pages"
PROSE = MODULES / "prose"
DATA = ROOT / "docs" / "data" / "games.json"
SOLUTIONS = ROOT / "docs" / "data" / "solutions.json"
HOUSE_RULES = ROOT / "docs" / "data" / "house_rules.json"
PAGES = ROOT / "docs" / "games"
PICTURES = ROOT / "docs" / "pictures"
#: In the order of the pages; the last takes half a minute and a gigabyte to measure.
NAMES = tuple(path.stem.replace("_", "-") for path in sorted(PROSE.glob("*.md")))


class Worked(TypedDict):
    """A game of perfect play against many random moves, and the program's words for some turns."""

    moves: str
    lines: list[str]


class Facts(TypedDict):
    """What is kept of a game."""

    worked: Worked
    measured: dict[str, Any]


def module(name: str) -> ModuleType:
    """What a game's page has of its own."""
    return import_module(f"game_pages.{name.replace('-', '_')}")


# ---- the figures ---------------------------------------------------------------


def facts(name: str) -> Facts:
    """All figures of a page, from the solver."""
    own = module(name)
    return {
        "worked": worked(own.GAME, own.WORKED_SEED, slice(*own.WORKED_TURNS)),
        "measured": own.measured(),
    }


def worked(game: AnyGame, seed: int, turns: slice) -> Worked:
    """Play a game, and tell some of its turns as a spectator hears them."""
    match = nd.Match(game, seed=seed)
    often_random = PerfectPlayer(game, often=Fraction(1, 2))
    nd.play_match(match, {nd.Seat.ONE: PerfectPlayer(game), nd.Seat.TWO: often_random})
    told: list[list[str]] = [[]]
    for step in match.steps(None):
        if not told[-1]:
            told[-1] += announced(game, step.before)
        told[-1] += game.tell(step.before, step.moves, step.after, None)
        if step.moves:
            told.append([])
    lines = [str(line).rstrip() for turn in told[:-1][turns] for line in ("", *turn)]
    return {"moves": match.record.moves, "lines": without_gaps(lines)}


def announced(game: AnyGame, view: Hashable) -> Iterator[str]:
    yield from game.announce(view, None)


def without_gaps(lines: list[str]) -> list[str]:
    """Lines without empty ones at the ends, or two in a row."""
    kept = [line for line, after in zip(lines, [*lines[1:], ""], strict=True) if line or after]
    return kept[1:] if kept and not kept[0] else kept


# ---- the page ------------------------------------------------------------------


def page(name: str, known: Facts) -> str:
    """A page: the prose with its gaps filled, house rules, and where to go from here."""
    title = nd.load(name).title
    told = "the prose was written about another game"
    assert known["worked"]["moves"] == module(name).WORKED_MOVES, told
    gaps = {
        "board": board(name, title),
        "worked": "```text\n" + "\n".join(known["worked"]["lines"]) + "\n```",
        "worked_moves": known["worked"]["moves"],
        **across_games(name),
        **module(name).words(known["measured"]),
    }
    prose = Template((PROSE / f"{name.replace('-', '_')}.md").read_text(encoding="utf-8"))
    return "\n".join([prose.substitute(gaps).rstrip("\n"), *house_rules(name), *next_steps(name)])


def board(name: str, title: str) -> str:
    """The board in a browser, as bright and as wide as the page."""
    shown = {"desktop": "sd-d-none sd-d-md-block", "phone": "sd-d-md-none"}
    return "\n\n".join(
        "\n".join([f":::{{div}} {width}", *pictures(name, title, device), ":::"])
        for device, width in shown.items()
    )


def pictures(name: str, title: str, device: str) -> Iterator[str]:
    for theme in ("light", "dark"):
        yield f"```{{image}} ../pictures/web-play-{name}-{device}-{theme}.png"
        yield f":alt: The board of {title} in a browser"
        yield f":class: only-{theme}"
        yield ":loading: lazy"
        yield "```"


def across_games(name: str) -> dict[str, str]:
    """What other pages' figures say of a game: its winning chance, its settings, the levels."""
    solved = json.loads(SOLUTIONS.read_text(encoding="utf-8"))[name]
    found = {
        "chance": chance(solved["value"]),
        "states": f"{solved['states']:,}",
        "verdict": verdict(solved["value"]),
    }
    for setting, houses in solved["settings"].items():
        for choice, house in houses.items():
            key = f"{setting}_{choice}".replace("-", "_")
            found[key] = chance(house["value"])
    for level in LEVELS:
        lost = known_loss(f"level:{level}", nd.load(name))
        if lost is not None:
            found[f"cost_level_{level}"] = cost(lost)
        found[f"slips_level_{level}"] = slip_words(slip(level, name))
    return found


def house_rules(name: str) -> Iterator[str]:
    """The settings that make a game fair, where they have been worked out."""
    if not HOUSE_RULES.exists():
        return
    recommended = json.loads(HOUSE_RULES.read_text(encoding="utf-8"))["recommended"].get(name, [])
    if not recommended:
        return
    yield "\n## House rules we recommend\n"
    yield from (f"- `{rule['command']}`: {rule['why']}" for rule in recommended)
    yield "\nHow they were found, and what else was tried: [fair house rules](../house_rules.md)."


def next_steps(name: str) -> Iterator[str]:
    """What a reader can do now."""
    own = module(name)
    yield f"""
## Where to go from here

{own.NOT_RUN}```sh
duels play {own.SHORT} --two level:3
duels train {own.SHORT}
duels analyze {own.ANALYZE}
```

Play against a computer that errs now and then; drill positions like these; ask what every move
of a position is worth. More: the [rules and rulings](../rules.md), the [trainer](../trainer.md),
and [perfect play of all games](../solutions.md) in tables.
"""


# ---- the pictures --------------------------------------------------------------


def digest(name: str, known: Facts) -> str:
    """What a game's pictures are drawn from: its figures, and how they are drawn."""
    sources = [MODULES / "drawing.py", MODULES / f"{name.replace('-', '_')}.py"]
    data = json.dumps(known["measured"], sort_keys=True).encode()
    return sha256(data + b"".join(path.read_bytes() for path in sources)).hexdigest()


def draw(name: str, known: Facts, folder: Path = PICTURES) -> None:
    """All pictures of a game."""
    from game_pages.drawing import save

    for picture, figure in module(name).drawings(known["measured"]):
        save(figure, folder / f"game-{name}-{picture}.svg", digest(name, known))


def compact(known: dict[str, Facts]) -> str:
    """JSON with a line for each list of numbers."""
    numbers = r"\[\s+([-\d.,\s]+?)\s+\]"
    text = json.dumps(known, indent=1)
    return re.sub(numbers, lambda found: f"[{' '.join(found[1].split())}]", text)


def main() -> None:
    """Write the pages and their pictures."""
    known = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    if sys.argv[1:2] == ["--solve"]:
        for name in sys.argv[2:] or NAMES:
            known[name] = facts(name)
            print(name, known[name]["worked"]["moves"])
        known = dict(sorted(known.items()))
        DATA.write_text(compact(known) + "\n", encoding="utf-8")
    for name, one in known.items():
        path = PAGES / f"{name.replace('-', '_')}.md"
        path.write_text(page(name, one), encoding="utf-8")
        draw(name, one)


if __name__ == "__main__":
    main()
