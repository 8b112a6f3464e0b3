"""What drives packed rules: thousands of games a step, and random playouts.

The drivers know no game. A kernel's rules are plain functions over a packed state; they are
handed to the drivers here and compiled together with them.
"""

# ruff: noqa: PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TypeAlias

import numpy as np

from number_duels.adapters.batch.arrays import BEGIN, SHOW, STEP, BatchArrays
from number_duels.adapters.batch.compiled import operations  # noqa: F401 -- compiled code calls them
from number_duels.adapters.batch.compiled.figures import (
    make_grade,
    make_value,
    no_grades,
    no_value,
)
from number_duels.adapters.batch.compiled.jit import SOURCE_VERSION, compiled, inlined
from number_duels.adapters.batch.compiled.playouts import Playouts, compile_playouts
from number_duels.adapters.batch.compiled.turns import (
    make_act,
    make_answer,
    make_begin,
    make_close,
    make_present,
    make_random_choice,
    make_table_choice,
    save,
)
from number_duels.adapters.batch.splitmix64 import drawn_seat
from number_duels.adapters.packed import rules as packed_rules
from number_duels.adapters.packed.rules import ONGOING, PackedGame, Rows, Rules
from number_duels.adapters.tables.lookup import Lookup

#: The range of games, what is done with them, and the options of the batch.
Order: TypeAlias = tuple[int, int, int, bool, bool]
Step: TypeAlias = Callable[
    [object, BatchArrays, np.uint64, Rows, tuple[object, object], Order], None
]


@dataclass(frozen=True)
class BatchKernel:
    """The compiled rules of a game, with its settings."""

    packed: PackedGame

    @property
    def settings(self) -> tuple[object, ...]:
        return self.packed.settings

    @property
    def width(self) -> int:
        """How many numbers a packed state has."""
        return len(self.packed.bounds)

    def step(self, lookup: Lookup | None, choices: bool, figures: bool) -> Step:
        """One turn of every game, or their beginning; with tables to choose by, and of figures."""
        return compile_step(self.packed.rules, lookup, choices, figures)

    @property
    def playouts(self) -> Playouts:
        """Whole games by random moves."""
        return compile_playouts(self.packed.rules)


def make_kernel(packed: PackedGame) -> BatchKernel:
    """A kernel; compiled code may call all functions of the rules from now on."""
    register_functions(packed_rules.__name__)
    register_functions(packed.rules.begin.__module__)
    return BatchKernel(packed)


@cache
def register_functions(module_name: str) -> None:
    for value in vars(sys.modules[module_name]).values():
        if isinstance(value, FunctionType) and value.__module__ == module_name:
            inlined(value)


@cache
def compile_step(rules: Rules, lookup: Lookup | None, choices: bool, figures: bool) -> Step:
    """The compiled step of a game."""
    if lookup:
        register_functions(lookup.choose.__module__)
    chosen = make_table_choice(lookup.choose) if lookup and choices else make_random_choice(rules)
    answered = make_answer(rules, chosen)
    acted, opened, close = make_act(rules, chosen, answered), make_begin(rules), make_close(rules)
    grade = make_grade(rules, lookup) if lookup and figures else no_grades
    value = make_value(lookup) if lookup and figures else no_value
    load, both, mover, present = rules.load, rules.both, rules.mover, make_present(rules)
    source_version = SOURCE_VERSION

    def step(
        settings: object,
        arrays: BatchArrays,
        seed: np.uint64,
        actions: Rows,
        tables: tuple[object, object],
        order: Order,
    ) -> None:
        """Play a turn of every game, begin them all, or show them as they are."""
        source_version  # noqa: B018 -- see where it is made
        (
            rows, streams, played, rivals, movers, observations, masks,
            rewards, done, illegal, finals, values, losses,
        ) = arrays  # fmt: skip
        first, last, mode, next_step, draw_seats = order
        table, worth = tables
        for index in range(first, last):
            rival, state, stream = int(rivals[index]), load(rows, index), streams[index]
            faults, end, actor = 0, ONGOING, mover(state)
            waited = mode == STEP and next_step and done[index]
            acts = mode == STEP and not waited
            pair, count = (actions[index, 0], actions[index, 1 if both else 0]), masks.shape[2]
            before = values[index] if figures else 0.0
            grade(worth, settings, state, acts, pair, rival, count, before, losses, index)
            if acts:
                state, stream, faults, end = acted(
                    table, settings, state, stream, pair, rival, count
                )
            over = faults != 0 or end != ONGOING
            close(settings, state, over, faults, end, index, rewards, done, illegal, finals)
            begins = mode == BEGIN or waited or (over and not next_step)
            if begins:
                played[index] += mode == STEP
                state, stream = opened(settings, seed, index, played[index])
                if draw_seats:
                    rival = drawn_seat(stream)
                    rivals[index] = rival
            if begins or mode == SHOW:
                state, stream, end = answered(table, settings, state, stream, rival)
            save(state, stream, rows, streams, index)
            ended = (
                over and not begins
            )  # where nothing is open it is over, or was before a first turn
            seat = 1 - rival if rival >= 0 else actor if ended else mover(state)
            closed = ended or end != ONGOING
            present(settings, state, seat, closed, movers, observations, masks, index)
            value(
                worth, settings, state, closed, rewards[index, 0] if ended else end, values, index
            )

    return compiled(step)
