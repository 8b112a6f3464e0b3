"""Policies and exact figures by the code of a state, for games whose strategies are arrays.

Every code has a node, and either seat's choices at a node lie side by side. Compiled code and JAX
read the same arrays.
"""

# ruff: noqa: PLR0917 -- compiled functions are called by place

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.adapters.packed.rules import ONGOING, Rules, State
from number_duels.adapters.tables.lookup import (
    HALVES,
    AnySolution,
    KnownPolicy,
    Lookup,
    last_halves,
)
from number_duels.core.game import S, Seat
from number_duels.solvers.layered import ENDS, chunks
from number_duels.solvers.layered_proper import Floats
from number_duels.solvers.perfect_policy import PerfectPolicy
from number_duels.solvers.strategy_arrays import ArrayPolicy, StrategyArrays

Actions: TypeAlias = NDArray[np.int16]
Integers: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.int32]


class ChoiceTable(NamedTuple):
    """How either seat chooses at every node, by half of a random number.

    What is never chosen is left out; the others' halves follow one another.
    """

    #: The node of each code; 0: it cannot arise.
    nodes: Places
    #: Where the choices of each seat at each node begin, and where the likeliest of them lies.
    starts: Places
    likeliest: Places
    #: The first half that makes each choice, the last one, and its action.
    choices: NDArray[np.uint32]


class FigureTable(NamedTuple):
    """What every node is worth; where both choose at once, also what every option loses there."""

    nodes: Places
    #: To the seat that moves; where both choose, to Player 1.
    worth: Floats
    #: Where the options of each seat at each node begin, their actions, and what they lose.
    starts: Places
    actions: Actions
    losses: Floats


def choice_table(policy: KnownPolicy) -> ChoiceTable | None:
    """How a policy chooses: the very choice that the sums of its probabilities make."""
    if isinstance(policy, PerfectPolicy):
        if policy.solution.open_arrays() is None:
            return None
        policy = ArrayPolicy.perfect(policy.solution, policy.error_rate)
    arrays = policy.arrays
    sides = [
        supported(side.starts, odds, actions)
        for side, odds, actions in zip(
            arrays.sides, policy.probabilities, option_actions(arrays), strict=True
        )
    ]
    starts, likeliest, choices = zip(*sides, strict=True)
    shift = 0 if arrays.kernel.in_turn else len(choices[0])
    return ChoiceTable(
        dense_nodes(arrays),
        joined(starts, shift),
        joined(likeliest, shift),
        np.concatenate(choices),
    )


def figure_table(solution: AnySolution) -> FigureTable | None:
    """What `Solution.values` says, as what is lost against the best option."""
    arrays = solution.open_arrays()
    if arrays is None:
        return None
    nodes = dense_nodes(arrays)
    if arrays.kernel.in_turn:  # what a choice loses is the difference of what positions are worth
        return FigureTable(
            nodes, arrays.worth, np.zeros((2, 0), np.int32), np.zeros(0, np.int16), np.zeros(0)
        )
    losses = [
        np.repeat(
            np.maximum.reduceat(side.values, side.starts[ENDS:-1]), np.diff(side.starts[ENDS:])
        )
        - side.values
        for side in arrays.sides
    ]
    starts = joined([side.starts[:-1] for side in arrays.sides], len(losses[0]))
    actions = np.concatenate(option_actions(arrays))
    return FigureTable(nodes, arrays.worth, starts, actions, np.concatenate(losses))


def dense_nodes(arrays: StrategyArrays[S]) -> Places:
    """The node of every code."""
    nodes = np.zeros(arrays.kernel.size, np.int32)
    nodes[arrays.codes] = np.arange(len(arrays.codes))
    return nodes


def option_actions(arrays: StrategyArrays[S]) -> tuple[Actions, ...]:
    """The action of every option, side by side as the options of `StrategyArrays` lie."""
    kernel, reached = arrays.kernel, np.zeros(arrays.kernel.size, np.uint8)
    reached[arrays.codes[ENDS:]] = 1
    found = tuple(np.zeros(len(side.values), np.int16) for side in arrays.sides)
    for layer in kernel.layers():
        for codes in chunks(layer, reached):
            nodes = arrays.codes.searchsorted(codes)
            for place, (side, actions) in enumerate(zip(arrays.sides, found, strict=True)):
                moves = kernel.moves(layer, codes, Seat(place))
                actions[side.starts[nodes][:, None] + np.arange(moves.shape[1])] = moves
    return found


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
    return starts[:-1], likeliest, np.stack((firsts, lasts, actions[may]), axis=1).astype(np.uint32)


def joined(sides: Sequence[Integers], shift: int) -> Places:
    """Places of either seat, the second seat's that much further on.

    Where one seat moves there is one side, which serves either.
    """
    return np.stack((sides[0], sides[-1] + shift)).astype(np.int32)


@cache
def make_lookup(rules: Rules) -> Lookup:
    """How the tables of a game are asked."""
    assert rules.codes is not None  # who has tables like these has codes
    (code, _), mover, both = rules.codes, rules.mover, rules.both
    play, result = rules.play, rules.result

    def choose(table: ChoiceTable, settings: object, state: State, seat: int, half: int) -> int:
        place = table.likeliest[seat, table.nodes[code(settings, state)]]
        while half > table.choices[place, 1]:
            place += 1
        while half < table.choices[place, 0]:
            place -= 1
        return int(table.choices[place, 2])

    def value(table: FigureTable, settings: object, state: State) -> float:
        worth = table.worth[table.nodes[code(settings, state)]]
        return float(worth if both or mover(state) == 0 else 0.0 - worth)

    def loss(
        table: FigureTable, settings: object, state: State, seat: int, action: int, worth: float
    ) -> float:
        if not both:
            after = play(settings, state, action, 0)
            end = result(settings, after)
            now = float(end) if end != ONGOING else value(table, settings, after)
            return (1 - 2 * seat) * (worth - now) + 0.0
        place = table.starts[seat, table.nodes[code(settings, state)]]
        while table.actions[place] != action:
            place += 1
        return float(table.losses[place])

    return Lookup(choose, value, loss)
