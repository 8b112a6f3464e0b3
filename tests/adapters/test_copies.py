"""A copied environment, however it was copied, is equal and goes its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import gymnasium
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


class PlayedEnv(Protocol):
    """An environment of either library, played the same way."""

    def shown(self) -> object: ...

    def play(self) -> None: ...


class InTurns:
    """An AEC environment, played by its own action spaces."""

    def __init__(self, table: Table) -> None:
        self.env: OrderedDuel = aec(table, "ansi")
        for agent in self.env.possible_agents:
            self.env.action_space(agent).seed(1)
        self.env.reset(seed=1)

    def shown(self) -> object:
        room = self.env
        seen = [room.observe(agent) for agent in room.possible_agents]
        rest = room.rewards, room.terminations, room.truncations, room.infos, room.agents
        if not room.agents:
            return plain((seen, rest, room.render()))
        return plain((seen, rest, room.render(), room.last(), room.agent_selection))

    def play(self) -> None:
        room = self.env
        if not room.agents:
            room.reset()
            return
        shown, _, ended, *_ = room.last()
        space = room.action_space(room.agent_selection)
        room.step(None if ended else space.sample(shown["action_mask"]))


class AtOnce:
    """A parallel environment, played by its own action spaces."""

    def __init__(self, table: Table) -> None:
        self.env: ParallelDuel = parallel(table, "ansi")
        for agent in self.env.possible_agents:
            self.env.action_space(agent).seed(1)
        self.seen, infos = self.env.reset(seed=1)
        self.last: object = infos

    def shown(self) -> object:
        return plain((self.seen, self.last, self.env.render(), self.env.agents))

    def play(self) -> None:
        if not self.env.agents:
            self.seen, self.last = self.env.reset()
            return
        self.seen, *rest = self.env.step(
            {
                agent: self.env.action_space(agent).sample(self.seen[agent]["action_mask"])
                for agent in self.env.agents
            }
        )
        self.last = rest


class OneSeat:
    """A Gymnasium environment, played by its own action space."""

    def __init__(self, table: Table) -> None:
        name = env_id(table.game.name)
        settings: dict[str, Any] = {**table.game.settings}
        room = gymnasium.make(name, seat="random", render_mode="ansi", **settings)
        assert isinstance(room, DuelEnv)  # wrappers would share the game with their copies
        self.env = room
        self.env.action_space.seed(1)
        self.seen: object
        self.seen, self.info = self.env.reset(seed=1)
        self.rest: object = None
        self.ended = False

    def shown(self) -> object:
        return plain((self.seen, self.info, self.rest, self.env.render()))

    def play(self) -> None:
        if self.ended:
            self.seen, self.info = self.env.reset()
            self.ended = False
            return
        action = self.env.action_space.sample(self.info["action_mask"])
        self.seen, reward, self.ended, cut, self.info = self.env.step(action)
        self.rest = reward, cut


def copied(room: PlayedEnv, duplicate: Callable[[object], object]) -> PlayedEnv:
    """A room whose environment is a copy; the rest of it is only what was shown."""
    again = object.__new__(type(room))
    vars(again).update(vars(room), env=duplicate(vars(room)["env"]))
    return again


def check_copies(room: PlayedEnv, duplicate: Callable[[object], object]) -> None:
    for _ in range(7):
        again, before = copied(room, duplicate), room.shown()
        assert again.shown() == before
        # What the copy does, through the next game, is not seen in the original ...
        future = []
        for _ in range(5):
            again.play()
            future.append(again.shown())
        assert room.shown() == before
        # ... and the original, left to itself, does the same.
        for expected in future[:3]:
            room.play()
            assert room.shown() == expected


@every_small_table
@every_way_to_copy
def test_aec_environments(table: Table, duplicate: Callable[[object], object]) -> None:
    check_copies(InTurns(table), duplicate)


@every_small_table_at_once
@every_way_to_copy
def test_parallel_environments(table: Table, duplicate: Callable[[object], object]) -> None:
    check_copies(AtOnce(table), duplicate)


@every_small_table
@every_way_to_copy
def test_gymnasium_environments(table: Table, duplicate: Callable[[object], object]) -> None:
    check_copies(OneSeat(table), duplicate)


@every_way_to_copy
@pytest.mark.parametrize("opponent", ["perfect", "level:1"])
def test_solved_opponents_come_along(opponent: str, duplicate: Callable[[object], object]) -> None:
    room = DuelEnv("number-bid", numbers=4, opponent=opponent)
    room.reset(seed=1)
    again = duplicate(room)
    assert isinstance(again, DuelEnv)
    for action in (3, 2):
        assert plain(again.step(action)) == plain(room.step(action))
