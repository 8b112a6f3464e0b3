"""Train PPO with action masks in plain PyTorch, then compute how exploitable it is."""

import os

import gymnasium
import numpy as np
import torch
from torch import nn

import number_duels as nd
from number_duels.adapters.encoding import Encoding

STEPS = int(os.environ.get("RECIPE_STEPS", "1000000"))
GAMES, LENGTH, EPOCHS, PARTS = 256, 32, 4, 4
GAMMA, SMOOTHING, CLIP, ENTROPY = 1.0, 0.95, 0.2, 0.01

torch.set_num_threads(1)  # such small networks gain nothing from more threads
torch.manual_seed(1)
settings = {"numbers": 6, "life": 8}
envs = gymnasium.make_vec(
    "number_duels/NumberKnot-v0",
    num_envs=GAMES,
    vectorization_mode="vector_entry_point",
    opponent="random",
    **settings,
)
inputs, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)


def network(outputs: int) -> nn.Module:
    return nn.Sequential(
        *(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))
    )


actor, critic = network(actions), network(1)
parameters = [*actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, lr=1e-3)


def choices(seen: torch.Tensor, masks: torch.Tensor) -> torch.distributions.Categorical:
    """Return the probabilities of all actions: 0 for illegal ones."""
    return torch.distributions.Categorical(logits=actor(seen).masked_fill(~masks, -1e9))


def tensors(seen: np.ndarray, infos: dict) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.as_tensor(seen, dtype=torch.float32), torch.as_tensor(infos["action_mask"] == 1)


def advantages(rewards: torch.Tensor, ends: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return how much better each action was than expected, game by game."""
    found, later = torch.zeros_like(rewards), torch.zeros(GAMES)
    for t in reversed(range(LENGTH)):
        goes_on = 1 - ends[t]
        surprise = rewards[t] + GAMMA * values[t + 1] * goes_on - values[t]
        found[t] = later = surprise + GAMMA * SMOOTHING * goes_on * later
    return found


seen, masks = tensors(*envs.reset(seed=1))
for _ in range(max(1, STEPS // (GAMES * LENGTH))):
    rows = []
    for _ in range(LENGTH):
        with torch.no_grad():
            chosen = choices(seen, masks)
            action = chosen.sample()
            row = [seen, masks, action, chosen.log_prob(action), critic(seen).squeeze(1)]
        observations, rewards, ended, _, infos = envs.step(action.numpy())
        rows.append([*row, *(torch.as_tensor(x, dtype=torch.float32) for x in (rewards, ended))])
        seen, masks = tensors(observations, infos)
    *columns, values, rewards, ends = (torch.stack(column) for column in zip(*rows, strict=True))
    with torch.no_grad():
        gains = advantages(rewards, ends, torch.vstack([values, critic(seen).T]))
    batch = [column.flatten(0, 1) for column in (*columns, gains, gains + values)]
    for _ in range(EPOCHS):
        for part in torch.randperm(GAMES * LENGTH).chunk(PARTS):
            saw, open_, action, before, gain, target = (column[part] for column in batch)
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            chosen = choices(saw, open_)
            ratio = (chosen.log_prob(action) - before).exp()
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            value_loss = (critic(saw).squeeze(1) - target).square().mean()
            loss = policy_loss + 0.5 * value_loss - ENTROPY * chosen.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()

game = nd.load("number-knot", **settings)
encoding = Encoding(game)


def policy(view: object, seat: nd.Seat) -> dict[object, float]:
    """Return the probability of every legal move."""
    options = game.turn(view).options[seat]
    seen = torch.as_tensor(encoding.observation(view, seat), dtype=torch.float32)
    with torch.no_grad():
        shares = choices(seen, torch.as_tensor(encoding.mask(options) == 1)).probs.tolist()
    return {move: shares[encoding.action(move)] for move in options}


finished = ends.sum().item()
response = nd.best_response(game, policy)
print(f"PPO scores {rewards.sum().item() / finished:+.2f} per game against random")
print(f"The best Player 2 scores {response.values[nd.Seat.TWO]:+.2f} per game against it")
