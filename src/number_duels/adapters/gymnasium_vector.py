"""Gymnasium's vector environment: one seat of many games, on the batch."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, cast

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Gymnasium", "gymnasium"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from number_duels.adapters.batch import Batch
from number_duels.adapters.batch.python_backend import Policy
from number_duels.adapters.encoding import Observation
from number_duels.core.game import AnyGame, Seat
from number_duels.games import load
from number_duels.players.builtin import prepare_for_many_games
from number_duels.players.registry import KINDS, seat_player

#: `action_mask` and `seat`, for every game; `final_obs`, `final_info` and `illegal`, where
#: `_final_obs`, `_final_info` and `_illegal` say so.
Infos: TypeAlias = dict[str, Any]
Flags: TypeAlias = npt.NDArray[np.bool_]


class VectorDuel(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """One seat of many games; the opponent answers within `step`, and new games follow ended ones.

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
        render_mode: None = None,
        **settings: int | str,
    ) -> None:
        if seat not in (1, 2):
            raise ValueError(f"A seat is 1 or 2, the same for all games, not {seat!r}.")
        if render_mode is not None:
            raise ValueError(
                "Many games at once are not shown; leave render_mode out, or make a single one."
            )
        self.num_envs = num_envs
        self.opponent = opponent
        self.seat = Seat(seat - 1)
        loaded = load(game, **settings)
        self._batch = Batch(
            loaded, num_envs, rival=self.seat.other, policy=policy_of(opponent, loaded)
        )
        encoding = self._batch.encoding
        self.single_observation_space = Box(encoding.low, encoding.high, dtype=encoding.dtype.type)
        self.single_action_space = Discrete(encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete(np.full(num_envs, encoding.action_count))
        #: Which of the deciding seats is ours.
        self._place = int(self.seat) if self._batch.seats == 2 else 0
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Begin all games; a seed determines them, and all that follow without a new seed."""
        if options and "reset_mask" in options:
            raise ValueError("All games begin together; leave reset_mask out.")
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(2**48)))
        self._started = True
        return self._seen(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Act in every game, and let the opponents act until it is this seat's turn again."""
        batch = self._batch
        chosen = self._checked(actions)
        given = np.zeros((self.num_envs, batch.seats), np.int64)
        given[:, self._place] = chosen
        batch.step(given)
        infos = {**self._infos(), **self._ends(chosen)} if batch.done.any() else self._infos()
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        return self._seen(), rewards, batch.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
        """One whole number for each game that has begun, or a refusal."""
        if not self._started:
            raise ResetNeeded("No game has begun; call reset() first.")
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not {chosen.dtype}.")
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"Actions have the shape ({self.num_envs},), not {chosen.shape}.")
        return chosen

    def _seen(self) -> Observation:
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

    def _ends(self, chosen: npt.NDArray[np.integer[Any]]) -> Infos:
        """The infos of ended games, in Gymnasium's form, and why an action was illegal."""
        batch = self._batch
        ended, wrong = batch.done.copy(), batch.illegal[:, self.seat].copy()
        final: Infos = {
            "action_mask": np.zeros((self.num_envs, batch.encoding.action_count), np.int8),
            "_action_mask": ended.copy(),
            "seat": np.where(ended, self.seat + 1, 0),
            "_seat": ended.copy(),
        }
        infos: Infos = {
            "final_obs": batch.final_observations[:, self.seat].copy(),
            "_final_obs": ended.copy(),
            "final_info": final,
            "_final_info": ended,
        }
        if wrong.any():
            reasons = np.full(self.num_envs, None, np.object_)
            for index in np.flatnonzero(wrong):
                reasons[index] = self._refusal(int(chosen[index]))
            final |= {"illegal": reasons, "_illegal": wrong}
            infos |= {"illegal": reasons.copy(), "_illegal": wrong.copy()}
        return infos

    def _refusal(self, number: int) -> str:
        try:
            reason = f"{self._batch.encoding.move(number)} is not available."
        except ValueError as refusal:
            reason = str(refusal)
        return f"Action {number} is illegal: {reason}"

    def __copy__(self) -> Self:
        # Two environments that shared one batch would play each other's moves.
        return deepcopy(self)


@dataclass(frozen=True)
class NamedPlayer:
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
        prepare_for_many_games(player)
        return cast("Policy", player)

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        """The probability of every option."""
        return self.player.policy(state, seat)

    def __reduce__(self) -> tuple[type[NamedPlayer], tuple[str, AnyGame]]:
        return NamedPlayer, (self.who, self.game)


def policy_of(opponent: str | Policy, game: AnyGame) -> Policy | None:
    """The policy of an opponent; None: at random, in compiled code."""
    if not isinstance(opponent, str):
        if not hasattr(opponent, "policy"):
            raise ValueError(
                f"Many games at once need policy(state, seat), which {opponent!r} has not."
            )
        return opponent
    if opponent == "random":
        return None
    named = NamedPlayer(opponent, game)
    named.player  # noqa: B018 -- whoever cannot play this is refused now
    return named
