"""The usual calls of Stable-Baselines3, its checker, and the recipe."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import number_duels as nd
from number_duels.adapters.registration import env_id
from tests.integrations.recipes import figure, run_recipe

ID = "number_duels/NumberKnot-v0"


def test_a_learner_takes_the_name_of_a_game() -> None:
    PPO("MlpPolicy", ID, n_steps=64, batch_size=64, device="cpu").learn(128)


@pytest.mark.parametrize(
    "imports",
    ["import number_duels, stable_baselines3", "import stable_baselines3, number_duels"],
)
def test_in_whatever_order_they_are_imported(imports: str) -> None:
    script = f"{imports}\nstable_baselines3.PPO('MlpPolicy', '{ID}', device='cpu')"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_name_with_its_module_needs_no_import() -> None:
    script = f"import stable_baselines3 as sb3\nsb3.PPO('MlpPolicy', 'number_duels:{ID}')"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_many_environments_are_made_and_shown_at_once() -> None:
    envs = make_vec_env(ID, 8)
    assert envs.reset().shape == (8, 12)
    assert envs.render().shape[-1] == 3
    assert is_masking_supported(envs)
    assert get_action_masks(envs).shape == (8, 18)


def test_a_learner_with_masks_never_plays_what_is_closed() -> None:
    env = gymnasium.make(ID)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, device="cpu").learn(128)
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        ended = False
        while not ended:
            action, _ = model.predict(seen, action_masks=get_action_masks(env))
            seen, _, ended, _, info = env.step(action)
            assert "illegal" not in info


@pytest.mark.parametrize("name", nd.games())
@pytest.mark.parametrize("seat", [1, 2, "random"])
def test_its_checker_has_nothing_to_say(name: str, seat: int | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(env_id(name), seat=seat, render_mode="rgb_array"))


def test_the_recipe_learns_and_is_measured(tmp_path: Path) -> None:
    told = run_recipe("sb3_ppo", tmp_path, steps=4_000)
    plain = figure(told, "PPO scores ", " per game against level:3")
    masked = figure(told, "MaskablePPO scores ", " per game against level:3")
    assert -1 <= plain <= 1
    assert masked > plain  # which still loses most games by illegal actions
    assert 0 <= figure(told, "Exploitable: ", " per game") <= 2
