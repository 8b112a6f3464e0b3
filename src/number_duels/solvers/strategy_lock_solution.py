"""Solutions of games in which locks fix parts of a player's strategy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import fsum
from operator import mul
from typing import Generic, TypeAlias

from number_duels.core.game import Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.reachable_states import successors
from number_duels.solvers.cache import Progress
from number_duels.solvers.induction import (
    RESULTS,
    Induction,
    ResponseValue,
    Visit,
    induce_response,
    lookup,
)
from number_duels.solvers.matrix_games import (
    VALUE_TOLERANCE,
    Matrix,
    equilibrium,
    proper_corners,
    rows_of,
)
from number_duels.solvers.policies import decision_of
from number_duels.solvers.solution import Solution
from number_duels.solvers.strategy_locks import LockRules, Mix, decisions

After: TypeAlias = Callable[[S], float]


@dataclass(frozen=True)
class LockedPolicy(Generic[S, M, E]):
    """Perfect play with locks.

    Forbidden moves are removed from the perfect mixed strategy. The other moves keep their
    proportions. If perfect play uses only forbidden moves, the best allowed strategy is played.

    >>> import number_duels as nd
    >>> game = nd.load("number-knot", numbers=3, life=3)
    >>> policy = nd.solve(game, locks=["1 plays S3:1 A1:3"], cache=False).policy
    >>> {str(move): p for move, p in policy(game.start(), nd.Seat.ONE).items() if p}
    {'A1': 0.75, 'S3': 0.25}
    """

    solution: Solution[S, M, E]
    rules: LockRules[S, M, E]

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        perfect = self.solution.strategy(state, seat)
        mixes = self.rules.open(state, seat, tuple(perfect))
        if len(mixes) == 1:
            return dict(zip(perfect, mixes[0], strict=True))
        allowed = [move for move, *odds in zip(perfect, *mixes, strict=True) if any(odds)]
        total = sum(perfect[move] for move in allowed)
        if total > VALUE_TOLERANCE:
            return {m: odds / total if m in allowed else 0.0 for m, odds in perfect.items()}
        best = dict(zip(allowed, self._best(state, seat, mixes), strict=True))
        return {move: best.get(move, 0.0) for move in perfect}

    def _best(self, state: S, seat: Seat, mixes: Sequence[Mix]) -> Sequence[float]:
        turn = decision_of(self.solution.game, state, seat)
        matrix = own_rows(matrix_of(turn, self.solution.following(state)), seat)
        return proper_corners([matrix[mix.index(1.0)] for mix in mixes])[0]

    def responses(self, progress: Progress) -> ResponseValue[S]:
        """Find the best response to this policy, with the fastest method."""
        tables, game = self.solution.tables, self.solution.game
        found = tables.read(
            lambda sections: tables.method.respond_to_locks(self.rules, sections, progress)
        )
        return found or lookup(game, {seat: induce_response(game, seat, self) for seat in Seat})


class LockedSolution(Generic[S, M, E]):
    """A game with locks, solved in two ways.

    In `reply_value` and `reply_values`, one player follows the locked `policy`, and the opponent
    exploits it. In `value`, `values` and `strategy`, both players know the locks and play as well
    as the locks allow. All values are exact.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=4)
    >>> locked = nd.solve(game, locks=["2 never 4"], cache=False)
    >>> start = game.start()
    >>> locked.reply_value(start, nd.Seat.ONE), locked.value(start)
    (1.0, 1.0)
    """

    def __init__(
        self, solution: Solution[S, M, E], rules: LockRules[S, M, E], progress: Progress
    ) -> None:
        self.game = solution.game  #: The game that was solved.
        self.solution = solution  #: The solution without locks.
        self.rules = rules
        #: Perfect play with the locks, as a policy for `best_response`.
        self.policy = LockedPolicy(solution, rules)
        self._progress = progress
        self._spots = frozenset(rules.spots)
        # Both are computed for the whole game, on first use.
        self._replies: ResponseValue[S] | None = None
        self._table: Callable[[S], float | None] | None = None
        #: Values of the best response in states that the locked policy never reaches.
        self._elsewhere: dict[Seat, dict[Hashable, float]] = {seat: {} for seat in Seat}

    def reply_value(self, state: S, seat: Seat) -> float:
        """Return Player 1's expected result if `seat` plays the best response to `policy`."""
        after = self._after_reply(state, seat)
        best = max if seat is Seat.ONE else min
        return self._at(state, after, lambda s, turn: best(self._replying(s, turn, seat, after)))

    def reply_values(self, state: S, seat: Seat) -> dict[M, float]:
        """Return the value of each option for `seat`, against an opponent that plays `policy`.

        Afterwards, `seat` plays the best response.
        """
        turn, after = decision_of(self.game, state, seat), self._after_reply(state, seat)
        sign = 1 if seat is Seat.ONE else -1
        values = self._replying(state, turn, seat, after)
        return {m: sign * one + 0.0 for m, one in zip(turn.options[seat], values, strict=True)}

    def _replying(self, state: S, turn: Decision[M], seat: Seat, after: After[S]) -> list[float]:
        matrix = self._matrix(state, turn, after)
        rows = matrix if seat is Seat.ONE else list(zip(*matrix, strict=True))
        mix = [1.0]
        if seat.other in turn.options:
            mix = list(self.policy(state, seat.other).values())
        return [fsum(map(mul, row, mix)) for row in rows]

    def _after_reply(self, state: S, seat: Seat) -> After[S]:
        if self._is_local(state):
            return self.solution.value
        if self._replies is None:
            self._replies = self.policy.responses(self._progress)
        known, elsewhere, game = self._replies, self._elsewhere[seat], self.game

        def after(then: S) -> float:
            turn = game.turn(then)
            if isinstance(turn, Outcome):
                return RESULTS[turn.winner]
            found = known(then, seat)
            if found is None:
                key = game.key(then)
                if key not in elsewhere:
                    elsewhere.update(induce_response(game, seat, self.policy, start=then))
                found = elsewhere[key]
            return found

        return after

    def value(self, state: S) -> float:
        """Return Player 1's expected result if both play as well as the locks allow."""
        after = self._after(state)

        def limited(here: S, turn: Decision[M]) -> float:
            rows, columns = (open_to(self.rules, here, turn, seat) for seat in Seat)
            return equilibrium(reduced(self._matrix(here, turn, after), rows, columns)).value

        return self._at(state, after, limited)

    def strategy(self, state: S, seat: Seat) -> dict[M, float]:
        """Return the best mixed strategy of `seat` if both play as well as the locks allow."""
        turn = decision_of(self.game, state, seat)
        mix = self._mix(state, turn, seat, self._after(state))
        return dict(zip(turn.options[seat], mix, strict=True))

    def values(self, state: S, seat: Seat) -> dict[M, float]:
        """Return the value of each option for `seat`, including forbidden options.

        The other seat plays its `strategy`. Afterwards, both play as well as the locks allow.
        """
        turn, after = decision_of(self.game, state, seat), self._after(state)
        mix = [1.0]
        if seat.other in turn.options:
            mix = self._mix(state, turn, seat.other, after)
        rows = own_rows(self._matrix(state, turn, after), seat)
        values = [fsum(map(mul, row, mix)) + 0.0 for row in rows]
        return dict(zip(turn.options[seat], values, strict=True))

    def _mix(self, state: S, turn: Decision[M], seat: Seat, after: After[S]) -> list[float]:
        both = [open_to(self.rules, state, turn, each) for each in Seat]
        matrix = own_rows(reduced(self._matrix(state, turn, after), *both), seat)
        shares = proper_corners(matrix)[0]
        return [fsum(map(mul, shares, odds)) for odds in zip(*both[seat], strict=True)]

    def _after(self, state: S) -> After[S]:
        if self._is_local(state):
            return self.solution.value
        if self._table is None:
            tables = self.solution.tables
            quick = tables.read(
                lambda sections: tables.method.solve_locked(self.rules, sections, self._progress)
            )
            self._table = quick or solve_locked(self.rules, self._progress)
        table, game = self._table, self.game

        def after(then: S) -> float:
            turn = game.turn(then)
            found = RESULTS[turn.winner] if isinstance(turn, Outcome) else table(then)
            assert found is not None  # `solution.value` rejects unreachable states
            return found

        return after

    def _at(self, state: S, after: After[S], decide: Callable[[S, Decision[M]], float]) -> float:
        turn = self.game.turn(state)
        if isinstance(turn, Decision):
            return decide(state, turn)
        if isinstance(turn, Outcome) or not self._is_local(state):
            return after(state)
        return fsum(
            float(odds) * self._at(self.game.drawn(state, event), after, decide)
            for event, odds in turn.odds.items()
        )

    def _is_local(self, state: S) -> bool:
        """Return whether the locks apply only to the next decision."""
        self.solution.value(state)  # raises for an unreachable state
        here = {self.game.key(s) for s, _ in decisions(self.game, state)} if self._spots else set()
        return self.rules.only_in_spots and self._spots <= here

    def _matrix(self, state: S, turn: Decision[M], after: After[S]) -> Matrix:
        return matrix_of(turn, [after(then) for then in successors(self.game, state, turn)])


