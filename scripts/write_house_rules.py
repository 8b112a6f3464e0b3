"""Write docs/house_rules.md and its picture from docs/data/house_rules.json.

    python scripts/write_house_rules.py

The figures are made by `measure_house_rules.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from measure_house_rules import DATA, TURNS_PER_ERROR, Document, Figures, Settings
from number_duels.core.text import NO_BREAK
from number_duels.games import find

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "house_rules.md"
PICTURE = ROOT / "docs" / "pictures" / "house-rules.svg"

HEAD = f"""\
# Fair house rules

Which settings make a game fair, and leave much to decide? Every game was solved exactly with many
settings; here is what came out, and what we recommend. The documents' rules stay the default
everywhere.

![Fairness against depth, one point for each setting](pictures/house-rules.svg)

Each point is one setting. Left and right: what the first turn is worth between two equal, good
players; the middle is fair. Upwards: how many levels of skill the game has room for. A ring is the
document's own rules, a star what we recommend.

## What is measured

Two kinds of players are meant. *Perfect* ones play by the exact solution. *Good* ones are two
equal players who play any legal move once in {TURNS_PER_ERROR} turns and perfectly
otherwise: between perfect players there is often nothing left to see. A value is an
expected result, from 1 (a certain win) over 0 (even) to -1. A turn is one player's, or one round
where both choose at once.

- **First turn**: what having the first turn is worth, between perfect and between good players. 0
  is fair. Where both choose at once the seats are alike, so it is always 0.
- **Draws**: the share of games that are drawn, between perfect and between good players.
- **Turns**: the mean length of a game between perfect players, and its standard deviation.
- **Levels**: how many levels fit between random and perfect if each beats the one before 60 to 40.
  The first player of this ladder always plays at random; the next errs so much less often that it
  scores 60%, where a draw counts half and both seats are averaged; and so on. The last step is a
  fraction: if perfect play scores 55% against the last player, that is half a step.
- **Matters**: of all decisions between good players, the share in which some legal move costs
  something. A forced move is a decision that does not matter.
- **Dead moves**: of all legal moves on offer between good players, the share that cost something,
  so that perfect play never makes them there.
- **Luck**: of the spread of results between good players, the share that no mistake explains:
  cards, and how two secret choices happen to meet.

A move *costs* what it is worth less than the best one, as in a [review](reviews.md). Dead moves
could also be moves that are best nowhere at all, but in all settings below there are only
NOWHERE. So the share on offer tells more: how narrow the right path is.

Luck comes from an exact account of each game. A result is the value of the start, plus what the
opponent's mistakes gave, less what one's own cost, plus a rest. The rest is luck; between equal
players it is zero on average. If E is what both players' mistakes came to and R is the result, the
share of luck is 1 - covariance(E, R) / variance(R).

All figures are exact: found by one pass over all states of the game, from the ends to the start.
"""
FIRST_TURN = "first turn, perfect (good)"
COLUMNS = ("draws, perfect (good)", "turns", "levels", "matters", "dead moves", "luck")


def page(document: Document) -> str:
    """The whole document."""
    text = HEAD.replace("NOWHERE", best_nowhere(document))
    for name in document["games"]:
        text += chapter(document, name)
    return text


def chapter(document: Document, name: str) -> str:
    """What came out for one game, what is recommended, and all figures."""
    recommended, rules = document["recommended"][name], document["games"][name]
    text = f"\n## {find(name).title}\n\n{document['findings'][name]}\nWe recommend:\n\n"
    text += "".join(f"- `{one['command']}`: {one['why']}\n" for one in recommended) + "\n"
    in_turn = "first" in find(name).describe_settings()
    text += match_of_two(rules[0]) if in_turn else ""
    columns = ("settings", *([FIRST_TURN] if in_turn else []), *COLUMNS)
    text += f"{line(*columns)}{'|---' * len(columns)}|\n"
    starred = [one["settings"] for one in recommended]
    # The document's rules come first, then what is recommended.
    rest = sorted(rules[1:], key=lambda figures: figures["settings"] not in starred)
    for figures in (rules[0], *rest):
        text += row(figures, is_starred=figures["settings"] in starred, in_turn=in_turn)
    return text


def best_nowhere(document: Document) -> str:
    """The moves that are best in no decision that matters, in words."""
    found = [
        f"`{move}` in {find(name).title} with `{in_words(figures['settings'])}`"
        for name, rules in document["games"].items()
        for figures in rules
        for move in figures["best_nowhere"]
    ]
    return " and ".join(found)


def match_of_two(figures: Figures) -> str:
    """How often two games with the seats exchanged leave it level."""
    drawn, lead = figures["draws_level"], figures["first_turn_level"]
    won, lost = (1 - drawn + lead) / 2, (1 - drawn - lead) / 2
    level = won**2 + lost**2 + drawn**2
    return (
        "Two games in which each begins once are fair with any setting. Between good players, by "
        f"the document's rules, {level:.0%} of such matches end level.\n\n"
    )


def row(figures: Figures, *, is_starred: bool, in_turn: bool) -> str:
    """One setting; a star marks what is recommended."""
    first = f"{figures['first_turn']:+.3f} ({figures['first_turn_level']:+.3f})"
    return line(
        "★ " * is_starred + in_words(figures["settings"]),
        *([first] if in_turn else []),
        f"{figures['draws']:.1%} ({figures['draws_level']:.1%})",
        f"{figures['turns']:.1f}{NO_BREAK}±{NO_BREAK}{figures['spread']:.1f}",
        f"{figures['levels']:.1f}",
        f"{figures['matters']:.0%}",
        f"{figures['dead']:.0%}",
        f"{figures['luck'] + 0.0:.0%}",
    )


def line(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |\n"


def in_words(settings: Settings) -> str:
    written = ", ".join(f"{name}={value}" for name, value in settings.items())
    return written or "**the document's rules**"


# ---- the picture ---------------------------------------------------------------

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
    "label": "the document's rules",
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
    drawing.supxlabel("worth of the first turn between good players", fontsize=12, color=INK)
    drawing.supylabel("levels between random and perfect", fontsize=12, color=INK)
    drawing.savefig(PICTURE, metadata={"Date": None}, transparent=True)


def plot(axes: Axes, rules: list[Figures], marker: Marker) -> None:
    """Points, each at its fairness and depth."""
    across, up = [f["first_turn_level"] for f in rules], [f["levels"] for f in rules]
    axes.plot(across, up, linestyle="", **marker)


def main() -> None:
    """Write the page and its picture."""
    document: Document = json.loads(DATA.read_text(encoding="utf-8"))
    PAGE.write_text(page(document), encoding="utf-8")
    draw(document)


if __name__ == "__main__":
    main()
