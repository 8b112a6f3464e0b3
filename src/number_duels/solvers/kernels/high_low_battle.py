"""High-Low Battle by layers: a code is both hands, who was lower before, and the lead."""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import ClassVar

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.high_low_battle import HighLowBattle, State, lower_before
from number_duels.solvers.cache import written
from number_duels.solvers.kernels.bitsets import members, of_size
from number_duels.solvers.layered import DRAWN, ENDS, Codes, Layer
from number_duels.solvers.layered_method import LayeredMethod

#: Who was lower in the last round that differed.
NOBODY, ONE, TWO = 0, 1, 2


class Kernel(LayeredMethod[State]):
    """Every pair of hands, lead and look back of High-Low Battle."""

    game: ClassVar = HighLowBattle
    in_turn = False

    def __init__(self, game: HighLowBattle) -> None:
        self.title = game.title
        self.identity = f"layers {written(game.settings)}"
        self.cards, self.rounds, self.level = game.cards, game.rounds, game.level
        played = range(game.cards + 1)
        sizes = [3 * self.leads(p) * comb(game.cards, p) ** 2 for p in played]
        #: Where the codes begin after each number of rounds.
        self.bases = [ENDS, *accumulate(sizes, initial=ENDS)][1:]
        self.size = self.bases[-1]
        self.start = self.code(game.start())

    def leads(self, played: int) -> int:
        """How many leads there may be; after the last round only level scores go on."""
        return 4 * played + 1 if played < self.rounds else 1

    def code(self, state: State) -> int:
        played = self.cards - len(state.hands[0])
        lower = lower_before(state)
        looked = NOBODY if lower is None else lower + 1
        one, two = (rank(hand) for hand in state.hands)
        lead = state.scores[0] - state.scores[1] + self.leads(played) // 2
        hands = one * comb(self.cards, played) + two
        return self.bases[played] + (hands * 3 + looked) * self.leads(played) + lead

    def mover(self, state: State) -> Seat:
        """Values are Player 1's: both play at once."""
        return Seat.ONE

    def layers(self) -> list[Layer]:
        found = []
        for played in range(self.cards):
            block = 3 * self.leads(played)
            heads = self.bases[played] + block * np.arange(comb(self.cards, played) ** 2)
            found.append(Layer((self.cards - played,), heads, np.arange(block)))
        return found

    def parts(self, layer: Layer, codes: Codes) -> tuple[Codes, Codes, Codes, Codes]:
        """The ranks of both hands, the look back and the lead."""
        played = self.cards - layer.left[0]
        rest, leads = np.divmod(codes - self.bases[played], self.leads(played))
        hands, lower = np.divmod(rest, 3)
        one, two = np.divmod(hands, comb(self.cards, played))
        return one, two, lower, leads - self.leads(played) // 2

    def follow(self, layer: Layer, codes: Codes) -> Codes:
        """The higher card earns 1 point; a tie earns 2 for the seat that was lower before."""
        left = layer.left[0]
        after = self.cards - left + 1
        hands = of_size(self.cards, left)
        ranks = np.zeros(1 << self.cards, np.int64)
        smaller = of_size(self.cards, left - 1)
        ranks[smaller] = np.arange(len(smaller))
        one, two, lower, lead = self.parts(layer, codes)
        cards_one, cards_two = members(hands[one], left), members(hands[two], left)
        rest_one = ranks[hands[one][:, None] ^ 1 << cards_one][:, :, None]
        rest_two = ranks[hands[two][:, None] ^ 1 << cards_two][:, None, :]
        higher = np.sign(cards_one[:, :, None] - cards_two[:, None, :])
        tie = np.array([0, 2, -2])[lower][:, None, None]
        lead = lead[:, None, None] + np.where(higher == 0, tie, higher)
        lower = np.where(higher == 0, lower[:, None, None], np.where(higher < 0, ONE, TWO))
        rest = (rest_one * len(smaller) + rest_two) * 3 + lower
        leads = self.leads(after)
        following: Codes = self.bases[after] + rest * leads + lead + leads // 2
        if after < self.rounds:
            return following
        stops = self.level == "draw" or left == 1
        return np.where((lead != 0) | stops, DRAWN + np.sign(lead), following)

    def moves(self, layer: Layer, codes: Codes, seat: Seat) -> Codes:
        """The cards in hand."""
        ranks = self.parts(layer, codes)[seat]
        return members(of_size(self.cards, layer.left[0])[ranks], layer.left[0])

    def mirror(self, layer: Layer, codes: Codes) -> Codes:
        """The hands exchanged, with the opposite lead and look back."""
        played = self.cards - layer.left[0]
        one, two, lower, lead = self.parts(layer, codes)
        hands = two * comb(self.cards, played) + one
        lower = np.array([NOBODY, TWO, ONE])[lower]
        leads = self.leads(played)
        return self.bases[played] + (hands * 3 + lower) * leads - lead + leads // 2


def rank(hand: tuple[int, ...]) -> int:
    """The place of a hand among the hands of its size, in the order of their bits.

    >>> [rank(hand) for hand in ((1, 2), (1, 3), (2, 3), (1, 4))]
    [0, 1, 2, 3]
    """
    return sum(comb(card - 1, place) for place, card in enumerate(sorted(hand), 1))
