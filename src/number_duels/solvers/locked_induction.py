"""What states are worth where both do their best within locks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from operator import mul

from number_duels.core.game import Chance, Decision, E, M, S, Seat
from number_duels.solvers.backward_induction import Induction, Visit, rows_of
from number_duels.solvers.lock_rules import LockRules, Mixture
from number_duels.solvers.matrix_games import equilibrium
from number_duels.solvers.protocols import LockMethod, Progress
from number_duels.solvers.solution import Solution

#: Where one seat decides, the other has nothing to choose from.
NO_CHOICE: tuple[Mixture, ...] = ((1.0,),)


class LockedInduction(Induction[S, M, E]):
    """The value of every key where both do their best within the locks."""

    def __init__(self, rules: LockRules[S, M, E]) -> None:
        super().__init__(rules.game)
        self.rules = rules

    def combine(self, visit: Visit[S, M, E]) -> float:
        turn = visit.turn
        if isinstance(turn, Chance):
            return super().combine(visit)
        rows, columns = (open_to(self.rules, visit.state, turn, seat) for seat in Seat)
        matrix = rows_of(visit.worth, len(turn.options.get(Seat.TWO, (None,))))
        return equilibrium(reduced(matrix, rows, columns)).value


def open_to(
    rules: LockRules[S, M, E], state: S, turn: Decision[M], seat: Seat
) -> Sequence[Mixture]:
    """The mixtures that a seat may choose from."""
    options = turn.options.get(seat)
    return NO_CHOICE if options is None else rules.open(state, seat, options)


def reduced(
    matrix: Sequence[Sequence[float]], rows: Sequence[Mixture], columns: Sequence[Mixture]
) -> list[list[float]]:
    """The matrix of what is open to both.

    >>> reduced([[1, 2], [3, 4]], [(0.5, 0.5)], [(1.0, 0.0), (0.0, 1.0)])
    [[2.0, 3.0]]
    """
    by_row = [[fsum(map(mul, mix, column)) for column in zip(*matrix, strict=True)] for mix in rows]
    return [[fsum(map(mul, row, mix)) for mix in columns] for row in by_row]


def locked_table(
    solution: Solution[S, M, E], rules: LockRules[S, M, E], progress: Progress
) -> Callable[[S], float | None]:
    """What states are worth within the locks, by the fastest method there is."""
    method = solution.tables.method
    if isinstance(method, LockMethod):
        return solution.tables.read(lambda sections: method.solve_locked(rules, sections, progress))
    induction = LockedInduction(rules)
    sections = induction.solve(progress).sections
    return lambda state: induction.value(state, sections)
