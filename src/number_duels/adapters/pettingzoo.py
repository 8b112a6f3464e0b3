"""PettingZoo environments: AEC for all games, and parallel for simultaneous games."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Self, TypeAlias, TypedDict

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "PettingZoo", "learn"):
    import numpy as np
    from gymnasium import logger
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo.utils.env import AECEnv, ParallelEnv  # type: ignore[import-untyped]  # has no types
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]  # idem

from number_duels.adapters.encoding import Encoding, Mask, Observation
from number_duels.adapters.single_game import (
    RENDER_MODES,
    SingleGame,
    check_render_mode,
    whole_number,
)
from number_duels.core.game import AnyGame, Seat, SomeGame
from number_duels.games import as_game

if TYPE_CHECKING:
    from number_duels.adapters.picture import Picture

__all__ = [
    "env",
    "raw_env",
    "parallel_env",
    "AgentObservation",
    "OrderedDuel",
    "AECDuel",
    "ParallelDuel",
]

#: The seat of each agent. Agent names count from 1, like the players' names.
AGENTS = {f"player_{seat + 1}": seat for seat in Seat}
Info: TypeAlias = dict[str, str]


class AgentObservation(TypedDict):
    """An agent's observation and its action mask.

    >>> knot = raw_env("number-knot")
    >>> knot.reset(seed=1)
    >>> sorted(knot.observe("player_1"))
    ['action_mask', 'observation']
    """

    #: The numbers that the seat sees.
    observation: Observation
    #: 1 for each legal action, 0 for the others.
    action_mask: Mask


def env(
    name: SomeGame | str, *, render_mode: str | None = None, **settings: int | str
) -> OrderedDuel:
    """Return an AEC environment that checks the order of calls.

    >>> knot = env("number-knot", life=7)
    >>> knot.reset(seed=1)
    >>> knot.agent_selection, knot.observe("player_1")["observation"][-3:]
    ('player_1', array([7, 7, 1], dtype=int16))
    """
    return OrderedDuel(raw_env(name, render_mode=render_mode, **settings))


def raw_env(
    name: SomeGame | str, *, render_mode: str | None = None, **settings: int | str
) -> AECDuel:
    """Return an AEC environment without any wrapper.

    >>> knot = raw_env("number-knot")
    >>> knot.reset(seed=1)
    >>> knot.agent_selection
    'player_1'
    """
    return AECDuel(as_game(name, **settings), render_mode)


def parallel_env(
    name: SomeGame | str, *, render_mode: str | None = None, **settings: int | str
) -> ParallelDuel:
    """Return a parallel environment for a simultaneous game. Raise ValueError for other games.

    >>> parallel_env("number-knot")
    Traceback (most recent call last):
    ValueError: Number Knot is played in turns; use env("number-knot") instead.
    """
    return ParallelDuel(as_game(name, **settings), render_mode)


class DuelEnvBase:
    def __init__(self, game: AnyGame, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.encoding = encoding = Encoding(game)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": encoding.simultaneous,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(encoding.low, encoding.high, dtype=encoding.dtype.type),
                    "action_mask": Box(0, 1, (encoding.action_count,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(encoding.action_count) for agent in AGENTS}
        low, high = (np.tile(bound, 2) for bound in (encoding.low, encoding.high))
        self.state_space = Box(low, high, dtype=encoding.dtype.type)
        self._rng = np.random.default_rng()
        self._started: SingleGame | None = None

    @property
    def _single_game(self) -> SingleGame:
        if self._started is None:
            raise ValueError("No game has begun; call reset() first.")
        return self._started

    def _begin(self, seed: int | None, options: Mapping[str, object] | None) -> None:
        """Start a game. A `seed` determines it and all games until the next seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        # PettingZoo's own tests pass an option with this name, which has no meaning.
        known = {name: value for name, value in (options or {}).items() if name != "options"}
        self._started = SingleGame(self.encoding, int(self._rng.integers(2**48)), known)
        self.agents = self.possible_agents[:]
        self._single_game.show(self.render_mode)

    def _shown(self, agent: str) -> AgentObservation:
        seat = AGENTS[agent]
        return {
            "observation": self._single_game.observation(seat),
            "action_mask": self._single_game.mask(seat),
        }

    def _info(self, agent: str) -> Info:
        """Return the reason if this agent's action was illegal. Only this agent may see it."""
        single = self._single_game
        reason = single.illegal.get(AGENTS[agent]) if single.over else None
        return {} if reason is None else {"illegal": reason}

    def state(self) -> Observation:
        """Return both seats' observations, including secrets, for training a central critic."""
        return np.concatenate([self._single_game.observation(seat) for seat in Seat])

    def render(self) -> str | Picture | None:
        if self.render_mode is None:
            logger.warn("Nothing is rendered; create the environment with a render_mode.")
        return self._single_game.render(self.render_mode)

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def __copy__(self) -> Self:
        # Two environments that share a game would play each other's moves.
        return deepcopy(self)


