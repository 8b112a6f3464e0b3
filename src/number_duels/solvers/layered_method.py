"""Solve whole layers of a game at once, also with locks or against a policy.

If the seats take turns, a code has two results: one if Player 1 moves and one if Player 2 moves.
Each is for the seat that moves. If both choose at once, a code has one result, for Player 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Generic, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import E, Game, M, S, Seat
from number_duels.solvers import batch_matrix_games
from number_duels.solvers.batch_matrix_games import Floats, proper_strategies
from number_duels.solvers.cache import Progress, Section, Tables, checked_numbers, silent
from number_duels.solvers.induction import Method, ResponseValue
from number_duels.solvers.layered import (
    Chunk,
    Codes,
    LayeredKernel,
    LayeredRandomPlay,
    PerfectStrategies,
    QueriedPolicy,
    ReachedGraph,
    StrategySource,
    check_size,
    explore,
    fill_table,
    with_errors,
)
from number_duels.solvers.matrix_games import VALUE_TOLERANCE
from number_duels.solvers.policies import Policy
from number_duels.solvers.strategy_arrays import ArrayPolicy, StrategyArrays, build, unpack
from number_duels.solvers.strategy_locks import LockRule, LockRules

Flags: TypeAlias = NDArray[np.bool_]

#: Worse than any result, so the seat never chooses an option with this value.
LOCKED_OUT = -2.0


class LayeredMethod(LayeredKernel[S], Method[S, Hashable, Hashable]):
    def solve(self, progress: Progress) -> Tables:
        check_size(self.title, self.size, 2 if self.in_turn else 9)
        reached, states = explore(self, lambda fraction: progress(fraction / 2))
        table = fill_table(self, reached, lambda fraction: progress((1 + fraction) / 2))
        return Tables((table.data,), states)

    @cached_property
    def graph(self) -> ReachedGraph[S]:
        return ReachedGraph(self)

    def random_play(self, sections: Sequence[Section]) -> LayeredRandomPlay[S]:
        return LayeredRandomPlay(self, np.frombuffer(checked_numbers(sections[0]), np.float64))

    def tabulate_random_play(self, sections: Sequence[Section]) -> Tables | None:
        if self.in_turn:  # ties are broken by counting replies
            return None
        play = self.random_play(sections)
        play.fill(self.start)
        results = play.proper.against_random
        return Tables(tuple(result.data for result in results), self.size)

    def tabulate(self, sections: Sequence[Section], progress: Progress = silent) -> Tables:
        progress(0.0)  # a caller that does not want to wait can raise an error here
        return build(self, sections, progress)

    def arrays(self, sections: Sequence[Section]) -> StrategyArrays[S]:
        return unpack(self, sections)

    def expected_results(
        self,
        error_rates: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float]:
        perfect = PerfectStrategies(self, sections)
        pairs = [(erring(perfect, one), erring(perfect, two)) for one, two in error_rates]
        return self.play_out(pairs, progress)

    def respond_to_errors(
        self, error_rate: float, sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S]:
        return self.answer(erring(PerfectStrategies(self, sections), error_rate), progress)

    def respond(
        self, game: Game[S, M, E], policy: Policy[S, M], progress: Progress = silent
    ) -> ResponseValue[S]:
        if isinstance(policy, ArrayPolicy) and policy.game == game:
            return self.answer(policy.strategies, progress)
        return self.answer(QueriedPolicy(self.graph, game, policy), progress)

    def respond_to_locks(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S]:
        perfect, locks = PerfectStrategies(self, sections), LayeredLocks(self, rules)

        def locked(chunk: Chunk, seat: Seat) -> Floats:
            values = perfect.table[chunk.after].astype(np.float64)
            matrices = seen_by(seat, values, in_turn=self.in_turn)
            return locked_strategies(
                perfect(chunk, seat), matrices, locks.limits(chunk.codes, seat)
            )

        return self.answer(locked, progress)

    def solve_locked(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> Callable[[S], float | None]:
        graph, locks = self.graph, LayeredLocks(self, rules)
        results = graph.blank()
        for chunk in graph.backwards(progress):
            both = [locks.limits(chunk.codes, seat) for seat in Seat]
            here, there = graph.places[chunk.codes], graph.places[chunk.after]
            if self.in_turn:
                for seat in Seat:
                    own = limited(-results[seat.other, there], both[seat])
                    results[seat, here] = own.max(axis=1)
            else:
                columns = limited(-results[0, there].transpose(0, 2, 1), both[Seat.TWO])
                rows = limited(-columns.transpose(0, 2, 1), both[Seat.ONE])
                results[0, here] = batch_matrix_games.values(rows)
        return lambda state: graph.at(results, self.code(state), self.mover(state))

    def play_out(
        self, pairs: Sequence[tuple[StrategySource, StrategySource]], progress: Progress = silent
    ) -> list[float]:
        graph = self.graph
        results = np.stack([graph.blank() for _ in pairs])
        for chunk in graph.backwards(progress):
            for pair, result in zip(pairs, results, strict=True):
                graph.play(chunk, [pair[seat](chunk, seat) for seat in Seat], result)
        return [graph.at(result, self.start, self.first) or 0.0 for result in results]

    def answer(self, strategies: StrategySource, progress: Progress) -> ResponseValue[S]:
        graph = self.graph
        results = {seat: graph.blank() for seat in Seat}
        for chunk in graph.backwards(progress):
            for seat in Seat:
                graph.respond(chunk, seat, strategies(chunk, seat.other), results[seat])
        return lambda state, seat: graph.at(results[seat], self.code(state), self.mover(state))


def erring(perfect: PerfectStrategies, error_rate: float) -> StrategySource:
    return lambda chunk, seat: with_errors(perfect(chunk, seat), error_rate)


class Limits(NamedTuple):
    """The moves that locks allow a seat: one row per state, one column per option."""

    allowed: Flags
    #: Whether the mixed strategy is fixed. If so, `weights` has its probabilities.
    fixed: Flags
    weights: Floats


class PlacedRule(NamedTuple):
    """A lock as arrays: the moves it allows, their weights, and the codes at which it applies."""

    keeps: Flags
    #: All zero if the lock fixes no mixed strategy.
    weights: Floats
    codes: Codes | None


class LayeredLocks(Generic[S, M, E]):
    def __init__(self, kernel: LayeredKernel[S], rules: LockRules[S, M, E]) -> None:
        self.kernel = kernel
        moves = rules.game.all_moves()
        self.rules = {
            seat: [self.placed(rule, moves) for rule in rules.rules if rule.seat is seat]
            for seat in Seat
        }

    def placed(self, rule: LockRule[S, M], moves: Sequence[M]) -> PlacedRule:
        codes = None
        if rule.spots is not None:
            codes = np.array([self.kernel.code(state) for state in rule.spots.values()])
        return PlacedRule(
            np.array([rule.keeps(move) for move in moves]),
            np.array([rule.weights.get(move, 0.0) for move in moves]),
            codes,
        )

    def limits(self, codes: Codes, seat: Seat) -> Limits:
        moves = self.kernel.moves(codes, seat)
        allowed = np.ones(moves.shape, np.bool_)
        fixed, weights = np.zeros(len(codes), np.bool_), np.zeros(moves.shape)
        for rule in self.rules[seat]:
            kept = allowed & rule.keeps[moves]
            holds = kept.any(axis=1)
            if rule.codes is not None:
                holds &= np.isin(codes, rule.codes)
            allowed[holds] = kept[holds]
            if rule.weights.any():
                weights[holds & ~fixed] = rule.weights[moves[holds & ~fixed]]
                fixed |= holds
        weights *= allowed
        weights[fixed] /= weights[fixed].sum(axis=1, keepdims=True)
        return Limits(allowed, fixed, weights)


def limited(own: Floats, limits: Limits) -> Floats:
    """Change a seat's option values so that its best choice obeys the locks.

    Where locks fix a mixed strategy, all options get its expected value. A forbidden option gets a
    value below any result.
    """
    allowed, fixed, weights = limits
    rest = (1,) * (own.ndim - 2)
    mean = np.einsum("ni,ni...->n...", weights, own)[:, None]
    own = np.where(fixed.reshape(-1, 1, *rest), mean, own)
    open_to_seat = (allowed | fixed[:, None]).reshape(*allowed.shape, *rest)
    return np.where(open_to_seat, own, LOCKED_OUT)


def seen_by(seat: Seat, values: Floats, *, in_turn: bool) -> Floats:
    if in_turn:  # the next values belong to the other seat, which does not choose yet
        return -values[:, :, None]
    return values if seat is Seat.ONE else -values.transpose(0, 2, 1)


def locked_strategies(perfect: Floats, matrices: Floats, limits: Limits) -> Floats:
    """Return the mixed strategies that `LockedPolicy` plays, for many states at once."""
    allowed, fixed, weights = limits
    left = np.where(allowed, perfect, 0.0)
    total = left.sum(axis=1)
    lost = np.flatnonzero(~fixed & (total <= VALUE_TOLERANCE))
    if lost.size:
        open_now = np.where(allowed[lost, :, None], matrices[lost], LOCKED_OUT)
        left[lost] = proper_strategies(open_now, np.zeros((len(lost), perfect.shape[1])))
        total[lost] = 1.0
    total[fixed] = 1.0
    return np.where(fixed[:, None], weights, left / total[:, None])