def matrix_of(turn: Decision[M], values: Sequence[float]) -> Matrix:
    return rows_of(values, len(turn.options.get(Seat.TWO, (None,))))


def own_rows(matrix: Matrix, seat: Seat) -> Matrix:
    if seat is Seat.ONE:
        return matrix
    return [[-entry for entry in column] for column in zip(*matrix, strict=True)]


NO_CHOICE: tuple[Mix, ...] = ((1.0,),)


class LockedInduction(Induction[S, M, E]):
    """Solves a game in which both seats play as well as the locks allow."""

    def __init__(self, rules: LockRules[S, M, E]) -> None:
        super().__init__(rules.game)
        self.rules = rules

    def combine(self, visit: Visit[S, M, E]) -> float:
        turn = visit.turn
        if isinstance(turn, Chance):
            return super().combine(visit)
        rows, columns = (open_to(self.rules, visit.state, turn, seat) for seat in Seat)
        matrix = rows_of(visit.values, len(turn.options.get(Seat.TWO, (None,))))
        return equilibrium(reduced(matrix, rows, columns)).value


def open_to(rules: LockRules[S, M, E], state: S, turn: Decision[M], seat: Seat) -> Sequence[Mix]:
    options = turn.options.get(seat)
    return NO_CHOICE if options is None else rules.open(state, seat, options)


def reduced(
    matrix: Sequence[Sequence[float]], rows: Sequence[Mix], columns: Sequence[Mix]
) -> list[list[float]]:
    """Return the payoff of each mixed strategy in `rows` against each in `columns`.

    >>> reduced([[1, 2], [3, 4]], [(0.5, 0.5)], [(1.0, 0.0), (0.0, 1.0)])
    [[2.0, 3.0]]
    """
    by_row = [[fsum(map(mul, mix, column)) for column in zip(*matrix, strict=True)] for mix in rows]
    return [[fsum(map(mul, row, mix)) for mix in columns] for row in by_row]


def solve_locked(rules: LockRules[S, M, E], progress: Progress) -> Callable[[S], float | None]:
    induction = LockedInduction(rules)
    found = induction.solve(progress).sections
    return lambda state: induction.value(state, found)
