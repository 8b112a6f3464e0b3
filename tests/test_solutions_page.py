"""docs/solutions.md says what the solver says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
try:
    import write_solutions  # type: ignore[import-not-found]  # a script, not a package
finally:
    sys.path.remove(str(SCRIPTS))

KNOWN = json.loads(write_solutions.DATA.read_text(encoding="utf-8"))


def test_the_page_is_what_its_figures_say() -> None:
    levels = json.loads(write_solutions.LEVELS.read_text(encoding="utf-8"))
    page = write_solutions.PAGE.read_text(encoding="utf-8")
    assert page == write_solutions.page(KNOWN, levels), "run: python scripts/write_solutions.py"


@pytest.mark.parametrize("name", ["number-bid", "number-knot"])
def test_the_figures_of_the_quickest_games_are_what_the_solver_says(name: str) -> None:
    assert write_solutions.facts(name) == KNOWN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_all_figures_are_what_the_solver_says(name: str) -> None:
    assert write_solutions.facts(name) == KNOWN[name]
