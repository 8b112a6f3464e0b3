"""Draw what a move costs, for players of all strengths: docs/pictures/bench.svg.

python scripts/draw_bench.py                          # from docs/data/bench.json
duels bench random --out FOLDER
python scripts/draw_bench.py FOLDER/report.json       # take the figures of a report first
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

from number_duels.review.words import cost

ROOT = Path(__file__).parent.parent
DATA = ROOT / "docs" / "data" / "bench.json"
PICTURE = ROOT / "docs" / "pictures" / "bench.svg"
DRAWING = Path(__file__).parent / "game_pictures" / "drawing.py"

#: The loss per move of each player, from the weakest to the strongest.
Costs = dict[str, float]


def read() -> Costs:
    """Return the stored figures."""
    found: Costs = json.loads(DATA.read_text(encoding="utf-8"))["costs"]
    return found


def store(report: Path) -> None:
    """Take the figures of a bench report."""
    found = json.loads(report.read_text(encoding="utf-8"))
    moves = found["figures"][0]["moves"]
    kept = {
        "suite": found["header"]["suite"],
        "positions": moves["questions"],
        "costs": {who: round(loss, 6) for who, loss in moves["baselines"].items()},
    }
    DATA.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def digest() -> str:
    """Return a digest of the figures and of the code that draws them."""
    return sha256(b"".join(p.read_bytes() for p in (DATA, Path(__file__), DRAWING))).hexdigest()


def draw(costs: Costs) -> None:
    """Draw a bar for each player."""
    from game_pictures.drawing import EVEN, LOSS, WIN, new_axes, save

    figure, axes = new_axes(2.6)
    ends = {"random": LOSS, "perfect": WIN}
    shares = [100 * loss / 2 for loss in costs.values()]
    bars = axes.barh(list(costs), shares, color=[ends.get(who, EVEN) for who in costs])
    axes.bar_label(bars, [cost(loss) for loss in costs.values()], padding=4)
    axes.invert_yaxis()
    axes.set_xlabel("cost of a move, in percent of the winning chance")
    axes.set_xlim(0, 1.12 * max(shares))
    axes.tick_params(left=False)
    save(figure, PICTURE, digest())


def main() -> None:
    """Draw the picture."""
    if sys.argv[1:]:
        store(Path(sys.argv[1]))
    draw(read())


if __name__ == "__main__":
    main()
