"""Every recipe is run by `make test-integrations`, and what came out last is in the repository."""

from __future__ import annotations

import ast
import re

import pytest

from tests.documented import ROOT
from tests.integrations.__main__ import Result, main, merged, named
from tests.integrations.recipes import PAGES, code, figure

RECIPES = sorted(page.stem for page in PAGES.glob("*.md") if page.stem != "index")
INDEX = (PAGES / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_one_program_that_a_test_runs_and_the_index_names(name: str) -> None:
    ast.parse(code(name))
    assert "RECIPE_STEPS" in code(name)
    assert f"[{name}.md]({name}.md)" in INDEX
    tests = (ROOT / "tests" / "integrations" / name).glob("test_*.py")
    assert any(f'run_recipe("{name}"' in test.read_text(encoding="utf-8") for test in tests)


def test_requirements_and_results_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert named("--editable .[gymnasium]\nray[rllib]>=2,<3\nsb3_contrib\n") == {
        *("number-duels", "ray", "sb3-contrib"),
    }
    told = str(Result("rllib", False, "1 failed, 9 s", {"ray": "2.60.0"}))
    assert told == "rllib: FAILED (1 failed, 9 s)\n    ray 2.60.0\n"
    once = "make test-integrations, 2026-01-01, …\n\n" + told
    again = merged(once, [Result("sb3", True, "2 passed, 1 s", {"torch": "2.15.0"})])
    assert again.startswith(once)
    assert re.search(r"^sb3: passed \(2 passed, 1 s; \d{4}-\d\d-\d\d, commit .+\)$", again, re.M)
    passed = [Result("rllib", True, "2 passed, 9 s", {"ray": "2.60.0"})]
    assert merged(again, passed).count("rllib: ") == 1
    assert "FAILED" not in merged(again, passed)
    assert figure(["It is", "worth  +0.25 a game"], "worth ", " a game") == 0.25
    assert main(["chess"]) == 2
    assert "There is no chess; there are " in capsys.readouterr().out
