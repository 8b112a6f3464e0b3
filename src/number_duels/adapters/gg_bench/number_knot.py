"""Number Knot, as gg-bench numbers it (its environment 584)."""

from __future__ import annotations

from typing import Never

import numpy as np
from gymnasium.spaces import Box

from number_duels.adapters.gg_bench.environment import Observation, TurnEnv, player, present
from number_duels.core.game import Seat
from number_duels.games.number_knot import NumberKnot, Pull, State

__all__ = ["CustomEnv"]


class CustomEnv(TurnEnv[State, Pull, Never]):
    """Action `2n - 2` adds n to one's own life, `2n - 1` subtracts it from the opponent's.

    Seen are both life totals, one's own first, and the number line.

    >>> env = CustomEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[9])
    ((11,), 'S5')
    """

    notation = tuple(f"{action}{number}" for number in range(1, 10) for action in "AS")

    def __init__(self) -> None:
        super().__init__(NumberKnot(), Box(-100, 100, (11,), np.int32))

    def observe(self, view: State, seat: Seat) -> Observation:
        return np.array([view.life[seat], view.life[seat.other], *present(view.line, 9)])

    def describe(self, view: State, seat: Seat) -> str:
        one, two = view.life
        return (
            f"Player 1 Life Total: {one}\nPlayer 2 Life Total: {two}\n"
            f"Available Numbers: {' '.join(map(str, view.line))}\n" + player(seat)
        )
