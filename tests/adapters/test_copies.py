"""A copied environment, however it was copied, is equal and goes its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import gymnasium
import numpy as np
import pytest

from number_duels.adapters.gymnasium import DuelEnv, env_id
from number_duels.adapters.pettingzoo import OrderedDuel, ParallelDuel
from tests.adapters.pettingzoo_envs import aec, parallel
from tests.adapters.tables import (
    every_small_table,
    every_small_table_at_once,
    every_way_to_copy,
    plain,
)
from tests.core.playing import Table

Env = TypeVar("Env", OrderedDuel, ParallelDuel, DuelEnv)


def aec_turn(env: OrderedDuel) -> object:
    """Let the space of the selected agent act, or begin the next game; all that is shown then."""
    if not env.agents:
        env.reset()
    shown, _, ended, *_ = env.last()
    space = env.action_space(env.agent_selection)
    env.step(None if ended else space.sample(shown["action_mask"]))
    seen = [env.observe(agent) for agent in env.possible_agents]
    return plain((seen, env.rewards, env.terminations, env.infos, env.agents, env.render()))


def parallel_turn(env: ParallelDuel) -> object:
    if not env.agents:
        return plain((env.reset(), env.render()))
    masks = {agent: env._shown(agent)["action_mask"] for agent in env.agents}
    actions = {agent: env.action_space(agent).sample(mask) for agent, mask in masks.items()}
    return plain((env.step(actions), env.render(), env.agents))


def gymnasium_turn(env: DuelEnv) -> object:
    if env._end_returned:
        return plain((env.reset(), env.render()))
    action = env.action_space.sample(env.action_masks().astype(np.int8))
    return plain((env.step(action), env.render()))


def check_copies(env: Env, turn: Callable[[Env], object], duplicate: Callable[[Env], Env]) -> None:
    """What a copy does is not seen in the original, which does the same when it is left alone."""
    for _ in range(7):
        again = duplicate(env)
        future = [turn(again) for _ in range(5)]
        assert [turn(env) for _ in range(3)] == future[:3]


@every_small_table
@every_way_to_copy
def test_aec_environments(table: Table, duplicate: Callable[[OrderedDuel], OrderedDuel]) -> None:
    env = aec(table, "ansi")
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    check_copies(env, aec_turn, duplicate)


@every_small_table_at_once
@every_way_to_copy
def test_parallel_environments(
    table: Table, duplicate: Callable[[ParallelDuel], ParallelDuel]
) -> None:
    env = parallel(table, "ansi")
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    check_copies(env, parallel_turn, duplicate)


@every_small_table
@every_way_to_copy
def test_gymnasium_environments(table: Table, duplicate: Callable[[DuelEnv], DuelEnv]) -> None:
    settings: dict[str, Any] = {**table.game.settings}
    env = gymnasium.make(env_id(table.game.name), seat="random", render_mode="ansi", **settings)
    assert isinstance(env, DuelEnv)  # wrappers would share the game with their copies
    env.reset(seed=1)
    env.action_space.seed(1)
    check_copies(env, gymnasium_turn, duplicate)


@every_way_to_copy
@pytest.mark.parametrize("opponent", ["perfect", "level:1"])
def test_solved_opponents_come_along(
    opponent: str, duplicate: Callable[[DuelEnv], DuelEnv]
) -> None:
    room = DuelEnv("number-bid", numbers=4, opponent=opponent)
    room.reset(seed=1)
    again = duplicate(room)
    for action in (3, 2):
        assert plain(again.step(action)) == plain(room.step(action))
