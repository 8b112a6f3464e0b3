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

What `duels rules GAME` shows, for all games. Where a game's document left something
open, the ruling says how it is played here; a ruling that a setting can change names
the setting.

In every game: seats are Player 1 and Player 2. A wrong entry costs nothing: you are
told why, and asked again. A secret choice is typed unseen, and its line shows
`[Input Hidden]`. `undo` takes back one whole turn (a round, where both choose at
once); a card that is drawn again is the same card.
"""


def page() -> str:
    """The whole document."""
    parts = [HEAD]
    for name in json.loads((DOCS / "data" / "solutions.json").read_text(encoding="utf-8")):
        game = load(name)
        parts.append(f"\n## {game.title}\n\n```text\n" + "\n".join(rules_page(game)) + "\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
