"""Train PPO in self-play with RLlib, then compute how exploitable it is."""

import os

import numpy as np
import ray
import torch
from gymnasium.spaces import Box, Dict
from pettingzoo.utils.wrappers import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.pettingzoo import env

STEPS = int(os.environ.get("RECIPE_STEPS", "20000"))
ROUND = 2000
torch.set_num_threads(1)  # such small networks gain nothing from more threads
settings = {"numbers": 6, "life": 8}


class ForRLlib(BaseWrapper):
    """Rename the observation and convert it to floats, as RLlib's masking module requires."""

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        return {
            "observations": seen["observation"].astype(np.float32),
            "action_mask": seen["action_mask"].astype(np.float32),
        }

    def observation_space(self, agent: str) -> Dict:
        seen = super().observation_space(agent)["observation"]
        return Dict(
            {
                "observations": Box(seen.low.astype("f4"), seen.high.astype("f4")),
                "action_mask": Box(0, 1, (self.action_space(agent).n,)),
            }
        )


ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
register_env("number-duel", lambda config: PettingZooEnv(ForRLlib(env(**config))))
config = (
    PPOConfig()
    .environment("number-duel", env_config={"name": "number-knot", **settings})
    .env_runners(num_env_runners=0)
    .multi_agent(policies={"both"}, policy_mapping_fn=lambda *_, **__: "both")
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    .training(
        train_batch_size_per_learner=ROUND, minibatch_size=256, num_epochs=10, lr=1e-3, gamma=1.0
    )
    .debugging(seed=1, log_level="ERROR")
)
algorithm = config.build_algo()
for _ in range(max(1, STEPS // ROUND)):
    algorithm.train()

game = nd.load("number-knot", **settings)
encoding, module = Encoding(game), algorithm.get_module("both")


def policy(view: object, seat: nd.Seat) -> dict[object, float]:
    """Return the probability of every legal move."""
    options = game.turn(view).options[seat]
    seen = {
        "observations": torch.as_tensor(encoding.observation(view, seat)[None]).float(),
        "action_mask": torch.as_tensor(encoding.mask(options)[None]).float(),
    }
    with torch.no_grad():
        logits = module.forward_inference({"obs": seen})["action_dist_inputs"]
    shares = logits.softmax(1)[0].tolist()
    return {move: shares[encoding.action(move)] for move in options}


response = nd.best_response(game, policy)
for seat in nd.Seat:
    print(f"The best {seat} scores {response.values[seat]:+.2f} per game against it")
print(f"Exploitable: {response.exploitability:.2f} per game")
ray.shutdown()
