"""Translate the locks of Number Stack Showdown into arrays for the compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from number_duels.core.game import Seat
from number_duels.games.number_stack_showdown import BOTH, Card, Choice, State
from number_duels.solvers.cache import Progress, Section
from number_duels.solvers.induction import ResponseValue
from number_duels.solvers.kernels.number_stack_showdown.data import Floats
from number_duels.solvers.kernels.number_stack_showdown.locked_play import (
    BEST,
    PERFECT,
    LockedPlay,
    play_locked,
)
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE

if TYPE_CHECKING:
    from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel
    from number_duels.solvers.strategy_locks import LockRules, Mix


class StackLocks:
    def __init__(
        self, kernel: Kernel, rules: LockRules[State, Choice, Card], sections: Sequence[Section]
    ) -> None:
        self.kernel, self.rules, self.sections = kernel, rules, sections
        self.deck = kernel.solved(sections)

    def respond(self, progress: Progress) -> ResponseValue[State]:
        lookups: dict[Seat, Callable[[State], float | None]] = {}
        for seat in Seat:

            def report(done: float, seat: Seat = seat) -> None:
                progress((seat + done) / 2)

            if seat.other in self.rules.seats:
                lookups[seat] = self.lookup(self.played({seat: BEST, seat.other: PERFECT}, report))
            else:  # the best response to perfect play gains nothing
                lookups[seat] = lambda state: self.kernel.value(state, self.sections, VALUE_SCALE)
        return lambda state, seat: lookups[seat](state)

    def solve(self, progress: Progress) -> Callable[[State], float | None]:
        return self.lookup(self.played(dict.fromkeys(Seat, BEST), progress))

    def lookup(self, results: Floats) -> Callable[[State], float | None]:
        return lambda state: self.kernel.value(state, [self.sections[0], results], scale=1)

    def played(self, free: dict[Seat, float], progress: Progress) -> Floats:
        """Return the first mover's result at every split.

        `free` says how each seat plays where no lock applies: `BEST` or `PERFECT`. If one seat is
        `PERFECT`, only that seat obeys its locks.
        """
        locked = [seat for seat in Seat if free[seat] == PERFECT] or list(Seat)
        keeps = {seat: self.keeps_anywhere(seat, free[seat], seat in locked) for seat in Seat}
        spots = [spot for state in self.rules.spots.values() for spot in self.spot(state, locked)]
        splits, cards, shares = zip(*spots, strict=True) if spots else ((), (), ())
        choices = np.zeros(0, np.uint16)
        if PERFECT in keeps.values():
            choices = self.kernel.perfect_choices(self.deck)
        first = Seat(self.kernel.rules.first - 1)
        play = LockedPlay(
            choices,
            np.array([keeps[first], keeps[first.other]]),
            np.array(splits, np.int64),
            np.array(cards, np.int64),
            np.array(shares, np.float64),
        )
        results = np.zeros(len(self.deck.values))
        for begin, end in self.kernel.steps(progress):
            play_locked(self.deck, play, results, begin, end)
        return results

    def keeps_anywhere(self, seat: Seat, free: float, locked: bool) -> float:
        found = self.rules.open_anywhere(seat, BOTH)
        return keeping(found) if locked and len(found) == 1 else free

    def spot(self, state: State, locked: Sequence[Seat]) -> list[tuple[int, int, float]]:
        """Return the split, the card, and how often it is kept. Without a lock, return []."""
        found = self.rules.open(state, state.mover, BOTH)
        split = self.kernel.split(state, self.sections[0])
        if state.mover not in locked or len(found) > 1 or split is None:
            return []
        assert isinstance(state.card, Card)
        return [(split, state.card.number, keeping(found))]


def keeping(mixes: Sequence[Mix]) -> float:
    return mixes[0][BOTH.index(Choice.KEEP)]
