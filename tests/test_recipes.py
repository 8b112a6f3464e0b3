"""Every program in examples/ runs: the recipes by `make test-integrations`, the others here."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.documented import ROOT
from tests.integrations.__main__ import Result, main, merged, named
from tests.integrations.recipes import RECIPES, figure


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.py")), ids=lambda path: path.stem)
def test_a_recipe_has_a_page_and_a_test_that_runs_it(path: Path) -> None:
    assert "RECIPE_STEPS" in path.read_text(encoding="utf-8")
    library = path.stem.partition("_")[0]
    page = (ROOT / "docs" / "recipes" / f"{library}.md").read_text(encoding="utf-8")
    assert f"{{literalinclude}} ../../examples/recipes/{path.name}\n" in page
    tests = (ROOT / "tests" / "integrations" / library).glob("test_*.py")
    assert any(f'run_recipe("{path.stem}"' in test.read_text(encoding="utf-8") for test in tests)


def test_the_learner_reaches_perfect_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "learner.py"))
    printed = capsys.readouterr().out
    assert printed.endswith("after 10,000 games: exploitable 0.000 per game\n")
    assert (tmp_path / "learner.npz").exists()


def test_the_text_wrappers_play_whole_games(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "text_wrappers.py"), run_name="__main__")
    text_arena, mcp = capsys.readouterr().out.strip().split("\n", 1)
    assert re.match(r"TextArena: \(\{0: (.*), 1: .*\}, \{0: \{'loss': ", text_arena)
    assert "That move cost you" in mcp


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
    assert figure(["It is", "gains  +0.25 a game"], "gains ", " a game") == 0.25
    assert main(["chess"]) == 2
    assert "There is no chess; there are " in capsys.readouterr().out
