"""Draw the chart of a review with Matplotlib."""

from __future__ import annotations

import os
from pathlib import Path

from number_duels.core.record import with_names
from number_duels.core.scene import Scene
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file

#: The title of all charts. A chart replaces an existing file only if it has this title.
TITLE = "Number Duels: what skill and luck made of a game"


def save_chart(scene: Scene, path: Path) -> None:
    """Save the chart as an SVG or PNG file. Raise ValueError if it would replace another file."""
    check_replaceable(path, TITLE.encode(), "a picture that this program drew")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    chart = scene.chart
    assert chart
    names = scene.sides[0].name, scene.sides[1].name
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for number, curve in enumerate(chart.curves):
        axes.plot(*zip(*curve.points, strict=True), color=f"C{number}", label=curve.name)
    for mark in chart.marks:
        color, inside = ("C2", "C3")[mark.seat], "full" if mark.own else "none"
        # Where both choose at once, the mark stands beside the curve.
        on_the_curve = dict(chart.curves[0].points).get(mark.turn, mark.height)
        axes.plot([mark.turn] * 2, [mark.height, on_the_curve], color=color, linestyle=":")
        axes.plot(mark.turn, mark.height, marker="o", color=color, fillstyle=inside)
        axes.annotate(
            f"{names[mark.seat]}: {mark.words}",
            (mark.turn, mark.height),
            textcoords="offset points",
            xytext=(4, -12 if mark.own else 6),
            fontsize=7,
        )
    heights = [height for curve in chart.curves for _, height in curve.points]
    last = max(1.0, *(turn for curve in chart.curves for turn, _ in curve.points))
    axes.axhline(0.5, linewidth=0.8, color="gray")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_yticks(*zip(*chart.axis, strict=True))
    axes.set(
        xlabel="\n".join(filter(None, ("turn", chart.note))),
        ylabel=with_names(chart.title, names),
        ylim=(min(-0.05, *heights) - 0.05, max(1.05, *heights) + 0.05),
        xlim=(0, last + 0.5),
        title=with_names(f"{scene.title}: {', '.join(scene.status)}", names),
    )
    if len(chart.curves) > 1:
        axes.legend(fontsize=7)
    with replace_file(Path(os.path.realpath(path)), mode=BY_UMASK) as file:
        figure.savefig(file, format=path.suffix[1:], metadata={"Title": TITLE})
