"""Where learners work: plays a game that nobody knows by name in every adapter.

Run as a program, with the toys on the path.
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types

import number_duels as nd
from number_duels.adapters.batch import Batch, playouts
from number_duels.adapters.gymnasium import register as register_gymnasium
from number_duels.adapters.open_spiel import register as register_open_spiel
from number_duels.adapters.pettingzoo import env, parallel_env
from number_duels.adapters.text import TextBatch


def in_pettingzoo(name: str) -> None:
    room = env(name)
    room.reset(seed=7)
    rewards = dict.fromkeys(room.possible_agents, 0.0)
    for agent in room.agent_iter():
        seen, reward, terminated, _, _ = room.last()
        rewards[agent] += reward
        room.step(None if terminated else room.action_space(agent).sample(seen["action_mask"]))
    assert sum(rewards.values()) == 0


def in_parallel(name: str) -> None:
    room = parallel_env(name)
    seen, _ = room.reset(seed=7)
    while room.agents:
        actions = {a: room.action_space(a).sample(seen[a]["action_mask"]) for a in room.agents}
        seen, *_ = room.step(actions)


def in_gymnasium(kind: str) -> None:
    register_gymnasium()
    room = gymnasium.make(f"number_duels/{kind}-v0", opponent="perfect")
    _, info = room.reset(seed=7)
    over = False
    while not over:
        _, reward, over, _, info = room.step(room.action_space.sample(info["action_mask"]))
    assert reward in (-1, 0, 1)


def in_open_spiel(name: str) -> None:
    register_open_spiel()
    state = pyspiel.load_game(f"python_{name.replace('-', '_')}").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        elif state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(player)[0] for player in range(2)])
        else:
            state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == 0


def in_a_batch(name: str) -> None:
    game = nd.load(name)
    batch = Batch(game, size=8, seed=7)
    ended = 0
    for _ in range(10):
        batch.step(np.asarray(batch.masks.argmax(axis=2)))
        ended += int(batch.done.sum())
    assert ended >= 8
    assert not batch.illegal.any()
    tally = playouts(game, 20, seed=7)
    assert tally.won + tally.drawn + tally.lost == 20


def as_text(name: str) -> None:
    batch = TextBatch(name, 4, opponent="perfect", seat="random")
    asks = batch.reset(seeds=range(4))
    while asks:
        batch.step([f'{{"move": "{ask.moves[0]}"}}' for ask in asks])
        asks = batch.asked
    assert all(env.score(seat).decisions for env in batch.envs for seat in env.agents)


def tour(name: str, *, both: bool) -> None:
    in_pettingzoo(name)
    if both:
        in_parallel(name)
    in_gymnasium(type(nd.load(name)).__name__)
    in_open_spiel(name)
    in_a_batch(name)
    as_text(name)
    sys.stdout.write(f"{name} was played everywhere\n")


if __name__ == "__main__":
    tour("take-away", both=False)
    tour("two-prizes", both=True)
