"""Write docs/rules.md from the games' own rules pages: `python scripts/write_rules.py`.

The games are those of docs/data/solutions.json, which have documents.
"""

from __future__ import annotations

import json
from pathlib import Path

from number_duels.games import load
from number_duels.terminal.commands.catalogue import rules_page

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
        parts.append(f"\n## {game.title}\n\n```text\n" + "\n".join(rules_page(game)) + "\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
