"""Tables of policies and exact values, for games with strategy arrays.

The tables are indexed by state code. A node is a state's index in the strategy arrays.
"""

# ruff: noqa: PLR0917 -- compiled functions take no keywords

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
from number_duels.machine.rules import ONGOING, Rules, State
from number_duels.solvers import PerfectPolicy
from number_duels.solvers.batch_matrix_games import Floats
from number_duels.solvers.layered import ENDS
from number_duels.solvers.strategy_arrays import Actions, ArrayPolicy, option_actions

Integers: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.int32]


class ChoiceTable(NamedTuple):
    """A table that turns 32 random bits into a seat's choice, for every state."""

    #: By seat and code: `~action` for a single choice, else the index of the likeliest choice.
    entries: Places
    #: The smallest and largest random number that select each choice, and its action. The choices
    #: of one state are adjacent and in order.
    choices: NDArray[np.uint32]


class FigureTable(NamedTuple):
    """The value of every state, and the loss of every option if both seats choose at once."""

    #: By code: the value for the seat that moves, or for Player 1 if both choose.
    values: Floats
    #: If both choose: the node of each code, and the loss by seat, node and action.
    nodes: Places
    losses: Floats


def choice_table(policy: KnownPolicy) -> ChoiceTable | None:
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
    arrays = solution.open_arrays()
    if arrays is None:
        return None
    values = np.zeros(arrays.kernel.size)
    values[arrays.codes] = arrays.node_values
    nodes = np.zeros(0 if arrays.kernel.in_turn else arrays.kernel.size, np.int32)
    losses = np.zeros((2, len(arrays.codes), 1 + max(map(np.max, option_actions(arrays)))))
    if arrays.kernel.in_turn:  # the loss of a choice is the difference between two states' values
        return FigureTable(values, nodes, losses[:, :0])
    nodes[arrays.codes] = np.arange(len(arrays.codes))
    for row, (side, actions) in enumerate(zip(arrays.sides, option_actions(arrays), strict=True)):
        counts = np.diff(side.starts)
        best = np.repeat(np.maximum.reduceat(side.values, side.starts[ENDS:-1]), counts[ENDS:])
        losses[row, np.repeat(np.arange(len(counts)), counts), actions] = best - side.values
    return FigureTable(values, nodes, losses)


def supported(
    starts: Integers, odds: Floats, actions: Actions
) -> tuple[Integers, Integers, NDArray[np.uint32]]:
    """Return three arrays of the choices that have a probability above 0.

    The first has the index of each node's first choice, the second that of its likeliest choice.
    The third has a row per choice: the smallest and largest random numbers that select it, and its
    action.
    """
    may = odds > 0
    before = np.concatenate(([0], np.cumsum(may)))
    starts, odds = before[starts], odds[may]
    counts = np.diff(starts)
    sums, totals, highest = np.zeros(len(odds)), np.zeros(len(counts)), np.zeros(len(counts))
    likeliest = starts[:-1].copy()
    for place in range(counts.max(initial=0)):  # added in the same order as by `accumulate`
        nodes = np.flatnonzero(counts > place)
        here = starts[nodes] + place
        totals[nodes] += odds[here]
        sums[here] = totals[nodes]
        higher = odds[here] > highest[nodes]
        highest[nodes[higher]], likeliest[nodes[higher]] = odds[here[higher]], here[higher]
    lasts = last_halves(sums, np.repeat(totals, counts))
    firsts = np.concatenate(([0], lasts[:-1] + 1)) % HALVES  # 0 for the first choice of each node
    return starts, likeliest, np.stack((firsts, lasts, actions[may]), axis=1).astype(np.uint32)


@cache
def make_lookup(rules: Rules) -> Lookup:
    assert rules.codes is not None  # the tables are indexed by code
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
        found = table.values[code(settings, state)]
        return float(found if both or mover(state) == 0 else 0.0 - found)

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
