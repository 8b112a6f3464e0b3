"""A single file of PyTorch over the vector environment."""

from __future__ import annotations

from pathlib import Path

from tests.integrations.recipes import figure, run_recipe


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("cleanrl", tmp_path, steps=120_000)
    # Random play brings 0 on the average, and is beaten within a few rounds.
    assert 0.2 < figure(told, "It brings ", " a game against random") <= 1
    assert 0 <= figure(told, "The best Player 2 would bring ", " against it") <= 1
