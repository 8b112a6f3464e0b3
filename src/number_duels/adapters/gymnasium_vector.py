"""A Gymnasium vector environment for one seat of many games."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Literal, Self, TypeAlias, TypeVar

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Gymnasium", "learn"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from number_duels.adapters.batch import Autoreset, Batch
from number_duels.adapters.encoding import Observation
from number_duels.adapters.game_setup import agent_number
from number_duels.core.game import Seat, SomeGame
from number_duels.games import as_game
from number_duels.players.registry import PlayerLike

__all__ = ["VectorDuel"]

#: `action_mask` and `seat` of every game, and with `values=True` also `value` and `loss`.
#: `final_obs`, `final_info` and `illegal` are valid where `_final_obs` etc. are True.
Infos: TypeAlias = dict[str, Any]
Flags: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = int | npt.NDArray[np.int64]
Kind = TypeVar("Kind", bound=np.generic)
#: Gymnasium's autoreset modes, each with its name in `Batch`.
AUTORESETS: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.NEXT_STEP: "next-step",
}


class VectorDuel(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """A vector environment for one seat of many games. `step` also plays the opponent's moves.

    A new game replaces each finished one. `random`, `perfect`, the levels and `Tables` run in
    compiled code. Other opponents run in plain Python, about a thousand times slower.

    >>> VectorDuel(3, "number-bid", render_mode="human")
    Traceback (most recent call last):
    ValueError: Vector environments do not render; omit render_mode, or use a single environment.
    """

    # Gymnasium declares this attribute on instances but reads it from the class.
    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: SomeGame | str = "",
        *,
        opponent: PlayerLike = "random",
        seat: Seat | Literal[1, 2, "random"] = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.SAME_STEP,
        values: bool = False,
        threads: int | None = 1,
        render_mode: None = None,
        **settings: int | str,
    ) -> None:
        agent = agent_number(seat)
        if render_mode is not None:
            raise ValueError(
                "Vector environments do not render; omit render_mode, or use a single environment."
            )
        if autoreset_mode not in AUTORESETS:
            raise ValueError("autoreset_mode must be SAME_STEP or NEXT_STEP.")
        if opponent is None:
            raise ValueError("Choose an opponent, such as 'random' or 'perfect'.")
        self.num_envs, self.opponent = num_envs, opponent
        self.metadata = {**self.metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self._batch = Batch(
            as_game(game, **settings),
            num_envs,
            rival=agent if agent == "random" else Seat(2 - agent),
            policy=opponent,
            values=values,
            autoreset=AUTORESETS[autoreset_mode],
            threads=threads,
        )
        encoding = self._batch.encoding
        self.single_observation_space = Box(encoding.low, encoding.high, dtype=encoding.dtype.type)
        self.single_action_space = Discrete(encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete(np.full(num_envs, encoding.action_count))
        self._games = np.arange(num_envs)
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Start all games. A `seed` determines them and all games until the next seed."""
        if options and "reset_mask" in options:
            raise ValueError("reset() always starts all games; omit reset_mask.")
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(2**48)))
        self._started = True
        return self._seen(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Play an action in every game, then the opponent's moves until this seat moves again."""
        batch, seats, places = self._batch, self._seats(), self._places()
        chosen = self._checked(actions)
        given = np.zeros((self.num_envs, batch.seats), np.int64)
        given[self._games if batch.seats == 2 else slice(None), places] = chosen
        batch.step(given)
        infos = self._infos()
        if batch.has_values:
            infos |= {"loss": self._own(batch.losses, places), "_loss": self._everywhere()}
        if batch.done.any():
            infos |= self._ends(chosen, seats)
        rewards = self._own(batch.rewards, seats).astype(np.float64)
        return self._seen(), rewards, batch.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
        if not self._started:
            raise ResetNeeded("No game has begun; call reset() first.")
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise ValueError(f"Actions must be whole numbers, not {chosen.dtype}.")
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"Actions must have shape ({self.num_envs},), not {chosen.shape}.")
        return chosen

    def _seats(self) -> Places:
        rival = self._batch.rival
        return (
            int(rival.other) if isinstance(rival, Seat) else 1 - self._batch.rivals.astype(np.int64)
        )

    def _places(self) -> Places:
        return self._seats() if self._batch.seats == 2 else 0

    def _own(self, array: npt.NDArray[Kind], places: Places) -> npt.NDArray[Kind]:
        # One index for all games is several times faster than one per game.
        return array[:, places].copy() if isinstance(places, int) else array[self._games, places]

    def _everywhere(self) -> Flags:
        return np.ones(self.num_envs, np.bool_)

    def _seen(self) -> Observation:
        return self._own(self._batch.observations, self._places())

    def _infos(self) -> Infos:
        seats = self._seats()
        infos: Infos = {
            "action_mask": self._own(self._batch.masks, self._places()).view(np.int8),
            "_action_mask": self._everywhere(),
            "seat": np.full(self.num_envs, seats) + 1,
            "_seat": self._everywhere(),
        }
        if self._batch.has_values:
            infos |= {"value": (1 - 2 * seats) * self._batch.values, "_value": self._everywhere()}
        return infos

    def _ends(self, chosen: npt.NDArray[np.integer[Any]], seats: Places) -> Infos:
        batch = self._batch
        ended, wrong = batch.done.copy(), self._own(batch.illegal, seats)
        illegal: Infos = {}
        if wrong.any():
            reasons = np.full(self.num_envs, None, np.object_)
            for index in np.flatnonzero(wrong):
                reasons[index] = self._refusal(int(chosen[index]))
            illegal = {"illegal": reasons, "_illegal": wrong}
        if self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            return illegal
        final: Infos = {
            "action_mask": np.zeros((self.num_envs, batch.encoding.action_count), np.int8),
            "_action_mask": ended.copy(),
            "seat": np.where(ended, np.full(self.num_envs, seats) + 1, 0),
            "_seat": ended.copy(),
        }
        return {
            "final_obs": self._own(batch.final_observations, seats),
            "_final_obs": ended.copy(),
            "final_info": final | deepcopy(illegal),
            "_final_info": ended,
            **illegal,
        }

    def _refusal(self, number: int) -> str:
        try:
            reason = f"{self._batch.encoding.move(number)} is not available."
        except ValueError as refusal:
            reason = str(refusal)
        return f"Action {number} is illegal: {reason}"

    def __copy__(self) -> Self:
        # Two environments that share a batch would play each other's moves.
        return deepcopy(self)
