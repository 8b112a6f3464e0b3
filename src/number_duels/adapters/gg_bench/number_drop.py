"""Number Drop, as gg-bench numbers it (its environment 354)."""

from __future__ import annotations

from itertools import combinations
from typing import Never

import numpy as np
from gymnasium.spaces import Box

from number_duels.adapters.gg_bench.environment import Observation, TurnEnv, player, present
from number_duels.core.game import Seat
from number_duels.games.number_drop import Attack, NumberDrop, State

__all__ = ["CustomEnv"]


class CustomEnv(TurnEnv[State, Attack, Never]):
    """Actions 0 to 71 are two numbers, added or subtracted; 72 to 80 the last number alone.

    Seen is which numbers each grid has, one's own first.

    >>> env = CustomEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[0])
    ((18,), '2+1')
    """

    notation = (
        *(f"{b}{sign}{a}" for a, b in combinations(range(1, 10), 2) for sign in "+-"),
        *map(str, range(1, 10)),
    )

    def __init__(self) -> None:
        super().__init__(NumberDrop(), Box(0, 1, (18,), np.int8))

    def observe(self, view: State, seat: Seat) -> Observation:
        return np.array([*present(view.left(seat), 9), *present(view.left(seat.other), 9)])

    def describe(self, view: State, seat: Seat) -> str:
        return (
            player(seat) + f"Your Grid: {view.left(seat)}\n"
            f"Opponent's Grid: {view.left(seat.other)}\n"
        )
