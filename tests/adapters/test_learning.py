"""The learner of benchmarks/learning.py learns, fed by either engine, and its files can be read."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# At the end: no module there may hide a library.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import number_duels as nd
from number_duels.core.game import SomeGame
from tests.lazy import Lazy

if TYPE_CHECKING:
    import learning
    from learning import Run
else:
    learning = Lazy("learning")  # which imports JAX


@pytest.mark.parametrize(
    ("engine", "kind", "game"),
    [
        pytest.param(
            *("jax", "network", nd.load("number-knot", numbers=4, life=5)), marks=pytest.mark.slow
        ),
        pytest.param(
            *("batch", "table", nd.load("high-low-battle", cards=3, rounds=3)),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_policy_that_learns_from_itself_loses_less_to_the_best_answer(
    engine: str, kind: str, game: SomeGame
) -> None:
    recipe = replace(learning.LEARNERS[kind], games=256, rate=0.05, drift=0.2)
    if kind == "network":
        recipe = replace(recipe, hidden=(32,), rate=0.01, drift=0.5)
    points = list(islice(learning.learning(game, engine, kind, recipe, spacing=0), 16))
    assert points[0].steps == 0
    assert points[-1].exploitability < 0.7 * points[0].exploitability


@pytest.fixture
def run() -> Run:
    points = (learning.Point(0, 0.0, 0.9),)
    return learning.Run("2 cores", "jax", "table", "number-knot", 3, "2026-01-01", "abc", points)


def test_a_later_run_replaces_one_of_its_kind_and_files_keep_both(tmp_path: Path, run: Run) -> None:
    later = replace(run, points=(learning.Point(0, 0.0, 0.9), learning.Point(100, 2.5, 0.2)))
    runs = learning.with_run([run, replace(run, engine="batch")], later)
    learning.write(tmp_path / "runs.json", runs)
    assert sorted(learning.read(tmp_path / "runs.json"), key=str) == sorted(runs, key=str)
    assert later in runs
    assert run not in runs


def test_what_was_not_reached_is_a_result(run: Run) -> None:
    later = replace(run, points=(learning.Point(0, 0.0, 0.9), learning.Point(100, 2.5, 0.2)))
    assert (later.seconds_to(0.3), later.seconds_to(0.1), later.best) == (2.5, None, 0.2)
    assert "2.5 s | not reached | 0.200" in learning.table([later])
