"""Number Stack Showdown by sets of cards: every set seen, and how it is split between the stacks.

A set is a number with one digit for each card. Its splits lie side by side, by
the total of the player who moved first, so that what follows a split by one
card is a shifted copy of it. Sets with more cards have larger numbers: one pass
down values them all. Values are whole numbers, because four bytes hold a value
between -1 and 1 more precisely so than as a float.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import accumulate, pairwise
from math import prod
from operator import mul
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from number_duels.core.game import Outcome, Seat
from number_duels.games.number_stack_showdown import Card, NumberStackShowdown, State
from number_duels.solvers.induction import RESULTS
from number_duels.solvers.levels import check_size
from number_duels.solvers.method import Progress, Section, Tables

if TYPE_CHECKING:
    from number_duels.solvers.kernels.stacks import Deck

if not find_spec("numba"):  # imported only to solve: opening what was kept stays quick
    raise ModuleNotFoundError("Numba is not installed.", name="numba")

#: What a value of 1 is written as.
WHOLE = 2**31 - 1

#: Sets of cards, times the target, that plain induction values in about two seconds.
SMALL = 20_000

#: In how many steps the work is done, so that progress can be told.
STEPS = 50


class Kernel:
    """Every set of cards and split of Number Stack Showdown, before the next card is drawn."""

    game: ClassVar = NumberStackShowdown

    def __init__(self, game: NumberStackShowdown) -> None:
        self.rules = game
        self.identity = f"sets {game.target} {game.highest} {game.copies} {game.overflow}"
        most = 2 * (game.target - 1)  # that can lie on two unfinished stacks
        #: The digit of each card runs from 0 to what can lie on the table.
        self.digits = [min(game.copies, most // n) + 1 for n in range(1, game.highest + 1)]
        #: What a card adds to the number of a set.
        self.places = list(accumulate(self.digits[:-1], mul, initial=1))
        #: Whether it is faster than plain induction: small games take less than compiling this.
        self.pays = prod(self.digits) * game.target > SMALL

    def value(self, state: State, sections: Sequence[Section]) -> float | None:
        """What an unfinished state is worth to Player 1; None: it cannot arise."""
        first = Seat(self.rules.first - 1)
        laid = Counter(state.stacks[0] + state.stacks[1])
        if state.mover is not (first if laid.total() % 2 == 0 else first.other):
            return None
        if state.card is not None:
            return self.best(state, sections)
        if not all(n <= len(self.digits) and k < self.digits[n - 1] for n, k in laid.items()):
            return None
        cards = sum(self.places[n - 1] * count for n, count in laid.items())
        lowest = max(0, sum(laid.elements()) - self.rules.target + 1)
        found: float = sections[1][int(sections[0][cards]) + state.total(first) - lowest] / WHOLE
        return found if first is Seat.ONE else 0.0 - found

    def best(self, state: State, sections: Sequence[Section]) -> float | None:
        """What a state is worth once the card is in hand: the better of what may follow."""
        if not isinstance(state.card, Card):
            return None
        worth = []
        for choice in self.rules.choices(state):
            after = self.rules.resolve(state, {state.mover: choice})
            turn = self.rules.turn(after)
            if isinstance(turn, Outcome):
                found: float | None = RESULTS[turn.winner]
            else:
                found = self.value(after, sections)
            if found is None:
                return None
            worth.append(found)
        return max(worth) if state.mover is Seat.ONE else min(worth)

    def solve(self, progress: Progress) -> Tables:
        """Value every set from the fullest to the empty one."""
        sets = prod(self.digits)
        check_size(self.rules.title, sets, 4)
        from number_duels.solvers.kernels import stacks

        deck = self.deck()
        starts, splits, states = stacks.lay_out(deck, sets)
        check_size(self.rules.title, splits, 4)
        values = np.zeros(splits, np.int32)
        bounds = np.linspace(sets, 0, STEPS + 1).astype(np.int64)
        for step, (end, begin) in enumerate(pairwise(bounds), 1):
            stacks.value_sets(deck, starts, values, begin, end)
            progress(step / STEPS)
        return Tables((starts.data, values.data), states)

    def deck(self) -> Deck:
        """The settings, as the compiled parts take them."""
        from number_duels.solvers.kernels import stacks

        return stacks.Deck(
            self.rules.target,
            self.rules.copies,
            self.rules.overflow == "allowed",
            np.array(self.digits),
            np.array(self.places),
        )

    def with_slips(
        self, slips: Sequence[tuple[float, float]], sections: Sequence[Section]
    ) -> list[float]:
        """Player 1's expected result for each pair of slips, Player 1's first."""
        from number_duels.solvers.kernels.stack_slips import Book, play_out

        book = Book(
            self.deck(), np.asarray(sections[0], np.uint32), np.asarray(sections[1], np.int32)
        )
        sign = 1 if self.rules.first == 1 else -1
        ordered = np.ascontiguousarray(np.array(slips, float)[:, ::sign])
        return [sign * float(found) for found in play_out(book, ordered)]
