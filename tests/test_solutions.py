"""The figures of docs/data/solutions.json and proper.json are what the solver says."""

from __future__ import annotations

import json

import pytest

import measure_proper
import measure_solutions

PROPER = json.loads(measure_proper.PATH.read_text(encoding="utf-8"))
KNOWN = json.loads(measure_solutions.DATA.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "names", [{"number-bid", "number-knot"}, pytest.param(set(KNOWN), marks=pytest.mark.slow)]
)
def test_positions_are_played_as_the_figures_say(names: set[str]) -> None:
    chosen: measure_proper.Figures = {
        "lost": [lost for lost in PROPER["lost"] if lost["game"] in names],
        "ties": PROPER["ties"],
    }
    assert measure_proper.measured(chosen) == chosen, "run: python scripts/measure_proper.py"


@pytest.mark.slow
def test_what_depends_on_equal_moves_is_what_the_figures_say() -> None:
    for name, ends in PROPER["ties"].items():
        assert measure_proper.ties(name) == ends, "run: python scripts/measure_proper.py --ties"


@pytest.mark.parametrize("name", ["number-bid", "number-knot"])
def test_the_figures_of_the_quickest_games_are_what_the_solver_says(name: str) -> None:
    assert measure_solutions.facts(name) == KNOWN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_all_figures_are_what_the_solver_says(name: str) -> None:
    assert measure_solutions.facts(name) == KNOWN[name]
