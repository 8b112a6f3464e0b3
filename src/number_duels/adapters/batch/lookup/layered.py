"""Policies and exact figures by the code of a state, for games whose strategies are arrays.

Every code has a node, and either seat's choices at a node lie side by side.
"""

# ruff: noqa: PLR0917 -- compiled functions are called by place

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.adapters.batch.lookup import (
    HALVES,
    AnySolution,
    KnownPolicy,
    Lookup,
    last_halves,
)
from number_duels.adapters.tables import Actions, option_actions
from number_duels.machine.rules import ONGOING, Rules, State
from number_duels.solvers import PerfectPolicy
from number_duels.solvers.batch_matrix_games import Floats
from number_duels.solvers.layered import ENDS
from number_duels.solvers.strategy_arrays import ArrayPolicy

Integers: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.int32]


class ChoiceTable(NamedTuple):
    """How a seat chooses in every state, by half of a random number; each look is one of few.

    Where the seats move in turn there is one row of `entries`, which serves either.
    """

    #: Of each seat and code: `~action` where there is no choice, or the place of the likeliest.
    entries: Places
    #: The first half that makes each choice, the last one, and its action; those of one state
    #: side by side, in order.
    choices: NDArray[np.uint32]


class FigureTable(NamedTuple):
    """What every state is worth; where both choose at once, also what every option loses there."""

    #: By code: to the seat that moves; where both choose, to Player 1.
    worth: Floats
    #: Where both choose: the node of each code, and by seat, node and action what it loses.
    nodes: Places
    losses: Floats


def choice_table(policy: KnownPolicy) -> ChoiceTable | None:
    """How a policy chooses: the very choice that the sums of its probabilities make."""
    if isinstance(policy, PerfectPolicy):
        if policy.solution.open_arrays() is None:
            return None
        policy = ArrayPolicy.perfect(policy.solution, policy.error_rate)
    arrays = policy.arrays
    entries = np.zeros((len(arrays.sides), arrays.kernel.size), np.int32)
    choices: list[NDArray[np.uint32]] = []
    for row, actions in enumerate(option_actions(arrays)):
        starts, likeliest, found = supported(
            arrays.sides[row].starts, policy.probabilities[row], actions
        )
        shift = sum(map(len, choices))
        single = np.diff(starts) == 1
        only = found[np.minimum(likeliest, len(found) - 1), 2].astype(np.int64)
        entries[row, arrays.codes] = np.where(single, ~only, likeliest + shift)
        choices.append(found)
    return ChoiceTable(entries, np.concatenate(choices))


def figure_table(solution: AnySolution) -> FigureTable | None:
    """What `Solution.values` says, as what is lost against the best option."""
    arrays = solution.open_arrays()
    if arrays is None:
        return None
    worth = np.zeros(arrays.kernel.size)
    worth[arrays.codes] = arrays.worth
    nodes = np.zeros(0 if arrays.kernel.in_turn else arrays.kernel.size, np.int32)
    losses = np.zeros((2, len(arrays.codes), 1 + max(map(np.max, option_actions(arrays)))))
    if arrays.kernel.in_turn:  # what a choice loses is the difference of what states are worth
        return FigureTable(worth, nodes, losses[:, :0])
    nodes[arrays.codes] = np.arange(len(arrays.codes))
    for row, (side, actions) in enumerate(zip(arrays.sides, option_actions(arrays), strict=True)):
        counts = np.diff(side.starts)
        best = np.repeat(np.maximum.reduceat(side.values, side.starts[ENDS:-1]), counts[ENDS:])
        losses[row, np.repeat(np.arange(len(counts)), counts), actions] = best - side.values
    return FigureTable(worth, nodes, losses)


def supported(
    starts: Integers, odds: Floats, actions: Actions
) -> tuple[Integers, Integers, NDArray[np.uint32]]:
    """What may be chosen: where it begins at each node, where the likeliest lies, the choices."""
    may = odds > 0
    before = np.concatenate(([0], np.cumsum(may)))
    starts, odds = before[starts], odds[may]
    counts = np.diff(starts)
    sums, totals, highest = np.zeros(len(odds)), np.zeros(len(counts)), np.zeros(len(counts))
    likeliest = starts[:-1].copy()
    for place in range(counts.max(initial=0)):  # one after the other, as `accumulate` adds
        nodes = np.flatnonzero(counts > place)
        here = starts[nodes] + place
        totals[nodes] += odds[here]
        sums[here] = totals[nodes]
        higher = odds[here] > highest[nodes]
        highest[nodes[higher]], likeliest[nodes[higher]] = odds[here[higher]], here[higher]
    lasts = last_halves(sums, np.repeat(totals, counts))
    firsts = np.concatenate(([0], lasts[:-1] + 1)) % HALVES  # of each node's first choice 0
    return starts, likeliest, np.stack((firsts, lasts, actions[may]), axis=1).astype(np.uint32)


@cache
def make_lookup(rules: Rules) -> Lookup:
    """Return how compiled code asks about one state."""
    assert rules.codes is not None  # these tables are by code
    code, mover, both = rules.codes.code, rules.mover, rules.both
    play, result = rules.play, rules.result

    def choose(table: ChoiceTable, settings: object, state: State, seat: int, half: int) -> int:
        place = table.entries[seat if both else 0, code(settings, state)]
        if place < 0:
            return ~int(place)
        while half > table.choices[place, 1]:
            place += 1
        while half < table.choices[place, 0]:
            place -= 1
        return int(table.choices[place, 2])

    def value(table: FigureTable, settings: object, state: State) -> float:
        worth = table.worth[code(settings, state)]
        return float(worth if both or mover(state) == 0 else 0.0 - worth)

    def loss(
        table: FigureTable, settings: object, state: State, seat: int, action: int, before: float
    ) -> float:
        if both:
            return float(table.losses[seat, table.nodes[code(settings, state)], action])
        after = play(settings, state, action, 0)
        end = result(settings, after)
        now = float(end) if end != ONGOING else value(table, settings, after)
        return (1 - 2 * seat) * (before - now) + 0.0

    return Lookup(choose, value, loss)
