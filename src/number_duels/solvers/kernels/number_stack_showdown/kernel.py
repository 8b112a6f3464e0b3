"""The kernel for Number Stack Showdown.

A set of cards is a number with one digit per card value: the count of that card. A split divides a
set between the two stacks. Every new card makes the number larger, so one pass from high to low
numbers finds all values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from number_duels.solvers.cache import Progress, Section, Tables, checked_numbers, silent
from number_duels.solvers.induction import ResponseValue
from number_duels.solvers.kernels.number_stack_showdown.data import (
    Choices,
    Deck,
    Floats,
    SolvedDeck,
)
from number_duels.solvers.kernels.number_stack_showdown_plain import SplitMethod
from number_duels.solvers.layered import check_size

if TYPE_CHECKING:
    from number_duels.solvers.strategy_locks import LockRules

if not find_spec("numba"):  # importing it here would slow down opening a cached solution
    raise ModuleNotFoundError("Numba is not installed.", name="numba")

#: Above this size (sets of cards times the target), compiling is faster than plain induction.
MAX_PLAIN_SIZE = 20_000

PROGRESS_STEPS = 50


class Kernel(SplitMethod):
    game: ClassVar = NumberStackShowdown

    def __init__(self, game: NumberStackShowdown) -> None:
        super().__init__(game)
        self.pays = prod(self.digits) * game.target > MAX_PLAIN_SIZE
        self.choices: Choices | None = None

    def split_value(self, state: State, sections: Sequence[Section], scale: int) -> float | None:
        split = self.split(state, sections[0])
        return None if split is None else sections[1][split] / scale

    def split(self, state: State, starts: Section) -> int | None:
        """Return the index of a state's split, or None if the deck does not have these cards."""
        laid = state.stacks[0] + state.stacks[1]
        left, cards = self.digits.copy(), 0
        for n in laid:
            if n > len(left):
                return None
            left[n - 1] -= 1
            cards += self.places[n - 1]
        if min(left) < 1:
            return None
        lowest = max(0, sum(laid) - self.rules.target + 1)
        return int(starts[cards]) + state.total(Seat(self.rules.first - 1)) - lowest

    def table_bytes(self) -> int:
        sums = Counter({0: 1})  # the number of sets, by the sum of their cards
        for card, digits in enumerate(self.digits, 1):
            longer = Counter[int]()
            for total, sets in sums.items():
                for count in range(digits):
                    longer[total + count * card] += sets
            sums = longer
        most = self.rules.target - 1
        splits = sum(
            sets * max(0, min(total, most) - max(0, total - most) + 1)
            for total, sets in sums.items()
        )
        return 4 * (prod(self.digits) + splits)

    def solve(self, progress: Progress) -> Tables:
        sets = prod(self.digits)
        check_size(self.rules.title, sets, 4)
        from number_duels.solvers.kernels.number_stack_showdown import compiled

        deck = self.deck()
        starts, splits, states = compiled.lay_out(deck, sets)
        check_size(self.rules.title, splits, 4)
        values = np.zeros(splits, np.int32)
        for begin, end in self.steps(progress):
            compiled.value_sets(deck, starts, values, begin, end)
        return Tables((starts.data, values.data), states)

    def deck(self) -> Deck:
        return Deck(
            self.rules.target,
            self.rules.copies,
            self.rules.overflow == "allowed",
            np.array(self.digits),
            np.array(self.places),
        )

    def expected_results(
        self,
        error_rates: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float]:
        found = []
        for row, pair in enumerate(error_rates):

            def report(done: float, row: int = row) -> None:
                progress((row + done) / len(error_rates))

            found.append(self.signed(self.played(pair, sections, report)[0]))
        return found

    def respond_to_errors(
        self, error_rate: float, sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[State]:
        from number_duels.solvers.kernels.number_stack_showdown.error_play import BEST_RESPONSE

        pairs = {Seat.ONE: (BEST_RESPONSE, error_rate), Seat.TWO: (error_rate, BEST_RESPONSE)}
        tables: dict[Seat, list[Section]] = {}
        for seat, pair in pairs.items():

            def report(done: float, seat: Seat = seat) -> None:
                progress((seat + done) / 2)

            tables[seat] = [sections[0], self.played(pair, sections, report)]
        # With a card in hand, `value` takes the better next state, as the best response does.
        return lambda state, seat: self.value(state, tables[seat], scale=1)

    def played(
        self, pair: tuple[float, float], sections: Sequence[Section], progress: Progress
    ) -> Floats:
        from number_duels.solvers.kernels.number_stack_showdown import error_play

        solved = self.solved(sections)
        choices = self.perfect_choices(solved)
        error_rates = np.array(pair if self.rules.first == 1 else pair[::-1])
        results = np.zeros(len(solved.values))
        for begin, end in self.steps(progress):
            error_play.play_out(solved, choices, error_rates, results, begin, end)
        return results

    def solved(self, sections: Sequence[Section]) -> SolvedDeck:
        return SolvedDeck(
            self.deck(),
            np.frombuffer(checked_numbers(sections[0]), np.uint32),
            np.frombuffer(checked_numbers(sections[1]), np.int32),
        )

    def tabulate_choices(self, sections: Sequence[Section]) -> Tables:
        choices = self.perfect_choices(self.solved(sections))
        return Tables((choices.data,), len(choices))

    def perfect_choices(self, solved: SolvedDeck) -> Choices:
        from number_duels.solvers.kernels.number_stack_showdown import error_play

        if self.choices is None:
            self.choices = np.zeros(len(solved.values), np.uint16)
            losing_shares = np.zeros(len(solved.values))
            error_play.add_losing_shares(solved, losing_shares)
            error_play.choose(solved, losing_shares, self.choices)
        return self.choices

    def steps(self, progress: Progress) -> Iterator[tuple[int, int]]:
        bounds = np.linspace(prod(self.digits), 0, PROGRESS_STEPS + 1).astype(np.int64)
        for step, (end, begin) in enumerate(pairwise(bounds.tolist()), 1):
            yield begin, end
            progress(step / PROGRESS_STEPS)

    def respond_to_locks(
        self,
        rules: LockRules[State, Choice, Card],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> ResponseValue[State]:
        from number_duels.solvers.kernels.number_stack_showdown.locks import StackLocks

        return StackLocks(self, rules, sections).respond(progress)

    def solve_locked(
        self,
        rules: LockRules[State, Choice, Card],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> Callable[[State], float | None]:
        from number_duels.solvers.kernels.number_stack_showdown.locks import StackLocks

        return StackLocks(self, rules, sections).solve(progress)
