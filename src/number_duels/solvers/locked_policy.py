"""Perfect play with locks: what is locked aside, everything is played as before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.solvers.backward_induction import rows_of
from number_duels.solvers.lock_rules import LockRules, Mixture
from number_duels.solvers.locks import Lock
from number_duels.solvers.proper import proper_corners
from number_duels.solvers.protocols import Progress
from number_duels.solvers.solution import VALUE_TOLERANCE, Solution
from number_duels.solvers.solver import solve


@dataclass(frozen=True)
class LockedPolicy(Generic[S, M, E]):
    """Perfect play of which a part is locked.

    Moves that are locked out are left out of the perfect mixture, and the others keep their
    proportions. If nothing of it is left, the others are played as well as they can be: as if
    only they were open now, and both were perfect after that.

    >>> import number_duels as nd
    >>> game = nd.load("number-knot", numbers=3, life=3)
    >>> policy = nd.locked_policy(game, ["1 plays S3:1 A1:3"], cache=False)
    >>> {str(move): p for move, p in policy(game.start(), nd.Seat.ONE).items() if p}
    {'A1': 0.75, 'S3': 0.25}
    """

    solution: Solution[S, M, E]
    rules: LockRules[S, M, E]

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        perfect = self.solution.strategy(state, seat)
        mixtures = self.rules.open(state, seat, tuple(perfect))
        if len(mixtures) == 1:
            return dict(zip(perfect, mixtures[0], strict=True))
        allowed = [move for move, *odds in zip(perfect, *mixtures, strict=True) if any(odds)]
        total = sum(perfect[move] for move in allowed)
        if total > VALUE_TOLERANCE:
            return {m: odds / total if m in allowed else 0.0 for m, odds in perfect.items()}
        best = dict(zip(allowed, self.best(state, seat, mixtures), strict=True))
        return {move: best.get(move, 0.0) for move in perfect}

    def best(self, state: S, seat: Seat, mixtures: Sequence[Mixture]) -> Sequence[float]:
        """How often to play each of the moves that are left, if they were all there is."""
        turn = self.rules.game.turn(state)
        assert isinstance(turn, Decision)
        width = len(turn.options.get(Seat.TWO, (None,)))
        matrix = rows_of(self.solution.following(state), width)
        if seat is Seat.TWO:
            matrix = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
        return proper_corners([matrix[mixture.index(1.0)] for mixture in mixtures])[0]


def locked_policy(
    game: Game[S, M, E],
    locks: Iterable[Lock | str],
    *,
    progress: Progress | None = None,
    cache: bool = True,
) -> LockedPolicy[S, M, E]:
    """Perfect play with locks, as a policy that `best_response` answers."""
    rules = LockRules.read(game, locks)
    return LockedPolicy(solve(game, progress=progress, cache=cache), rules)
