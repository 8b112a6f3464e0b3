"""RLlib's PPO at a PettingZoo table, against itself; and its wrapper for both kinds of game."""

from __future__ import annotations

from pathlib import Path

from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv

from number_duels.adapters.pettingzoo import env, parallel_env
from tests.integrations.recipes import figure, run_recipe


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("rllib_ppo", tmp_path, steps=2_000)
    gains = [
        figure(told, f"The best {seat} scores ", " per game against it")
        for seat in ("Player 1", "Player 2")
    ]
    assert all(0 <= gain <= 1 for gain in gains)
    assert figure(told, "Exploitable: ", " per game") >= 0


def test_its_wrappers_take_environments_that_are_made_by_keyword() -> None:
    turns = PettingZooEnv(env(name="number-knot"))
    seen, _ = turns.reset(seed=1, options={"moves": "S5"})
    assert list(seen) == ["player_2"]
    at_once = ParallelPettingZooEnv(parallel_env(name="number-bid"))
    seen, _ = at_once.reset(seed=1)
    assert set(seen) == {"player_1", "player_2"}
