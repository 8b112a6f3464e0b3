"""A tiny language model with random weights, trained by TRL with the exact loss as reward."""

from __future__ import annotations

from pathlib import Path

from tests.integrations.recipes import figure, run_recipe


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("trl_grpo", tmp_path, steps=80)
    untrained, trained, chance = (
        figure(told, f"{who} loses ", " per move")
        for who in ("The untrained model", "The trained model", "A random legal move")
    )
    assert trained < chance < untrained <= 2
