"""Train two DQNs with Tianshou, one per player, then compute how exploitable they are."""

import logging
import os

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.pettingzoo import env

STEPS = int(os.environ.get("RECIPE_STEPS", "40000"))
EPOCHS, GAMES = 10, 16
settings = {"numbers": 6, "life": 8}


def table() -> PettingZooEnv:
    return PettingZooEnv(env(name="number-knot", **settings))


def learner() -> DQN:
    room = table()
    shape = room.observation_space["observation"].shape
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=shape, action_shape=room.action_space.n, hidden_sizes=[64, 64]),
        action_space=room.action_space,
        observation_space=room.observation_space,
        eps_training=0.5,
    )
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=2,  # a player's next position is two moves away
        target_update_freq=500,
    )


logging.getLogger("tianshou").setLevel(logging.ERROR)  # it warns at every step
torch.set_num_threads(1)  # such small networks gain nothing from more threads
torch.manual_seed(1)
np.random.seed(1)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner(), learner()], env=table())
tables = DummyVectorEnv([table] * GAMES)
tables.seed(1)
collector = Collector(both, tables, VectorReplayBuffer(20_000, GAMES), exploration_noise=True)
collector.reset()
collector.collect(n_step=GAMES * 20)
both.run_training(
    OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=EPOCHS,
        epoch_num_steps=max(GAMES, STEPS // EPOCHS),
        collection_step_num_env_steps=GAMES,
        update_step_num_gradient_steps_per_sample=0.2,
        batch_size=64,
        test_in_training=False,
        show_progress=False,
    )
)

game = nd.load("number-knot", **settings)
encoding = Encoding(game)
AGENTS = {nd.Seat.ONE: "player_1", nd.Seat.TWO: "player_2"}


def policy(view: object, seat: nd.Seat) -> dict[object, float]:
    """Return the move of that player's learner, with probability 1."""
    mask = encoding.mask(game.turn(view).options[seat]) == 1
    seen = Batch(obs=Batch(obs=encoding.observation(view, seat)[None], mask=mask[None]), info={})
    with torch.no_grad():
        action = both.get_algorithm(AGENTS[seat]).policy(seen).act[0]
    return {encoding.move(int(action)): 1.0}


class Learners:
    """Both learners as one player that can be Player 1 or Player 2."""

    def choose(self, situation: nd.Situation) -> object:
        (move,) = policy(situation.view, situation.seat)
        return move


def average(seat: nd.Seat, games: int = 300) -> float:
    """Return the mean result of one learner against random play."""
    players = {seat: Learners(), seat.other: nd.player("random", game)}
    ends = [nd.play_match(nd.Match(game, seed=seed), players) for seed in range(games)]
    return sum(0 if end.winner is None else 1 if end.winner is seat else -1 for end in ends) / games


for seat in nd.Seat:
    print(f"The learner as {seat} scores {average(seat):+.2f} per game against random")
response = nd.best_response(game, policy)
for seat in nd.Seat:
    print(f"The best {seat} scores {response.values[seat]:+.2f} per game against it")
print(f"Exploitable: {response.exploitability:.2f} per game")