class AECDuel(DuelEnvBase, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which agents act one after the other.

    In a simultaneous turn, the first choice stays hidden until the other agent has chosen.

    >>> from number_duels import load
    >>> knot = AECDuel(load("number-knot"), render_mode=None)
    >>> knot.reset(seed=1)
    >>> knot.step(9)  # S5
    >>> knot.agent_selection, knot.observe("player_1")["observation"][-3:]
    ('player_2', array([10,  5,  0], dtype=int16))
    """

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        self._begin(seed, options)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._next()

    def _next(self) -> str:
        return self.possible_agents[self._single_game.waiting[0]]

    def observe(self, agent: str) -> AgentObservation:
        return self._shown(agent)

    def step(self, action: object) -> None:
        """Play the selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        single = self._single_game
        single.act(AGENTS[agent], action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {who: single.reward(seat) for who, seat in AGENTS.items()}
        self._accumulate_rewards()
        if single.over:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {who: self._info(who) for who in AGENTS}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._next()
        # Show nothing while a choice waits for the other agent, not even that it was legal.
        if not single.holds_choice:
            single.show(self.render_mode)


class OrderedDuel(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """An environment that raises an error if it is called in the wrong order.

    >>> OrderedDuel(raw_env("number-knot")).possible_agents
    ['player_1', 'player_2']
    """

    def __str__(self) -> str:
        return str(self.env)

    def __copy__(self) -> Self:
        return deepcopy(self)


AgentObservations: TypeAlias = dict[str, AgentObservation]
StepResult: TypeAlias = tuple[
    AgentObservations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]


class ParallelDuel(DuelEnvBase, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which both agents choose at once.

    >>> from number_duels import load
    >>> bid = ParallelDuel(load("number-bid", numbers=2), render_mode=None)
    >>> observations, infos = bid.reset(seed=1)
    >>> _, rewards, terminations, _, _ = bid.step({"player_1": 1, "player_2": 0})
    >>> rewards, terminations["player_1"]
    ({'player_1': 1.0, 'player_2': -1.0}, True)
    """

    def __init__(self, game: AnyGame, render_mode: str | None = None) -> None:
        super().__init__(game, render_mode)
        if not self.encoding.simultaneous:
            partly = "partly " if self.encoding.choosers == 2 else ""
            raise ValueError(
                f'{game.title} is played {partly}in turns; use env("{game.name}") instead.'
            )

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[AgentObservations, dict[str, Info]]:
        self._begin(seed, options)
        return {who: self._shown(who) for who in AGENTS}, {who: {} for who in AGENTS}

    def step(self, actions: Mapping[str, object]) -> StepResult:
        """Play both agents' actions. After the game, `agents` and the results are empty."""
        agents, single = self.agents, self._single_game
        for agent in agents:
            if agent not in actions:
                raise ValueError(f"{agent} has no action; pass an action for every agent.")
        # Read all actions before playing any, so that an error leaves nothing half done.
        chosen = {AGENTS[agent]: whole_number(actions[agent]) for agent in agents}
        for seat, action in chosen.items():
            single.act(seat, action)
        if agents:
            self._single_game.show(self.render_mode)
        if single.over:
            self.agents = []
        return (
            {who: self._shown(who) for who in agents},
            {who: single.reward(AGENTS[who]) for who in agents},
            dict.fromkeys(agents, single.over),
            dict.fromkeys(agents, False),
            {who: self._info(who) for who in agents},
        )
