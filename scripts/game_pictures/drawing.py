"""How the pictures of the pages look: mid colours, which are read on light and dark pages alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

#: Text and lines.
INK = "#76808c"
WIN, LOSS, EVEN, NOTHING = "#3574c4", "#c2571a", "#68707b", "none"
#: Inches: narrow, so that the text is still large enough on a phone.
WIDTH = 5.4
STYLE = {
    "svg.hashsalt": "number-duels",  # equal figures make equal files
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
#: What a cell shows: its colour and its text.
Cell = tuple[str, str]


def new_figure(height: float) -> Figure:
    """An empty picture in the style of all."""
    mpl.rcParams.update(STYLE)  # type: ignore[arg-type]  # all are names of settings
    return Figure(figsize=(WIDTH, height), layout="constrained")


def new_axes(height: float) -> tuple[Figure, Axes]:
    """A picture with a single diagram."""
    figure = new_figure(height)
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def cells(
    axes: Axes,
    rows: Sequence[object],
    columns: Sequence[object],
    cell: Callable[[int, int], Cell],
    size: float = 10,
) -> None:
    """Draw a table of coloured cells, the first row on top; `cell` is asked by row and column."""
    for row in range(len(rows)):
        for column in range(len(columns)):
            colour, text = cell(row, column)
            place = (column + 0.04, row + 0.04)
            axes.add_patch(Rectangle(place, 0.92, 0.92, facecolor=colour, linewidth=0))
            if text:
                ink = INK if colour == NOTHING else "white"
                style = {"ha": "center", "va": "center", "color": ink, "fontsize": size}
                axes.text(column + 0.5, row + 0.52, text, style)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([n + 0.5 for n in range(len(columns))], [str(c) for c in columns])
    axes.set_yticks([n + 0.5 for n in range(len(rows))], [str(r) for r in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def legend(figure: Figure, named: dict[str, str], columns: int = 3) -> None:
    """Say below a picture what its colours mean."""
    patches = [Patch(color=colour, label=label) for label, colour in named.items()]
    figure.legend(handles=patches, loc="outside lower center", ncols=columns, frameon=False)


def shade(share: float, low: str = LOSS, high: str = WIN) -> str:
    """A colour between two, through grey in the middle; `share` is from 0 to 1."""
    ends = (low, EVEN) if share < 0.5 else (EVEN, high)
    part = 2 * share if share < 0.5 else 2 * share - 1
    (r, g, b), (red, green, blue) = (to_rgb(end) for end in ends)
    return to_hex((r + part * (red - r), g + part * (green - g), b + part * (blue - b)))


def save(figure: Figure, path: Path, digest: str) -> None:
    """Write a picture with the digest of what it was drawn from."""
    figure.savefig(
        path,
        transparent=True,
        dpi=288,
        metadata={"Date": None, "Description": digest},
    )
