"""What happens between two equal players of a solved game, worked out exactly.

A player of error rate e plays any legal move, each as likely, in a share e of its turns and is
perfect otherwise. All figures are sums over a game, so one pass from the ends to the start finds
the mean of each; docs/house_rules.md defines them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import Seat
from number_duels.review.position import TOLERANCE, AnySolution
from number_duels.solvers.cache import silent
from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel as CardKernel
from number_duels.solvers.layered import ENDS, Chunk
from number_duels.solvers.layered_method import LayeredMethod
from number_duels.solvers.strategy_arrays import ArrayPolicy, Side, StrategyArrays, option_actions
from played_cards import (
    DECISIONS,
    DRAWS,
    EDGE,
    MATTERS,
    OFFERED,
    PRODUCT,
    RESULT,
    SUMS,
    TURNS,
    TURNS_SQUARED,
    WRONG,
    play_cards,
    useful_cards,
)

Floats: TypeAlias = NDArray[np.float64]
AnyArrays: TypeAlias = StrategyArrays[Hashable]
AnyPolicy: TypeAlias = ArrayPolicy[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class EqualPlay:
    """The means of a game between two equal players."""

    #: The value of the game for the player who moves first, or 0 if both choose at once.
    first_turn: float
    draws: float
    turns: float
    #: The standard deviation of the number of turns.
    spread: float
    #: The share of decisions in which some legal move costs something.
    matters: float
    #: The share of the legal moves on offer that cost something.
    wrong: float
    #: The share of the spread of results that no move explains.
    luck: float

    @classmethod
    def of(cls, sums: Floats) -> EqualPlay:
        """From the means of all sums at the start of a game, seen by who moves first."""
        spread_of_results = 1 - sums[DRAWS] - sums[RESULT] ** 2
        explained = sums[PRODUCT] - sums[RESULT] * sums[EDGE]
        certain = spread_of_results < TOLERANCE
        return cls(
            first_turn=float(sums[RESULT]),
            draws=float(sums[DRAWS]),
            turns=float(sums[TURNS]),
            spread=sqrt(max(0.0, sums[TURNS_SQUARED] - sums[TURNS] ** 2)),
            matters=float(sums[MATTERS] / sums[DECISIONS]),
            wrong=float(sums[WRONG] / sums[OFFERED]),
            luck=0.0 if certain else float(1 - explained / spread_of_results),
        )


def equal_play(solution: AnySolution, error_rate: float) -> EqualPlay:
    """The figures of a game between two players who both err that often."""
    method = solution.tables.method
    if isinstance(method, CardKernel):
        return EqualPlay.of(
            solution.tables.read(lambda sections: play_cards(method, sections, error_rate))
        )
    return EqualPlay.of(play_layers(solution, error_rate))


def opened(solution: AnySolution) -> AnyArrays:
    arrays = solution.open_arrays()
    if arrays is None:
        raise ValueError(f"The strategies of {solution.game!r} cannot be stored as arrays.")
    return arrays


# ---- games whose strategies are arrays -----------------------------------------


class Step(NamedTuple):
    """What equal players do in the states of a chunk: a column for each thing that may follow."""

    odds: Floats
    #: What the other's mistake gives, less what one's own costs, seen from the state.
    edges: Floats
    #: What each state adds to the counts of DECISIONS, MATTERS, OFFERED and WRONG.
    counts: Floats


def play_layers(solution: AnySolution, error_rate: float) -> Floats:
    """The mean of each sum at the start."""
    arrays = opened(solution)
    kernel = arrays.kernel
    assert isinstance(kernel, LayeredMethod)
    policy = ArrayPolicy.perfect(solution, error_rate)
    sign = -1 if kernel.in_turn else 1  # in turn, what follows belongs to the other seat
    table = np.zeros((SUMS, len(arrays.codes)))
    table[RESULT, :ENDS] = -1, 0, 1
    table[DRAWS, 1] = 1
    for chunk in kernel.graph.backwards(silent):
        step = in_turn(policy, chunk) if kernel.in_turn else at_once(policy, chunk)
        places = kernel.graph.places[chunk.after].reshape(len(chunk.codes), -1)
        after = table[:, places]
        found = np.einsum("nm,qnm->qn", step.odds, after)
        found[TURNS_SQUARED] += 1 + 2 * found[TURNS]
        found[TURNS] += 1
        weighted = step.odds * step.edges
        found[PRODUCT] += sign * (weighted * after[RESULT]).sum(axis=1)
        found[[RESULT, EDGE]] *= sign
        found[EDGE] += weighted.sum(axis=1)
        found[DECISIONS:] += step.counts
        table[:, kernel.graph.places[chunk.codes]] = found
    return table[:, arrays.codes.searchsorted(kernel.start)]


def in_turn(policy: AnyPolicy, chunk: Chunk) -> Step:
    losses = losses_in(policy.arrays, chunk, Seat.ONE)
    return Step(policy.strategies(chunk, Seat.ONE), -losses, counted(losses))


def at_once(policy: AnyPolicy, chunk: Chunk) -> Step:
    rows, columns = (policy.strategies(chunk, seat) for seat in Seat)
    own, other = (losses_in(policy.arrays, chunk, seat) for seat in Seat)
    size = len(chunk.codes)
    odds = (rows[:, :, None] * columns[:, None, :]).reshape(size, -1)
    edges = (other[:, None, :] - own[:, :, None]).reshape(size, -1)
    return Step(odds, edges, counted(own) + counted(other))


def losses_in(arrays: AnyArrays, chunk: Chunk, seat: Seat) -> Floats:
    """What every option of a seat costs in the states of a chunk."""
    side: Side = arrays.sides[seat]
    starts = side.starts[arrays.codes.searchsorted(chunk.codes)]
    values = side.values[starts[:, None] + np.arange(chunk.after.shape[1 + seat])]
    losses: Floats = values.max(axis=1, keepdims=True) - values
    return np.where(losses < TOLERANCE, 0.0, losses)


def counted(losses: Floats) -> Floats:
    """One decision of each state: whether it matters, how many options it has, and wrong ones."""
    wrong = (losses > 0).sum(axis=1)
    ones = np.ones(len(losses))
    return np.stack((ones, wrong > 0, ones * losses.shape[1], wrong))


# ---- moves that are best nowhere -----------------------------------------------


def best_nowhere(solution: AnySolution) -> list[str]:
    """The moves that are open in decisions that matter, and best in none that can arise."""
    method = solution.tables.method
    if isinstance(method, CardKernel):
        useful = solution.tables.read(lambda sections: useful_cards(method, sections))
        pairs = zip(*np.nonzero(useful.any(axis=1, keepdims=True) & ~useful), strict=True)
        return [f"{card + 1}{'kg'[move]}" for card, move in pairs]
    names = [str(move) for move in solution.game.all_moves()]
    offered, best = np.zeros((2, len(names)), np.bool_)
    arrays = opened(solution)
    for side, actions in zip(arrays.sides, option_actions(arrays), strict=True):
        starts, counts = side.starts[ENDS:-1], np.diff(side.starts)[ENDS:]
        top = np.maximum.reduceat(side.values, starts)
        matters = np.repeat(top - np.minimum.reduceat(side.values, starts) >= TOLERANCE, counts)
        offered[actions[matters]] = True
        best[actions[matters & (np.repeat(top, counts) - side.values < TOLERANCE)]] = True
    return [names[place] for place in np.flatnonzero(offered & ~best)]
