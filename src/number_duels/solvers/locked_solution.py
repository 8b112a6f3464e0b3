"""A game solved with locks: what they change for the one who is locked, and for the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import fsum
from operator import mul
from typing import Generic, TypeAlias

from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.states import successors
from number_duels.solvers.backward_induction import RESULTS, rows_of
from number_duels.solvers.best_response import induce_response, response_value
from number_duels.solvers.lock_rules import LockRules, decisions
from number_duels.solvers.locked_induction import locked_table, open_to, reduced
from number_duels.solvers.locked_policy import LockedPolicy
from number_duels.solvers.locks import Lock
from number_duels.solvers.matrix_games import equilibrium
from number_duels.solvers.proper import proper_corners
from number_duels.solvers.protocols import Progress, ResponseValue, silent
from number_duels.solvers.solution import Solution
from number_duels.solvers.solver import solve

#: What a state that may follow is worth to Player 1.
After: TypeAlias = Callable[[S], float]


class LockedSolution(Generic[S, M, E]):
    """A game in which a part of somebody's play is locked, solved in both ways.

    Either the one who is locked plays everything else as before, and the other gives the best
    reply to that (`reply_value`, `reply_values`); or both know of the locks and do their best
    (`value`, `values`, `strategy`). All of it is exact.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=4)
    >>> locked = nd.solve_locked(game, ["2 never 4"], cache=False)
    >>> start = game.start()
    >>> locked.reply_value(start, nd.Seat.ONE), locked.value(start)
    (1.0, 1.0)
    """

    def __init__(
        self, solution: Solution[S, M, E], rules: LockRules[S, M, E], progress: Progress = silent
    ) -> None:
        self.solution = solution
        self.rules = rules
        self.policy = LockedPolicy(solution, rules)
        self._progress = progress
        self._spots = frozenset(rules.spots)
        # Each is worked out for the whole game when it is first needed.
        self._replies: ResponseValue[S] | None = None
        self._table: Callable[[S], float | None] | None = None
        #: What is worth what to a reply, from states that the locked policy never reaches.
        self._elsewhere: dict[Seat, dict[Hashable, float]] = {seat: {} for seat in Seat}

    # ---- the one who is locked plays on as before ------------------------------

    def reply_value(self, state: S, seat: Seat) -> float:
        """Player 1's expected result if a seat gives the best reply to the other's locked play."""
        return self._reply(state, seat, self._after_reply(state, seat))

    def reply_values(self, state: S, seat: Seat) -> dict[M, float]:
        """What each option is worth to a seat that gives the best reply from the next turn on."""
        options, after = self._options(state, seat)[seat], self._after_reply(state, seat)
        sign = 1 if seat is Seat.ONE else -1
        worth = self._reply_rows(state, seat, after)
        return {move: sign * one + 0.0 for move, one in zip(options, worth, strict=True)}

    def _reply(self, state: S, seat: Seat, after: After[S]) -> float:
        game, turn = self.solution.game, self.solution.game.turn(state)
        if isinstance(turn, Decision):
            worth = self._reply_rows(state, seat, after)
            return max(worth) if seat is Seat.ONE else min(worth)
        if isinstance(turn, Outcome) or not self._is_local(state):
            return after(state)
        return fsum(
            float(p) * self._reply(game.drawn(state, e), seat, after) for e, p in turn.odds.items()
        )

    def _reply_rows(self, state: S, seat: Seat, after: After[S]) -> list[float]:
        """What each move of a seat brings Player 1 against the locked play; one if it has none."""
        matrix, turn = self._matrix(state, after), self.solution.game.turn(state)
        assert isinstance(turn, Decision)
        rows = matrix if seat is Seat.ONE else list(map(list, zip(*matrix, strict=True)))
        mixture = [1.0]
        if seat.other in turn.options:
            mixture = list(self.policy(state, seat.other).values())
        return [fsum(map(mul, row, mixture)) for row in rows]

    def _after_reply(self, state: S, seat: Seat) -> After[S]:
        if self._is_local(state):
            return self.solution.value
        if self._replies is None:
            self._replies = response_value(self.solution, self.policy, self._progress)
        known, elsewhere = self._replies, self._elsewhere[seat]
        game = self.solution.game

        def after(then: S) -> float:
            turn = game.turn(then)
            if isinstance(turn, Outcome):
                return RESULTS[turn.winner]
            found = known(then, seat)
            if found is None:
                key = game.key(then)
                if key not in elsewhere:
                    elsewhere.update(
                        induce_response(game, seat, self.policy, lambda _: None, start=then)
                    )
                found = elsewhere[key]
            return found

        return after

    # ---- both know of the locks, and do their best -----------------------------

    def value(self, state: S) -> float:
        """Player 1's expected result if both do their best within the locks."""
        return self._value(state, self._after(state))

    def strategy(self, state: S, seat: Seat) -> dict[M, float]:
        """What a seat plays if both do their best within the locks; one of the best ways."""
        options = self._options(state, seat)
        mixture = self._mixture(state, seat, self._after(state))
        return dict(zip(options[seat], mixture, strict=True))

    def values(self, state: S, seat: Seat) -> dict[M, float]:
        """What each option would be worth to a seat, also a locked one, if it is played now.

        The other seat plays its `strategy`, and both do their best within the locks after that.
        """
        options, after = self._options(state, seat), self._after(state)
        matrix = self._matrix(state, after)
        mixture: Sequence[float] = [1.0]
        if seat.other in options:
            mixture = self._mixture(state, seat.other, after)
        rows = matrix if seat is Seat.ONE else list(map(list, zip(*matrix, strict=True)))
        sign = 1 if seat is Seat.ONE else -1
        worth = [sign * fsum(map(mul, row, mixture)) + 0.0 for row in rows]
        return dict(zip(options[seat], worth, strict=True))

    def _value(self, state: S, after: After[S]) -> float:
        game, turn = self.solution.game, self.solution.game.turn(state)
        if isinstance(turn, Decision):
            rows, columns = (open_to(self.rules, state, turn, seat) for seat in Seat)
            return equilibrium(reduced(self._matrix(state, after), rows, columns)).value
        if isinstance(turn, Outcome) or not self._is_local(state):
            return after(state)
        return fsum(
            float(p) * self._value(game.drawn(state, e), after) for e, p in turn.odds.items()
        )

    def _mixture(self, state: S, seat: Seat, after: After[S]) -> list[float]:
        turn = self.solution.game.turn(state)
        assert isinstance(turn, Decision)
        rows, columns = (open_to(self.rules, state, turn, each) for each in Seat)
        matrix = reduced(self._matrix(state, after), rows, columns)
        if seat is Seat.TWO:
            matrix = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
        own = rows if seat is Seat.ONE else columns
        shares = proper_corners(matrix)[0]
        return [fsum(map(mul, shares, odds)) for odds in zip(*own, strict=True)]

    def _after(self, state: S) -> After[S]:
        if self._is_local(state):
            return self.solution.value
        if self._table is None:
            self._table = locked_table(self.solution, self.rules, self._progress)
        table, game = self._table, self.solution.game

        def after(then: S) -> float:
            turn = game.turn(then)
            found = RESULTS[turn.winner] if isinstance(turn, Outcome) else table(then)
            assert found is not None  # `solution.value` has refused what cannot arise
            return found

        return after

    # ---- shared ----------------------------------------------------------------

    def _options(self, state: S, seat: Seat) -> dict[Seat, tuple[M, ...]]:
        turn = self.solution.game.turn(state)
        if not isinstance(turn, Decision) or seat not in turn.options:
            raise ValueError(f"{seat} has nothing to decide here.")
        return dict(turn.options)

    def _is_local(self, state: S) -> bool:
        """Whether no lock can hold after the next decision: positions never come back."""
        self.solution.value(state)  # refuses what cannot arise
        game = self.solution.game
        here = {game.key(one) for one in decisions(game, state)} if self._spots else set()
        return self.rules.only_in_spots and self._spots <= here

    def _matrix(self, state: S, after: After[S]) -> list[list[float]]:
        """What may follow is worth this to Player 1: a row for each of its moves."""
        turn = self.solution.game.turn(state)
        assert isinstance(turn, Decision)
        worth = [after(then) for then in successors(self.solution.game, state, turn)]
        return [list(row) for row in rows_of(worth, len(turn.options.get(Seat.TWO, (None,))))]


def solve_locked(
    game: Game[S, M, E],
    locks: Iterable[Lock | str],
    *,
    progress: Progress | None = None,
    cache: bool = True,
) -> LockedSolution[S, M, E]:
    """Solve a game of which a part is locked; what is asked first takes as long as it takes."""
    rules = LockRules.read(game, locks)
    solution = solve(game, progress=progress, cache=cache)
    return LockedSolution(solution, rules, progress or silent)
