"""Write the tables of actions and observations into the pages of the libraries.

Run: `python scripts/write_encodings.py`.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import number_duels as nd
from number_duels.adapters.encoding import Coding

DOCS = Path(__file__).parent.parent / "docs"
PAGES = (DOCS / "pettingzoo.md", DOCS / "gymnasium.md")
BEGIN = "<!-- encodings: made by scripts/write_encodings.py -->\n"
END = "<!-- end of encodings -->\n"


def encodings() -> str:
    """Every game's actions and observation, at its default settings."""
    return "".join(f"\n{section(nd.load(name))}" for name in nd.games()) + "\n"


def section(game: nd.AnyGame) -> str:
    """One game: the moves by number, and what the numbers of an observation mean."""
    coding = Coding(game)
    numbers = "  ".join(f"{coding.number(move)}:{move}" for move in coding.moves)
    rows = "".join(
        f"| {places(part)} | {label} | {coding.low[part][0]} to {coding.high[part][0]} |\n"
        for label, part in coding.labels
    )
    return (
        f"### {game.title}\n\n"
        f"`{game.name}`, class `{type(game).__name__}`. {coding.actions} actions:\n\n"
        f"```text\n{fill(numbers, 92, break_on_hyphens=False)}\n```\n\n"
        f"An observation is {len(coding.low)} numbers:\n\n"
        f"| place | what | range |\n|---|---|---|\n{rows}"
    )


def places(part: slice) -> str:
    """A stretch of places: `0 to 8`, or `9`."""
    last = part.stop - 1
    return f"{part.start} to {last}" if last > part.start else str(last)


def renewed(page: str) -> str:
    """A page with its tables made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{encodings()}{END}{after}"


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
