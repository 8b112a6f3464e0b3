"""The pages of the libraries are true: their code runs, their tables are the games' own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.games import find

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
try:
    import write_encodings  # type: ignore[import-not-found]  # a script, not a package
finally:
    sys.path.remove(str(ROOT / "scripts"))

BLOCKS = [
    pytest.param(code, id=f"{path.stem}-{n}")
    for path in write_encodings.PAGES
    for n, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL))
]
every_page = pytest.mark.parametrize("path", write_encodings.PAGES, ids=lambda path: path.stem)


@pytest.mark.parametrize("code", BLOCKS)
def test_the_code_runs(code: str) -> None:
    exec(compile(code, "page", "exec"), {})


@every_page
def test_the_tables_are_current(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert write_encodings.renewed(page) == page, "run: python scripts/write_encodings.py"


@every_page
def test_every_game_is_on_the_page(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert "```python" in page
    for name in nd.games():
        assert f"### {find(name).title}\n" in page
