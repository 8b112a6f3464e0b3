"""Exact figures beside the steps of compiled code, looked up in a table; or none."""

# ruff: noqa: PLR0917 -- compiled functions are called by place, all alike

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.adapters.batch.compiled.turns import make_legal
from number_duels.adapters.packed.rules import ONGOING, Rules, State
from number_duels.adapters.tables.lookup import Lookup

Floats = npt.NDArray[np.float64]


@inlined
def no_grades(
    table: object,
    settings: object,
    state: State,
    acts: bool,
    pair: tuple[int, int],
    rival: int,
    actions: int,
    before: float,
    losses: Floats,
    index: int,
) -> None:
    """Nobody asks."""


@inlined
def no_value(
    table: object, settings: object, state: State, over: bool, end: int, values: Floats, index: int
) -> None:
    """Nobody asks."""


def make_grade(rules: Rules, lookup: Lookup) -> Callable[..., None]:
    """How it is written down what the choices of the seats that are not the rival's have lost."""
    both, mover, result, legal = rules.both, rules.mover, rules.result, make_legal(rules)
    lost = inlined(lookup.loss)

    @inlined
    def grade(
        table: object,
        settings: object,
        state: State,
        acts: bool,
        pair: tuple[int, int],
        rival: int,
        actions: int,
        before: float,
        losses: Floats,
        index: int,
    ) -> None:
        decided = acts and result(settings, state) == ONGOING  # else over before a first turn
        for place in range(2 if both else 1):
            seat, action = place if both else mover(state), pair[place]
            losses[index, place] = 0
            if decided and seat != rival:
                if legal(settings, state, seat, action, actions):
                    losses[index, place] = lost(table, settings, state, seat, action, before)
                else:  # what it had, and the game is lost
                    losses[index, place] = 1 + before * (1 - 2 * seat)

    return grade


def make_value(lookup: Lookup) -> Callable[..., None]:
    """How it is written down what a position is worth to Player 1, or how it has ended."""
    worth = inlined(lookup.value)

    @inlined
    def value(
        table: object,
        settings: object,
        state: State,
        over: bool,
        end: int,
        values: Floats,
        index: int,
    ) -> None:
        values[index] = end if over else worth(table, settings, state)

    return value
