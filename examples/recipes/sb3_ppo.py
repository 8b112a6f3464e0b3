"""Train PPO and MaskablePPO against level:3, then compute how exploitable the second one is."""

import os

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

import number_duels as nd  # also registers the games with Gymnasium
from number_duels.adapters.encoding import Encoding

ID = "number_duels/NumberKnot-v0"
STEPS = int(os.environ.get("RECIPE_STEPS", "100000"))
torch.set_num_threads(1)  # such small networks gain nothing from more threads
settings = {"numbers": 6, "life": 8}
table = {**settings, "opponent": "level:3", "seat": "random"}

plain = PPO("MlpPolicy", make_vec_env(ID, 8, env_kwargs=table, seed=1), device="cpu", seed=1)
plain.learn(STEPS)
masked = MaskablePPO("MlpPolicy", gymnasium.make(ID, **table), device="cpu", seed=1)
masked.learn(STEPS)


def average(model: PPO | MaskablePPO, games: int = 500) -> float:
    """Return the mean result against the opponent that the learner was trained with."""
    env, total = gymnasium.make(ID, **table), 0.0
    for seed in range(games):
        seen, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            masks = {"action_masks": env.get_wrapper_attr("action_masks")()}
            action, _ = model.predict(seen, **(masks if model is masked else {}))
            seen, reward, ended, _, _ = env.step(action)
        total += float(reward)
    return total / games


game = nd.load("number-knot", **settings)
encoding = Encoding(game)


def policy(view: object, seat: nd.Seat) -> dict[object, float]:
    """Return the probability of every legal move of MaskablePPO."""
    mask = encoding.mask(game.turn(view).options[seat]).astype(bool)
    seen, _ = masked.policy.obs_to_tensor(encoding.observation(view, seat))
    shares = masked.policy.get_distribution(seen, mask[None]).distribution.probs[0].tolist()
    return {encoding.move(int(place)): shares[place] for place in np.flatnonzero(mask)}


response = nd.best_response(game, policy)
print(f"PPO scores {average(plain):+.2f} per game against level:3")
print(f"MaskablePPO scores {average(masked):+.2f} per game against level:3")
print(f"Exploitable: {response.exploitability:.2f} per game")
