"""The policies that can play the rival's seat in a batch: by name, as an object or as a table."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Protocol, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.lookup import KnownPolicy
from number_duels.core.game import AnyGame, Seat
from number_duels.players.registry import BUILT_IN, POLICY, policy_of
from number_duels.solvers import PerfectPolicy, policies
from number_duels.solvers.strategy_arrays import ArrayPolicy

#: The probability of every option, by state and seat.
PolicyFunction: TypeAlias = policies.Policy[Hashable, Hashable]


class Policy(Protocol):
    """A player with `policy(state, seat)`, which returns the probability of each move.

    >>> from number_duels import load, player
    >>> perfect: Policy = player("perfect", load("number-bid", numbers=3))
    >>> len(perfect.policy(load("number-bid", numbers=3).start(), Seat.ONE))
    3
    """

    @property
    def policy(self) -> PolicyFunction:
        """Function that returns the probability of every option, given a view and its seat."""


@lru_cache(maxsize=8)
def shared_policy(who: str, game: AnyGame) -> PolicyFunction:
    """Return the policy of this name. Batches share it, with its solution loaded as arrays."""
    if who not in BUILT_IN and not who.startswith(POLICY):
        raise ValueError(f"{who} cannot play many games at once; choose {', '.join(BUILT_IN)}.")
    found = policy_of(who, game)
    if isinstance(found, PerfectPolicy):
        found.solution.open_arrays()
    return found


def policy_function(
    policy: str | Policy | KnownPolicy | None, game: AnyGame
) -> PolicyFunction | None:
    """Return a rival's policy, or None for random play. Raise ValueError if it cannot play here."""
    if policy is None or policy == "random":
        return None
    if isinstance(policy, str):
        return shared_policy(policy, game)
    if isinstance(policy, PerfectPolicy | ArrayPolicy):
        return policy
    if not hasattr(policy, "policy"):
        raise ValueError(f"Many games at once need policy(state, seat), which {policy!r} has not.")
    return policy.policy


def is_table(policy: PolicyFunction | None, game: AnyGame) -> TypeGuard[KnownPolicy]:
    """Return True if the policy can be a table of this game."""
    if isinstance(policy, PerfectPolicy):
        return policy.solution.game == game
    return isinstance(policy, ArrayPolicy) and policy.game == game


def rival_seats(rival: object, size: int) -> npt.NDArray[np.int8] | None:
    """Return the rival's seat, one for all games or one per game, or None without a rival."""
    if rival is None:
        return None
    if isinstance(rival, str) and rival == "random":
        return np.zeros(size, np.int8)  # until seats are drawn
    seats = np.asarray(rival)
    if seats.ndim == 0 and rival not in tuple(Seat):
        raise ValueError(f"A rival is Seat.ONE or Seat.TWO, not {rival!r}.")
    if seats.ndim and (seats.shape != (size,) or not np.isin(seats, (0, 1)).all()):
        raise ValueError(f"Rivals are 0 or 1, one for each of the {size} games.")
    return seats.astype(np.int8)
