"""Write the tables of actions and observations into docs/encodings.md.

Run: `python scripts/write_encodings.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

import number_duels as nd
from number_duels.adapters.encoding import Encoding

PAGE = Path(__file__).parent.parent / "docs" / "encodings.md"
BEGIN = "<!-- encodings: made by scripts/write_encodings.py -->\n"
END = "<!-- end of encodings -->\n"


def encodings(names: Iterable[str]) -> str:
    """The actions and the observation of some games, at their default settings."""
    return "".join(f"\n{section(nd.load(name))}" for name in names) + "\n"


def section(game: nd.AnyGame) -> str:
    """One game: the moves by number, and what the numbers of an observation mean."""
    encoding = Encoding(game)
    numbers = "  ".join(f"{encoding.action(move)}:{move}" for move in encoding.moves)
    rows = "".join(
        f"| {places(part)} | {label} | {encoding.low[part][0]} to {encoding.high[part][0]} |\n"
        for label, part in encoding.labels
    )
    return (
        f"## {game.title}\n\n"
        f"`{game.name}`, class `{type(game).__name__}`. {encoding.action_count} actions:\n\n"
        f"```text\n{fill(numbers, 92, break_on_hyphens=False)}\n```\n\n"
        f"An observation is {len(encoding.low)} numbers:\n\n"
        f"| place | what | range |\n|---|---|---|\n{rows}"
    )


def places(part: slice) -> str:
    """A stretch of places: `0 to 8`, or `9`."""
    last = part.stop - 1
    return f"{part.start} to {last}" if last > part.start else str(last)


def with_current_tables(page: str, names: Iterable[str]) -> str:
    """A page with the tables of some games, as they are now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{encodings(names)}{END}{after}"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_current_tables(page, nd.games()), encoding="utf-8")
