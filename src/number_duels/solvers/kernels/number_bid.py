"""Number Bid by layers: a code is the pool as a set of bits, and the lead."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.number_bid import NumberBid, State
from number_duels.solvers.kernels.bitsets import members, of_size
from number_duels.solvers.layered import DRAWN, ENDS, Codes, Layer
from number_duels.solvers.layered_method import LayeredMethod


class Kernel(LayeredMethod[State]):
    """Every pool and lead of Number Bid."""

    game: ClassVar = NumberBid
    in_turn = False

    def __init__(self, game: NumberBid) -> None:
        self.title = game.title
        self.identity = f"layers numbers={game.numbers}"
        self.numbers = game.numbers
        self.all_points = game.numbers * (game.numbers + 1) // 2
        self.leads = 2 * self.all_points + 1
        self.size = ENDS + (self.leads << game.numbers)
        self.start = self.code(game.start())

    def code(self, state: State) -> int:
        pool = sum(1 << n - 1 for n in state.pool)
        return ENDS + pool * self.leads + state.scores[0] - state.scores[1] + self.all_points

    def mover(self, state: State) -> Seat:
        """Values are Player 1's: both bid at once."""
        return Seat.ONE

    def layers(self) -> list[Layer]:
        return [
            Layer((left,), ENDS + of_size(self.numbers, left) * self.leads, np.arange(self.leads))
            for left in range(self.numbers, 0, -1)
        ]

    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """The higher bid scores the sum of both; the bid numbers leave the pool."""
        pools, leads = np.divmod(codes - ENDS, self.leads)
        numbers = members(pools, layer.left[0]) + 1
        one, two = numbers[:, :, None], numbers[:, None, :]
        pools = pools[:, None, None] & ~(1 << one - 1 | 1 << two - 1)
        leads = leads[:, None, None] + np.sign(one - two) * (one + two)
        ends = DRAWN + np.sign(leads - self.all_points)
        found: Codes = np.where(pools == 0, ends, ENDS + pools * self.leads + leads)
        return found

    def moves(self, layer: Layer, codes: Codes, seat: Seat) -> Codes:
        """The numbers of the pool."""
        return members((codes - ENDS) // self.leads, layer.left[0])

    def mirror(self, layer: Layer, codes: Codes) -> Codes:
        """The same pool with the opposite lead."""
        pools, leads = np.divmod(codes - ENDS, self.leads)
        return ENDS + pools * self.leads + self.leads - 1 - leads
