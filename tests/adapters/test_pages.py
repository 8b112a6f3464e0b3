"""The pages of the libraries are true: their code runs, their tables are the games' own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import number_duels as nd

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
try:
    import write_encodings  # type: ignore[import-not-found]  # a script, not a package
finally:
    sys.path.remove(str(ROOT / "scripts"))


@pytest.mark.parametrize("name", ["batch", "gymnasium", "open_spiel", "pettingzoo"])
def test_the_code_runs_from_top_to_bottom(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) > 1
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, f"docs/{name}.md", "exec"), names)


def test_the_tables_are_those_of_the_games_on_the_page() -> None:
    page = write_encodings.PAGE.read_text(encoding="utf-8")
    names = [name for name in nd.games() if f"`{name}`, class `" in page]
    assert names
    current = write_encodings.with_current_tables(page, names)
    assert page == current, "run: python scripts/write_encodings.py"
