"""Number Bid, as gg-bench numbers it (its environment 433)."""

from __future__ import annotations

from typing import Never

import numpy as np
from gymnasium.spaces import Box

from number_duels.adapters.gg_bench.environment import Observation, TurnEnv, player, present
from number_duels.core.game import Seat
from number_duels.games.number_bid import Bid, NumberBid, State

__all__ = ["CustomEnv"]


class CustomEnv(TurnEnv[State, Bid, Never]):
    """Action `n - 1` bids n. Seen are the pool and both scores, Player 1's first.

    >>> env = CustomEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[6])
    ((12,), '7')
    """

    notation = tuple(map(str, range(1, 11)))

    def __init__(self) -> None:
        super().__init__(NumberBid(), Box(0, 55, (12,), np.float32))

    def observe(self, view: State, seat: Seat) -> Observation:
        return np.array([*present(view.pool, 10), *view.scores])

    def describe(self, view: State, seat: Seat) -> str:
        one, two = view.scores
        return (
            f"Available Numbers: {', '.join(map(str, view.pool))}\n"
            f"Scores - Player 1: {one}, Player 2: {two}\n" + player(seat)
        )
