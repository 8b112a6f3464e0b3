"""Append the tables of actions and observations of every game to the page `encodings`."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import number_duels as nd
from number_duels.adapters.encoding import Encoding

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def append_tables(_: Sphinx, page: str, content: list[str]) -> None:
    """Append one section per game, with its default settings."""
    if page == "encodings":
        content[0] += "".join(f"\n{section(nd.load(name))}" for name in nd.games())


def section(game: nd.AnyGame) -> str:
    """Return the section of one game: its actions and its observation."""
    encoding = Encoding(game)
    numbers = "  ".join(f"{encoding.action(move)}:{move}" for move in encoding.moves)
    rows = "".join(
        f"| {indices(part)} | {label} | {encoding.low[part][0]} to {encoding.high[part][0]} |\n"
        for label, part in encoding.labels
    )
    return (
        f"## {game.title}\n\n"
        f"`{game.name}`, class `{type(game).__name__}`. {encoding.action_count} actions:\n\n"
        f"```text\n{fill(numbers, 92, break_on_hyphens=False)}\n```\n\n"
        f"An observation is {len(encoding.low)} numbers:\n\n"
        f"| index | meaning | range |\n|---|---|---|\n{rows}"
    )


def indices(part: slice) -> str:
    """Return a range of indices as text: `0 to 8`, or `9`."""
    last = part.stop - 1
    return f"{part.start} to {last}" if last > part.start else str(last)


def setup(app: Sphinx) -> None:
    """Append the tables when the page is read."""
    app.connect("source-read", append_tables)
