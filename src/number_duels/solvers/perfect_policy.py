"""Perfect play as a policy, with or without errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from number_duels.core.game import E, M, S, Seat

if TYPE_CHECKING:
    from number_duels.solvers.solution import Solution


@dataclass(frozen=True)
class PerfectPolicy(Generic[S, M, E]):
    """Perfect play; at its error rate it plays any option instead, each as likely.

    >>> from number_duels import Seat, load, solve
    >>> game = load("number-knot", numbers=2, life=1)
    >>> policy = solve(game, cache=False).strategy.with_errors(0.5)
    >>> {str(move): p for move, p in policy(game.start(), Seat.ONE).items()}
    {'A1': 0.125, 'S1': 0.625, 'A2': 0.125, 'S2': 0.125}
    """

    #: Where it comes from.
    solution: Solution[S, M, E]
    #: How often it plays any option instead.
    error_rate: float = 0.0

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        options = self.solution._turn_options(state, seat)
        return dict(zip(options[seat], self.weights(state, seat), strict=True))

    def weights(self, state: S, seat: Seat) -> Sequence[float]:
        """The probabilities alone, in the order of the options."""
        perfect, error_rate = self.solution._mixture(state, seat), self.error_rate
        if not error_rate:
            return perfect
        kept, spread = 1 - error_rate, error_rate / len(perfect)
        return [kept * odds + spread for odds in perfect]

    def with_errors(self, error_rate: float) -> PerfectPolicy[S, M, E]:
        """The same with another error rate: the levels are made this way."""
        return PerfectPolicy(self.solution, error_rate)
