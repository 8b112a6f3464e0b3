"""Write docs/rules.md from the games' own rules: `python scripts/write_rules.py`.

The games are those of docs/data/solutions.json, which have documents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from number_duels.core.game import AnyGame
from number_duels.core.text import NO_BREAK, Paragraph, Prose, Section, SettingValue
from number_duels.games import load

DOCS = Path(__file__).parent.parent / "docs"
PATH = DOCS / "rules.md"
HEAD = """\
# Rules and rulings

The rules of all games, as `duels rules GAME` shows them.
Where a game's document left something open, a ruling says how it is played here, and names the
setting that changes it, if there is one. Each game also has a page with a picture, a round and what
perfect play does: {pages}.

In every game a wrong entry costs nothing: you are told why, and asked again. A secret choice is
typed unseen; its line shows `[Input Hidden]`. `undo` takes back a whole turn (a round, where both
choose at once); a card that is drawn again is the same card.
"""


def page() -> str:
    """The whole document."""
    names = json.loads((DOCS / "data" / "solutions.json").read_text(encoding="utf-8"))
    links = [f"[{load(name).title}](games/{name.replace('-', '_')}.md)" for name in names]
    parts = [HEAD.format(pages=",\n".join(links))]
    for name in names:
        game = load(name)
        parts += [f"\n## {game.title}\n", *map(markdown, game.rule_sections()), settings(game)]
    return "".join(parts)


def markdown(section: Section) -> str:
    """A part of the rules."""
    heading = f"\n### {section.title.capitalize()}\n" if section.title else ""
    return heading + "".join(f"\n{text}\n" for text in blocks(section))


def blocks(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield written(block.text)
        else:
            numbered = enumerate(map(written, block.items), 1)
            yield "\n".join(
                f"{n}. {text}" if block.numbered else f"- {text}" for n, text in numbered
            )


def written(prose: Prose) -> str:
    """Sentences, with the settings that they mention as one would type them."""
    parts = (prose,) if isinstance(prose, str) else prose
    text = "".join(f"`{part}`" if isinstance(part, SettingValue) else part for part in parts)
    return text.replace(NO_BREAK, " ")


def settings(game: AnyGame) -> str:
    """Every setting with what it may be."""
    rows = [
        f"| `{name}` | {game.settings[name]} | {one.allowed(game.settings)} | {one.meaning} |\n"
        for name, one in game.describe_settings().items()
    ]
    head = "\n### Settings\n\n| `--set` | usually | may be | what it is |\n|---|---|---|---|\n"
    return head + "".join(rows)


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
