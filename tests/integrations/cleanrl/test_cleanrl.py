"""A single file of PyTorch over the vector environment."""

from __future__ import annotations

from pathlib import Path

from tests.integrations.recipes import figure, run_recipe


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("cleanrl_ppo", tmp_path, steps=120_000)
    # Random play scores 0 on average, and a few rounds of training beat it.
    assert 0.2 < figure(told, "PPO scores ", " per game against random") <= 1
    assert 0 <= figure(told, "The best Player 2 scores ", " per game against it") <= 1
