"""Draw the picture of docs/house_rules.md from docs/data/house_rules.json.

    python scripts/draw_house_rules.py

The figures are made by `measure_house_rules.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from measure_house_rules import DATA, Document, Figures
from number_duels.games import find

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "house-rules.svg"

#: Readable on a light page and on a dark one.
INK = "#7f8791"


class Marker(TypedDict):
    """How a point looks, and what it stands for."""

    marker: str
    markersize: float
    color: str
    fillstyle: Literal["full", "none"]
    label: str


POINT: Marker = {
    "marker": "o",
    "markersize": 6,
    "color": "#4c8bc9",
    "fillstyle": "full",
    "label": "a setting",
}
STAR: Marker = {
    "marker": "*",
    "markersize": 13,
    "color": "#e8862e",
    "fillstyle": "full",
    "label": "recommended",
}
RING: Marker = {
    "marker": "o",
    "markersize": 17,
    "color": INK,
    "fillstyle": "none",
    "label": "default settings",
}


def draw(document: Document) -> None:
    """A panel for each game: fairness against depth."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "number-duels"  # equal figures make equal files
    drawing = Figure(figsize=(7, 8), layout="constrained")
    panels = list(drawing.subplots(3, 2, sharey=True).flat)
    top = max(figures["levels"] for rules in document["games"].values() for figures in rules)
    for (name, rules), axes in zip(document["games"].items(), panels, strict=False):
        recommended = [one["settings"] for one in document["recommended"][name]]
        plot(axes, rules, POINT)
        plot(axes, [f for f in rules if f["settings"] in recommended], STAR)
        plot(axes, rules[:1], RING)
        axes.set_title(find(name).title, fontsize=12, color=INK)
        axes.set_xlim(-1.05, 1.05)
        axes.set_ylim(0, 1.1 * top)
        axes.axvline(0, linewidth=0.8, color=INK, linestyle="--")
        axes.tick_params(colors=INK, labelsize=10)
        axes.spines[:].set_color(INK)
    *_, empty = panels
    empty.axis("off")
    handles, labels = panels[0].get_legend_handles_labels()
    empty.legend(
        handles, labels, loc="center", labelcolor=INK, frameon=False, labelspacing=1.5, fontsize=12
    )
    drawing.supxlabel(
        "advantage of the first turn between good players (-1 to 1)", fontsize=12, color=INK
    )
    drawing.supylabel("depth", fontsize=12, color=INK)
    drawing.savefig(PICTURE, metadata={"Date": None}, transparent=True)


def plot(axes: Axes, rules: list[Figures], marker: Marker) -> None:
    """Points, each at its fairness and depth."""
    across, up = [f["first_turn_level"] for f in rules], [f["levels"] for f in rules]
    axes.plot(across, up, linestyle="", **marker)


def main() -> None:
    """Draw the picture."""
    document: Document = json.loads(DATA.read_text(encoding="utf-8"))
    draw(document)


if __name__ == "__main__":
    main()
