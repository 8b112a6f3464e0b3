"""Gymnasium's vector environment: one seat of many games, on the batch."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from number_duels.adapters.batch import Batch
from number_duels.adapters.coding import Observation
from number_duels.adapters.plain import Policy
from number_duels.core.game import AnyGame, Seat
from number_duels.games import load
from number_duels.players import KINDS, seat_player

#: `action_mask` and `seat`, for every game; `illegal` and `final_obs`, where `_illegal` and
#: `_final_obs` say so.
Infos: TypeAlias = dict[str, Any]
Flags: TypeAlias = npt.NDArray[np.bool_]


class VectorDuel(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """One seat of many games; the opponent answers within `step`, and ended games begin anew.

    A random opponent plays in compiled code; others are asked in plain Python, some thousand
    times slower.
    """

    # Gymnasium declares it on instances and reads it from the class.
    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "",
        *,
        opponent: str | Policy = "random",
        seat: Literal[1, 2] = 1,
        **settings: int | str,
    ) -> None:
        if seat not in (1, 2):
            raise ValueError(f"A seat is 1 or 2, the same for all games, not {seat!r}.")
        self.num_envs = num_envs
        self.opponent = opponent
        self.seat = Seat(seat - 1)
        loaded = load(game, **settings)
        self._batch = Batch(
            loaded, num_envs, rival=self.seat.other, policy=policy_of(opponent, loaded)
        )
        coding = self._batch.coding
        self.single_observation_space = Box(coding.low, coding.high, dtype=np.int16)
        self.single_action_space = Discrete(coding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete(np.full(num_envs, coding.actions))
        #: Which of the deciding seats is ours.
        self._place = int(self.seat) if self._batch.seats == 2 else 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Begin all games; a seed determines them, and all that follow without a new seed."""
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(2**48)))
        return self._seen(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Act in every game, and let the opponents act until it is this seat's turn again."""
        batch = self._batch
        given = np.zeros((self.num_envs, batch.seats), np.int64)
        given[:, self._place] = actions
        batch.step(given)
        infos = self._infos()
        if batch.done.any():
            infos["final_obs"] = batch.final_observations[:, self.seat].copy()
            infos["_final_obs"] = batch.done.copy()
        wrong = batch.illegal[:, self.seat]
        if wrong.any():
            reasons = np.full(self.num_envs, None, np.object_)
            for index in np.flatnonzero(wrong):
                reasons[index] = f"Action {given[index, self._place]} is illegal in this position."
            infos["illegal"], infos["_illegal"] = reasons, wrong.copy()
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        return self._seen(), rewards, batch.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _seen(self) -> Observation:
        """What this seat sees of every game."""
        return self._batch.observations[:, self._place].copy()

    def _infos(self) -> Infos:
        """What is open to this seat in every game, and which seat it is."""
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._batch.masks[:, self._place].astype(np.int8),
            "_action_mask": everywhere,
            "seat": np.full(self.num_envs, self.seat + 1),
            "_seat": everywhere.copy(),
        }

    def __copy__(self) -> Self:
        # Two environments that shared one batch would play each other's moves.
        return deepcopy(self)


@dataclass(frozen=True)
class Named:
    """A player of ours by its word; it is found again after pickling, not written out."""

    who: str
    game: AnyGame

    @cached_property
    def player(self) -> Policy:
        """The player, which must be able to say how it mixes."""
        player = seat_player(self.who, self.game)
        if not hasattr(player, "policy"):
            known = ", ".join(kind for kind in KINDS if kind != "human")
            raise ValueError(f"{self.who} cannot play many games at once; choose {known}.")
        return cast("Policy", player)

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        """The probability of every option."""
        return self.player.policy(state, seat)

    def __reduce__(self) -> tuple[type[Named], tuple[str, AnyGame]]:
        return Named, (self.who, self.game)


def policy_of(opponent: str | Policy, game: AnyGame) -> Policy | None:
    """The policy of an opponent; None: at random, in compiled code."""
    if not isinstance(opponent, str):
        return opponent
    if opponent == "random":
        return None
    named = Named(opponent, game)
    named.player  # noqa: B018 -- whoever cannot play this is refused now
    return named
