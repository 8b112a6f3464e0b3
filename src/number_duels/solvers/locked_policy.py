"""Perfect play with locks: what is locked aside, everything is played as before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from number_duels.core.game import E, Game, M, S, Seat
from number_duels.solvers.lock_rules import LockRules
from number_duels.solvers.locks import Lock
from number_duels.solvers.protocols import Progress
from number_duels.solvers.solution import VALUE_TOLERANCE, Solution
from number_duels.solvers.solver import solve


@dataclass(frozen=True)
class LockedPolicy(Generic[S, M, E]):
    """Perfect play of which a part is locked.

    Moves that are locked out are left out of the perfect mixture, and the others keep their
    proportions. If nothing of it is left, the best of the other moves is played: the one that
    would be worth most to a perfect player, then the first.
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
        values = self.solution.values(state, seat)
        top = max(values[move] for move in allowed)
        best = next(move for move in allowed if values[move] >= top - VALUE_TOLERANCE)
        return {move: float(move == best) for move in perfect}


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
