"""The pages of the libraries are true: their tables are the games' own."""

from __future__ import annotations

from pathlib import Path

import number_duels as nd
import write_encodings

ROOT = Path(__file__).parents[2]


def test_the_tables_are_those_of_the_games_on_the_page() -> None:
    page = write_encodings.PAGE.read_text(encoding="utf-8")
    names = [name for name in nd.games() if f"`{name}`, class `" in page]
    assert names
    current = write_encodings.with_current_tables(page, names)
    assert page == current, "run: python scripts/write_encodings.py"
