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

from number_duels.adapters.batch.arrays import BEGIN, NOBODY, SHOW, STEP, BatchArrays, Order
from number_duels.adapters.batch.compiled import operations  # noqa: F401 -- compiled code calls them
from number_duels.adapters.batch.compiled.jit import compiled, inlined
from number_duels.adapters.batch.compiled.known import (
    OTHER,
    Known,
    make_settings_check,
    make_shape_check,
)
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

Step: TypeAlias = Callable[[object, BatchArrays, np.uint64, Rows, object, Order], None]


@dataclass(frozen=True)
class BatchKernel:
    """The compiled rules of a game, with its settings."""

    packed: PackedGame
    #: What its code is compiled for; None: for any settings.
    known: Known | None

    @property
    def settings(self) -> tuple[object, ...]:
        return self.packed.settings

    @property
    def width(self) -> int:
        """How many numbers a packed state has."""
        return len(self.packed.bounds)

    def step(self, lookup: Lookup | None, plain: bool) -> Step:
        """One turn of every game, or their beginning; the rival's by a table, or at random."""
        return compile_step(self.packed.rules, self.width, self.known, lookup, plain)

    @property
    def playouts(self) -> Playouts:
        """Whole games by random moves."""
        return compile_playouts(self.packed.rules, self.known)


def use_lookup(lookup: Lookup) -> Lookup:
    """The same functions, which compiled code may call from now on, with all that they call."""
    register_functions(lookup.choose.__module__)
    return lookup


def make_kernel(packed: PackedGame, *, usual: bool) -> BatchKernel:
    """A kernel; compiled code may call all functions of the rules from now on.

    Code for the usual settings is compiled for them alone, which makes playouts half as fast again.
    """
    register_functions(packed_rules.__name__)
    register_functions(packed.rules.begin.__module__)
    settings, known = packed.settings, None
    if usual:
        numbers = tuple(value if isinstance(value, int) else None for value in settings)
        known = Known(numbers, sum(packed.rules.counts(settings)), packed.actions)
    return BatchKernel(packed, known)


@cache
def register_functions(module_name: str) -> None:
    for value in vars(sys.modules[module_name]).values():
        if isinstance(value, FunctionType) and value.__module__ == module_name:
            inlined(value)


@cache
def compile_step(
    rules: Rules, width: int, known: Known | None, lookup: Lookup | None, plain: bool
) -> Step:
    """The compiled step of a game, whose rival chooses by a table or at random.

    A plain one has no rivals, and a game that has ended is followed by a new one in the same step.
    """
    chosen = make_table_choice(lookup.choose) if lookup else make_random_choice(rules)
    answered = make_answer(rules, chosen)
    # Where both choose, a table was asked before, and the rival's action is among the actions.
    acted = make_act(rules, chosen, answered, picked=lookup is not None)
    opened, close, present = make_begin(rules), make_close(rules), make_present(rules)
    load, both, mover = rules.load, rules.both, rules.mover
    has_shape = make_shape_check(width, 2 if both else 1, known)
    has_settings = make_settings_check(known)

    def step(
        settings: object,
        arrays: BatchArrays,
        seed: np.uint64,
        actions: Rows,
        table: object,
        order: Order,
    ) -> None:
        """Play a turn of every game, begin them all, or show them as they are."""
        (
            rows, streams, played, rivals, movers, observations, masks,
            rewards, done, illegal, finals, _, _,
        ) = arrays  # fmt: skip
        first, last, mode, next_step, draw_seats = order
        if not has_settings(settings):
            raise ValueError(OTHER)
        if not has_shape(rows, actions, observations, masks, rewards, illegal, finals):
            raise ValueError(OTHER)
        marks = masks.view(np.uint8)
        for number in range(first, last):
            # Without a sign: whether to count from the end would be asked at every access.
            index = np.uintp(number)
            rival = NOBODY if plain else int(rivals[index])
            state, stream = load(rows, index), streams[index]
            faults, end, actor = 0, ONGOING, mover(state)
            waited = not plain and mode == STEP and next_step and done[index]
            if mode == STEP and not waited:
                pair = actions[index, 0], actions[index, 1 if both else 0]
                state, stream, faults, end = acted(
                    table, settings, state, stream, pair, rival, masks.shape[2]
                )
            over = faults != 0 or end != ONGOING
            close(settings, state, over, faults, end, index, rewards, done, illegal, finals)
            begins = mode == BEGIN or waited or (over and (plain or not next_step))
            if begins:
                played[index] += mode == STEP
                state, stream = opened(settings, seed, index, played[index])
                if not plain and draw_seats:
                    rival = drawn_seat(stream)
                    rivals[index] = rival
            if not plain and (begins or mode == SHOW):
                state, stream, end = answered(table, settings, state, stream, rival)
            save(state, stream, rows, streams, index)
            ended = over and not begins
            seat = 1 - rival if rival >= 0 else actor if ended else mover(state)
            # Nothing is open after the end, which may have been before a first turn.
            closed = ended or (not plain and end != ONGOING)
            present(settings, state, seat, closed, movers, observations, marks, index)

    return compiled(step)
