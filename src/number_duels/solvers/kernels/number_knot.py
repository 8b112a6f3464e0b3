"""Number Knot by layers: a code is the line as a set of bits, and both lives, the mover's first."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.number_knot import NumberKnot, State
from number_duels.solvers.kernels.bitsets import members, of_size
from number_duels.solvers.layered import DRAWN, ENDS, LOST, Codes, Layer
from number_duels.solvers.layered_method import LayeredMethod


class Kernel(LayeredMethod[State]):
    """Every line and pair of lives of Number Knot; who moves first does not matter to it."""

    game: ClassVar = NumberKnot
    in_turn = True

    def __init__(self, game: NumberKnot) -> None:
        self.title = game.title
        self.identity = f"layers life={game.life} numbers={game.numbers} exhausted={game.exhausted}"
        self.first = Seat(game.first - 1)
        self.numbers, self.exhausted = game.numbers, game.exhausted
        #: Lives are 1 to what they can grow to; the codes have room for 0 too.
        self.lives = game.life + game.numbers * (game.numbers + 1) // 2 + 1
        self.size = ENDS + (self.lives**2 << game.numbers)
        self.start = self.code(game.start())

    def code(self, state: State) -> int:
        line = sum(1 << n - 1 for n in state.line)
        mine, theirs = state.life[state.mover], state.life[state.mover.other]
        return ENDS + (line * self.lives + mine) * self.lives + theirs

    def mover(self, state: State) -> Seat:
        """Values belong to the seat that moves."""
        return state.mover

    def layers(self) -> list[Layer]:
        tails = np.arange(self.lives**2)
        return [
            Layer((left,), ENDS + of_size(self.numbers, left) * self.lives**2, tails)
            for left in range(self.numbers, 0, -1)
        ]

    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """Each number leaves the line and is added to one's life, or subtracted from theirs."""
        rest, theirs = np.divmod(codes[:, None] - ENDS, self.lives)
        lines, mine = np.divmod(rest, self.lives)
        numbers = members(lines[:, 0], layer.left[0]) + 1
        lines = lines & ~(1 << numbers - 1)
        adding = self.passed(lines, mine + numbers, theirs)
        subtracting = self.passed(lines, mine, theirs - numbers)
        return np.stack((adding, subtracting), axis=2).reshape(len(codes), -1)

    def moves(self, layer: Layer, codes: Codes, seat: Seat) -> Codes:
        """Each number of the line, added and subtracted."""
        numbers = members((codes - ENDS) // self.lives**2, layer.left[0])
        return (2 * numbers[:, :, None] + np.arange(2)).reshape(len(codes), -1)

    def passed(self, lines: Codes, mine: Codes, theirs: Codes) -> Codes:
        """The codes after a turn: the opponent moves, and its life comes first."""
        going = ENDS + (lines * self.lives + theirs) * self.lives + mine
        higher = np.sign(theirs - mine) if self.exhausted == "higher-life" else 0
        alive = np.where(lines == 0, DRAWN + higher, going)
        return np.where(theirs <= 0, LOST, alive)
