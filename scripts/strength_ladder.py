"""How many levels fit between random and perfect when each beats the next 60 to 40.

The players of a ladder differ in their error rate alone: the first is always random, and each
further one errs so much less often that it scores 60% against the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from scipy.optimize import brentq  # type: ignore[import-untyped]  # it has no types

from number_duels.core.game import Decision, Seat
from number_duels.review.position import AnySolution
from number_duels.solvers.best_response import expected_with_errors
from number_duels.solvers.cache import silent
from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel as CardKernel
from number_duels.solvers.layered import with_errors
from number_duels.solvers.layered_method import LayeredMethod
from number_duels.solvers.strategy_arrays import ArrayPolicy

#: What each player of a ladder scores against the one before; a draw counts half.
RUNG_SCORE = 0.6
#: How exactly an error rate is found.
ERROR_RATE_TOLERANCE = 1e-6

#: Player 1's expected result, by the error rates of both.
Results: TypeAlias = Callable[[float, float], float]


@dataclass(frozen=True)
class Ladder:
    """The error rates from random downwards, and what perfect play scores against the last."""

    error_rates: tuple[float, ...]
    last_score: float

    @property
    def levels(self) -> float:
        """The rungs, with the fraction of the last that perfect play leaves room for."""
        return len(self.error_rates) - 1 + (self.last_score - 0.5) / (RUNG_SCORE - 0.5)


def ladder(solution: AnySolution) -> Ladder:
    """Climb from random play as long as perfect play is more than a rung ahead."""
    results = result_function(solution)
    both_alike = is_symmetric(solution)

    @cache
    def score(better: float, worse: float) -> float:
        """What the one who errs less scores, on the average of both seats."""
        if better == worse:
            return 0.5
        as_one = results(better, worse)
        as_two = -as_one if both_alike else results(worse, better)
        return 0.5 + (as_one - as_two) / 4

    error_rates = [1.0]
    while (last := score(0.0, error_rates[-1])) >= RUNG_SCORE:
        worse = error_rates[-1]
        found = brentq(
            lambda better, worse=worse: score(better, worse) - RUNG_SCORE,
            0.0,
            worse,
            xtol=ERROR_RATE_TOLERANCE,
        )
        error_rates.append(float(found))
    return Ladder(tuple(error_rates), last)


def is_symmetric(solution: AnySolution) -> bool:
    """Whether the seats are alike: both choose at once."""
    turn = solution.game.turn(solution.game.start())
    return isinstance(turn, Decision) and len(turn.options) > 1


def result_function(solution: AnySolution) -> Results:
    """What two players bring who are perfect but for their errors."""
    if isinstance(solution.tables.method, CardKernel):
        return lambda one, two: expected_with_errors(solution, [(one, two)])[0]

    method = solution.tables.method
    assert isinstance(method, LayeredMethod)
    graph, perfect = method.graph, ArrayPolicy.perfect(solution)
    # One evaluation follows another, so what does not depend on the error rates is laid out once.
    steps = [
        (chunk, [perfect.strategies(chunk, seat) for seat in seats_of(method)])
        for chunk in graph.backwards(silent)
    ]

    def played(one: float, two: float) -> float:
        results = graph.blank()
        for chunk, mixes in steps:
            both = mixes[0], mixes[-1]
            mixed = [with_errors(m, rate) for m, rate in zip(both, (one, two), strict=True)]
            graph.play(chunk, mixed, results)
        return graph.at(results, method.start, method.first) or 0.0

    return played


def seats_of(kernel: LayeredMethod[Hashable]) -> tuple[Seat, ...]:
    """Whose strategies there are: in turn, one serves both."""
    return (Seat.ONE,) if kernel.in_turn else tuple(Seat)
