"""Two learners of Tianshou at one PettingZoo table."""

from __future__ import annotations

from pathlib import Path

from tests.integrations.recipes import figure, run_recipe


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("tianshou_dqn", tmp_path, steps=2_000)
    results = [
        figure(told, f"The learner as {seat} scores ", " per game against random")
        for seat in ("Player 1", "Player 2")
    ]
    assert all(-1 <= result <= 1 for result in results)
    gains = [
        figure(told, f"The best {seat} scores ", " per game against it")
        for seat in ("Player 1", "Player 2")
    ]
    assert all(0 <= gain <= 1 for gain in gains)
    assert figure(told, "Exploitable: ", " per game") >= 0
