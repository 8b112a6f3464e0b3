"""Locks and both ways to solve with them, written once more and plainly, from texts and rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.solvers.cache import silent
from number_duels.solvers.matrix_games import proper_corners
from number_duels.solvers.solution import Solution
from number_duels.solvers.strategy_lock_solution import LockedSolution
from number_duels.solvers.strategy_locks import LockRules
from tests.lazy import Lazy
from tests.solvers.helpers import every_state

optimize = Lazy("scipy.optimize")

ONE, TWO = nd.Seat
AnySolution = Solution[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Plain:
    """One lock, as its text says; `spots` are the keys at which it holds, none: everywhere."""

    seat: nd.Seat
    rule: str
    weights: dict[str, float]
    spots: tuple[Hashable, ...]


def plain(game: AnyGame, text: str) -> Plain:
    said, _, at = text.partition(" at ")
    who, rule, *moves = said.split()
    weights = {m.partition(":")[0]: float(m.partition(":")[2] or 1) for m in moves}
    spots: list[Hashable] = []
    if at:
        state = nd.History.read(game, game.start(), "" if at == "start" else at).state
        turn = game.turn(state)
        after = [state]
        if isinstance(turn, nd.Chance):
            after = [game.play(state, {None: event}) for event in turn.odds]
        spots = [game.key(one) for one in after]
    return Plain(nd.Seat(int(who) - 1), rule, weights, tuple(spots))


def limits(
    game: AnyGame, locks: Sequence[Plain], state: Hashable, seat: nd.Seat, options: Sequence[object]
) -> tuple[list[str], dict[str, float]]:
    """The moves that are left, and how often each is played where that is fixed."""
    allowed, fixed = [str(move) for move in options], dict[str, float]()
    for lock in locks:
        if lock.seat is not seat or (lock.spots and game.key(state) not in lock.spots):
            continue
        named = lock.weights
        left = [m for m in allowed if (m not in named if lock.rule == "never" else m in named)]
        if left:
            allowed = left
            if lock.rule != "never" and not fixed:
                fixed = named
    total = sum(fixed.get(move, 0.0) for move in allowed)
    return allowed, {move: fixed[move] / total for move in allowed} if fixed else {}


def plain_policy(solution: AnySolution, locks: Sequence[Plain]) -> Callable[..., dict[str, float]]:
    def policy(state: Hashable, seat: nd.Seat) -> dict[str, float]:
        perfect = {str(m): p for m, p in solution.strategy(state, seat).items()}
        allowed, fixed = limits(solution.game, locks, state, seat, list(perfect))
        if fixed:
            return fixed
        left = {move: perfect[move] for move in allowed}
        if sum(left.values()) > 1e-9:
            return {move: odds / sum(left.values()) for move, odds in left.items()}
        best = proper_corners(payoffs(solution, state, seat, allowed))[0]
        return dict(zip(allowed, best, strict=True))

    return policy


def payoffs(
    solution: AnySolution, state: Hashable, seat: nd.Seat, allowed: Sequence[str]
) -> list[list[float]]:
    """What each of a seat's moves brings it against each reply, both perfect after."""
    game, turn = solution.game, solution.game.turn(state)
    assert isinstance(turn, nd.Decision)
    replies = [{seat.other: move} for move in turn.options.get(seat.other, ())] or [{}]
    return [
        [
            solution.value(game.play(state, {seat: game.parse(text), **reply})) * (1 - 2 * seat)
            for reply in replies
        ]
        for text in allowed
    ]


def matrix_value(matrix: Sequence[Sequence[float]]) -> float:
    """The value to the rows, by another library: the most that one mixed strategy guarantees."""
    height = len(matrix)
    if height == 1 or len(matrix[0]) == 1:
        return max(min(row) for row in matrix)
    found = optimize.linprog(
        [0.0] * height + [-1.0],
        A_ub=[[-row[j] for row in matrix] + [1.0] for j in range(len(matrix[0]))],
        b_ub=[0.0] * len(matrix[0]),
        A_eq=[[1.0] * height + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * height + [(None, None)],
    )
    return -float(found.fun)


class Recursion:
    """Player 1's result from any state: `replier` answers the policy, or both are limited."""

    def __init__(
        self, solution: AnySolution, texts: Sequence[str], replier: nd.Seat | None
    ) -> None:
        self.game, self.replier = solution.game, replier
        self.locks = [plain(self.game, text) for text in texts]
        self.policy = plain_policy(solution, self.locks)
        self.known: dict[Hashable, float] = {}

    def __call__(self, state: Hashable) -> float:
        key = self.game.key(state)
        if key not in self.known:
            self.known[key] = self.work_out(state)
        return self.known[key]

    def work_out(self, state: Hashable) -> float:
        turn = self.game.turn(state)
        if isinstance(turn, nd.Outcome):
            return {ONE: 1.0, None: 0.0, TWO: -1.0}[turn.winner]
        if isinstance(turn, nd.Chance):
            play = self.game.play
            return sum(float(p) * self(play(state, {None: e})) for e, p in turn.odds.items())
        sides = [self.open(state, seat, turn) for seat in nd.Seat]
        matrix = [[self.mixed(state, row, column) for column in sides[1]] for row in sides[0]]
        return matrix_value(matrix)

    def open(
        self, state: Hashable, seat: nd.Seat, turn: nd.Decision[Hashable]
    ) -> list[dict[nd.Seat, dict[str, float]]]:
        """All that a seat may choose: single moves, or one mixed strategy."""
        if seat not in turn.options:
            return [{}]
        options = turn.options[seat]
        if self.replier is seat:
            return [{seat: {str(move): 1.0}} for move in options]
        if self.replier is seat.other:
            return [{seat: self.policy(state, seat)}]
        allowed, fixed = limits(self.game, self.locks, state, seat, options)
        return [{seat: fixed}] if fixed else [{seat: {move: 1.0}} for move in allowed]

    def mixed(self, state: Hashable, *chosen: dict[nd.Seat, dict[str, float]]) -> float:
        moves = {seat: mix for one in chosen for seat, mix in one.items()}
        played: list[tuple[float, dict[nd.Seat, str]]] = [(1.0, {})]
        for seat, mix in moves.items():
            played = [(p * q, {**m, seat: move}) for p, m in played for move, q in mix.items()]
        total = 0.0
        for odds, texts in played:
            if odds:
                parsed = {seat: self.game.parse(text) for seat, text in texts.items()}
                total += odds * self(self.game.play(state, parsed))
        return total


def compare(solution: AnySolution, texts: Sequence[str], abs_tolerance: float = 1e-8) -> None:
    """Hold both ways to solve with locks to the plain ones, at every state there is."""
    locked = LockedSolution(solution, LockRules.read(solution.game, texts), silent)
    both_limited = Recursion(solution, texts, None)
    replies = {seat: Recursion(solution, texts, seat) for seat in nd.Seat}
    changed = 0
    for state in every_state(solution.game):
        value = locked.value(state)
        assert value == pytest.approx(both_limited(state), abs=abs_tolerance)
        changed += abs(value - solution.value(state)) > 1e-6
        for seat in nd.Seat:
            plain = replies[seat](state)
            assert locked.reply_value(state, seat) == pytest.approx(plain, abs=abs_tolerance)
    assert changed, "a case in which the locks matter nowhere tests nothing"
