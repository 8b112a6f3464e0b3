"""What a seat's strategy brings against random play, for any game, from its rules alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from math import fsum
from typing import TYPE_CHECKING, Generic

from number_duels.core.game import Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.states import successors
from number_duels.solvers.backward_induction import RESULTS

if TYPE_CHECKING:
    from number_duels.solvers.solution import Solution


class RandomPlay(Generic[S, M, E]):
    """Player 1's expected result if a seat plays by its strategy, by the key of the state."""

    def __init__(self, solution: Solution[S, M, E]) -> None:
        self.solution = solution
        self.known: dict[Hashable, tuple[float, float]] = {}

    def __call__(self, state: S, seat: Seat) -> float:
        key = self.solution.game.key(state)
        if key not in self.known:
            self.fill(state)
        return self.known[key][seat]

    def fill(self, state: S) -> None:
        """Work out a state and all that may follow, without recursion."""
        game, waiting = self.solution.game, [state]
        while waiting:
            state = waiting[-1]
            key, turn = game.key(state), game.turn(state)
            if key in self.known:
                waiting.pop()
            elif isinstance(turn, Outcome):
                self.known[key] = (RESULTS[turn.winner], RESULTS[turn.winner])
            else:
                ahead = [s for s in successors(game, state, turn) if game.key(s) not in self.known]
                waiting += ahead
                if not ahead:
                    one, two = (self.expected(state, turn, seat) for seat in Seat)
                    self.known[key] = one, two

    def expected(self, state: S, turn: Decision[M] | Chance[E], seat: Seat) -> float:
        """The mean of what may follow, all of which is known."""
        game = self.solution.game
        after = zip(self.odds(state, turn, seat), successors(game, state, turn), strict=True)
        return fsum(odds * self.known[game.key(then)][seat] for odds, then in after if odds)

    def odds(self, state: S, turn: Decision[M] | Chance[E], seat: Seat) -> Iterator[float]:
        """How likely each successor is."""
        if isinstance(turn, Chance):
            yield from map(float, turn.odds.values())
            return
        mixtures = [
            list(self.solution.strategy(state, seat).values())
            if other is seat
            else [1 / len(turn.options[other])] * len(turn.options[other])
            for other in sorted(turn.options)
        ]
        for chances in product(*mixtures):
            yield fsum(chances) if len(chances) == 1 else chances[0] * chances[1]
