"""Policies for the seat that a batch plays itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.lookup import KnownPolicy
from number_duels.core.game import AnyGame, IllegalMove, Seat, unavailable
from number_duels.core.player import Player, Situation
from number_duels.players.registry import PlayerLike, UnknownOdds, as_player, as_policy
from number_duels.solvers import PerfectPolicy, policies
from number_duels.solvers.policies import named
from number_duels.solvers.strategy_arrays import ArrayPolicy

PolicyFunction: TypeAlias = policies.Policy[Hashable, Hashable]


@dataclass(frozen=True)
class Chooser:
    """A player whose probabilities are unknown. It is asked for every move."""

    player: Player

    def move(self, now: Situation) -> Hashable:
        found = self.player.choose(now)
        move = found if found in now.options else named(now.game, found)
        if move not in now.options:
            raise IllegalMove(unavailable(found, now.options))
        return move


@lru_cache(maxsize=8)
def shared_policy(who: str, game: AnyGame) -> PolicyFunction:
    found = as_policy(who, game)
    if isinstance(found, PerfectPolicy):
        found.solution.open_arrays()
    return found


def policy_function(policy: PlayerLike | None, game: AnyGame) -> PolicyFunction | Chooser | None:
    if isinstance(policy, str):
        return None if policy == "random" else shared_policy(policy, game)
    try:
        return None if policy is None else as_policy(policy, game)
    except UnknownOdds:
        assert policy is not None
        return Chooser(as_player(policy, game))


def is_table(policy: PolicyFunction | Chooser | None, game: AnyGame) -> TypeGuard[KnownPolicy]:
    """Return whether the policy can be stored as a table for this game."""
    if isinstance(policy, PerfectPolicy):
        return policy.solution.game == game
    return isinstance(policy, ArrayPolicy) and policy.game == game


def rival_seats(rival: object, size: int) -> npt.NDArray[np.int8] | None:
    """Return an array with the rival's seat, for all games or for each, or None without a rival."""
    if rival is None:
        return None
    if isinstance(rival, str) and rival == "random":
        return np.zeros(size, np.int8)  # until seats are drawn
    seats = np.asarray(rival)
    if seats.ndim == 0 and not isinstance(rival, Seat):  # a bare 1 could mean either player
        raise ValueError(f"rival must be Seat.ONE or Seat.TWO, not {rival!r}.")
    if seats.ndim and (seats.shape != (size,) or not np.isin(seats, (0, 1)).all()):
        raise ValueError(f"rival must be 0 or 1 for each of the {size} games.")
    return seats.astype(np.int8)
