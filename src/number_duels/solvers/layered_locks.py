"""Locks on whole layers of a game at once, for kernels that number their states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import E, M, S, Seat
from number_duels.solvers import batch_simplex
from number_duels.solvers.layered import Codes, LayeredKernel, chunks
from number_duels.solvers.layered_policies import PerfectMixtures, ReachedGraph
from number_duels.solvers.layered_proper import Chunk, Floats, mixtures
from number_duels.solvers.lock_rules import LockRule, LockRules
from number_duels.solvers.protocols import Progress, ResponseValue, Section
from number_duels.solvers.solution import VALUE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

Flags = NDArray[np.bool_]

#: Worse than any result: a free choice never falls on it.
LOCKED_OUT = -2.0


class Limits(NamedTuple):
    """What is open to a seat in each state of a chunk: a row each, an option a column."""

    allowed: Flags
    #: Where the mixture is fixed, and what it is there.
    fixed: Flags
    weights: Floats


class PlacedRule(NamedTuple):
    """A lock: which of all moves it keeps, with which weights, and at which codes it holds."""

    keeps: Flags
    #: All zero where the rule fixes no mixture.
    weights: Floats
    #: None: everywhere.
    codes: Codes | None


class LayeredLocks(Generic[S, M, E]):
    """Locks, as places among the moves and codes of a kernel."""

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

    def limits(self, codes: Codes, moves: Codes, seat: Seat) -> Limits:
        """What the locks leave of a seat's moves, as `LockRules.open` does for one state."""
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


def respond_to_locks(
    kernel: LayeredKernel[S],
    rules: LockRules[S, M, E],
    sections: Sequence[Section],
    progress: Progress,
) -> ResponseValue[S]:
    """The best answer of either seat to the other's perfect play with locks."""
    graph, locks = ReachedGraph(kernel), LayeredLocks(kernel, rules)
    perfect = PerfectMixtures(kernel, sections)
    results = {seat: graph.blank() for seat in Seat}
    for chunk, both in limited_chunks(graph, locks, progress):
        values = perfect.table[chunk.after].astype(np.float64)
        for seat in Seat:
            matrices = seen_by(seat, values, in_turn=kernel.in_turn)
            locked = locked_mixtures(perfect(chunk, seat), matrices, both[seat])
            graph.respond(chunk, seat.other, locked, results[seat.other])
    return lambda state, seat: graph.at(results[seat], kernel.code(state), kernel.mover(state))


def solve_locked(
    kernel: LayeredKernel[S], rules: LockRules[S, M, E], progress: Progress
) -> Callable[[S], float | None]:
    """What states are worth to Player 1 where both do their best within the locks."""
    graph, locks = ReachedGraph(kernel), LayeredLocks(kernel, rules)
    results = graph.blank()
    for chunk, both in limited_chunks(graph, locks, progress):
        here, there = graph.places[chunk.codes], graph.places[chunk.after]
        if kernel.in_turn:
            for seat in Seat:
                own = limited(-results[seat.other, there], both[seat])
                results[seat, here] = own.max(axis=1)
        else:
            columns = limited(-results[0, there].transpose(0, 2, 1), both[Seat.TWO])
            rows = limited(-columns.transpose(0, 2, 1), both[Seat.ONE])
            results[0, here] = batch_simplex.values(rows)
    return lambda state: graph.at(results, kernel.code(state), kernel.mover(state))


def limited_chunks(
    graph: ReachedGraph[S], locks: LayeredLocks[S, M, E], progress: Progress
) -> Iterator[tuple[Chunk, list[Limits]]]:
    """All that can be reached, from the ends to the start, with what is open to either seat."""
    kernel = graph.kernel
    layers = kernel.layers()
    for number, layer in enumerate(reversed(layers)):
        for codes in chunks(layer, graph.reached):
            moves = [kernel.moves(layer, codes, seat) for seat in Seat]
            both = [locks.limits(codes, moves[seat], seat) for seat in Seat]
            yield Chunk(codes, kernel.follow(layer, codes)), both
        progress((number + 1) / len(layers))


def limited(own: Floats, limits: Limits) -> Floats:
    """What a seat's options bring it, such that a free choice among them is what is open to it.

    A fixed mixture is what every option brings; what is locked out is worse than all else.
    """
    allowed, fixed, weights = limits
    rest = (1,) * (own.ndim - 2)
    mean = np.einsum("ni,ni...->n...", weights, own)[:, None]
    own = np.where(fixed.reshape(-1, 1, *rest), mean, own)
    open_to_seat = (allowed | fixed[:, None]).reshape(*allowed.shape, *rest)
    return np.where(open_to_seat, own, LOCKED_OUT)


def seen_by(seat: Seat, values: Floats, *, in_turn: bool) -> Floats:
    """What may follow each state, to a seat: a row for each of its options."""
    if in_turn:  # what follows belongs to the other seat, which has nothing to choose yet
        return -values[:, :, None]
    return values if seat is Seat.ONE else -values.transpose(0, 2, 1)


def locked_mixtures(perfect: Floats, matrices: Floats, limits: Limits) -> Floats:
    """What `LockedPolicy` plays: the fixed mixture, what is left of perfect play, or the best."""
    allowed, fixed, weights = limits
    left = np.where(allowed, perfect, 0.0)
    total = left.sum(axis=1)
    lost = np.flatnonzero(~fixed & (total <= VALUE_TOLERANCE))
    if lost.size:
        open_now = np.where(allowed[lost, :, None], matrices[lost], LOCKED_OUT)
        left[lost] = mixtures(open_now, np.zeros((len(lost), perfect.shape[1])))
        total[lost] = 1.0
    total[fixed] = 1.0
    return np.where(fixed[:, None], weights, left / total[:, None])
