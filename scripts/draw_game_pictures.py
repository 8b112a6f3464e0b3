"""Draw the pictures of the games' pages from computed figures.

    python scripts/draw_game_pictures.py            # from the stored figures
    python scripts/draw_game_pictures.py --solve [NAME …]    # compute the figures first

The figures are stored in docs/data/games.json. `make test` checks that the pictures are drawn from
them, and the figures of the quickest game. `make test-all` computes all figures again.
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
MODULES = Path(__file__).parent / "game_pictures"
DATA = ROOT / "docs" / "data" / "games.json"
PAGES = ROOT / "docs" / "games"
PICTURES = ROOT / "docs" / "pictures"
#: The last takes half a minute and a gigabyte to measure.
NAMES = tuple(path.stem.replace("_", "-") for path in sorted(PAGES.glob("*.md")))

#: The figures of a game, which its module defines.
Facts = dict[str, Any]


def module(name: str) -> ModuleType:
    """Return the module of a game."""
    return import_module(f"game_pictures.{name.replace('-', '_')}")


def facts(name: str) -> Facts:
    """Compute all figures of a game."""
    measured: Facts = module(name).measured()
    return measured


def digest(name: str, known: Facts) -> str:
    """Return a digest of a game's figures and of the code that draws them."""
    sources = [MODULES / "drawing.py", MODULES / f"{name.replace('-', '_')}.py"]
    data = json.dumps(known, sort_keys=True).encode()
    return sha256(data + b"".join(path.read_bytes() for path in sources)).hexdigest()


def draw(name: str, known: Facts, folder: Path = PICTURES) -> None:
    """Draw all pictures of a game."""
    from game_pictures.drawing import save

    for picture, figure in module(name).drawings(known):
        save(figure, folder / f"game-{name}-{picture}.svg", digest(name, known))


def compact(known: dict[str, Facts]) -> str:
    """Return JSON with a line for each list of numbers."""
    numbers = r"\[\s+([-\d.,\s]+?)\s+\]"
    text = json.dumps(known, indent=1)
    return re.sub(numbers, lambda found: f"[{' '.join(found[1].split())}]", text)


def main() -> None:
    """Draw all pictures."""
    known = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    if sys.argv[1:2] == ["--solve"]:
        for name in sys.argv[2:] or NAMES:
            known[name] = facts(name)
            print(name)
        known = dict(sorted(known.items()))
        DATA.write_text(compact(known) + "\n", encoding="utf-8")
    for name, one in known.items():
        draw(name, one)


if __name__ == "__main__":
    main()
