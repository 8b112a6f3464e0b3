"""docs/solutions.md says what the solver says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
try:
    import measure_proper  # type: ignore[import-not-found]  # a script, not a package
    import write_solutions  # type: ignore[import-not-found]  # a script, not a package
finally:
    sys.path.remove(str(SCRIPTS))

PROPER = json.loads(write_solutions.PROPER.read_text(encoding="utf-8"))
KNOWN = json.loads(write_solutions.DATA.read_text(encoding="utf-8"))


def test_the_page_is_what_its_figures_say() -> None:
    levels = json.loads(write_solutions.LEVELS.read_text(encoding="utf-8"))
    page = write_solutions.PAGE.read_text(encoding="utf-8")
    made = write_solutions.page(KNOWN, levels, PROPER)
    assert page == made, "run: python scripts/write_solutions.py"


def test_positions_are_played_as_the_page_says() -> None:
    assert measure_proper.measured(PROPER) == PROPER, "run: python scripts/measure_proper.py"
    for won in PROPER["won"]:
        assert won["now"] == won["keeps"]
        assert set(won["now"]) < set(won["before"])
    for lost in PROPER["lost"]:
        assert all(lost["now"][who] >= score - 0.001 for who, score in lost["before"].items())


@pytest.mark.parametrize("name", ["number-bid", "number-knot"])
def test_the_figures_of_the_quickest_games_are_what_the_solver_says(name: str) -> None:
    assert write_solutions.facts(name) == KNOWN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_all_figures_are_what_the_solver_says(name: str) -> None:
    assert write_solutions.facts(name) == KNOWN[name]
