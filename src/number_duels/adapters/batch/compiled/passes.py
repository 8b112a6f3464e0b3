"""What compiled code looks up in tables beside its steps: in passes of their own.

In a loop that does nothing else the processor looks up the next games while it waits for one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from number_duels.adapters.batch.arrays import STEP, BatchArrays, Order
from number_duels.adapters.batch.compiled.jit import compiled, inlined
from number_duels.adapters.batch.compiled.turns import make_legal, make_table_choice
from number_duels.adapters.batch.splitmix64 import mix
from number_duels.adapters.packed.rules import ONGOING, Rows, Rules
from number_duels.adapters.tables.lookup import Lookup

#: A pass over some games: with the settings, all arrays, the actions, a table, and the order.
Pass: TypeAlias = Callable[[object, BatchArrays, Rows, object, Order], None]


@cache
def compile_picks(rules: Rules, lookup: Lookup) -> Pass:
    """What the rival chooses, put among the actions: where both choose it is known before."""
    load, chosen = rules.load, make_table_choice(lookup.choose)

    def pick(
        settings: object, arrays: BatchArrays, actions: Rows, table: object, order: Order
    ) -> None:
        rows, streams, rivals, done = arrays.rows, arrays.streams, arrays.rivals, arrays.done
        first, last, mode, next_step, _ = order
        for index in range(first, last):
            rival = rivals[index]
            if mode == STEP and rival >= 0 and not (next_step and done[index]):
                state, number = load(rows, index), mix(streams[index])
                actions[index, rival] = chosen(table, settings, state, rival, number)

    return compiled(pick)


@cache
def compile_grades(rules: Rules, lookup: Lookup) -> Pass:
    """What the choices that are about to be played lose, those of the rival apart."""
    load, both, mover, result = rules.load, rules.both, rules.mover, rules.result
    legal, lost = make_legal(rules), inlined(lookup.loss)

    def grade(
        settings: object, arrays: BatchArrays, actions: Rows, table: object, order: Order
    ) -> None:
        rows, rivals, values, losses = arrays.rows, arrays.rivals, arrays.values, arrays.losses
        first, last, mode, next_step, _ = order
        for index in range(first, last):
            state, before = load(rows, index), values[index]
            decided = mode == STEP and not (next_step and arrays.done[index])
            for place in range(2 if both else 1):
                seat, action = place if both else mover(state), actions[index, place]
                losses[index, place] = 0
                # A game may be over before a first turn.
                if decided and seat != rivals[index] and result(settings, state) == ONGOING:
                    if legal(settings, state, seat, action, arrays.masks.shape[2]):
                        losses[index, place] = lost(table, settings, state, seat, action, before)
                    else:  # what it had, and the game is lost
                        losses[index, place] = 1 + before * (1 - 2 * seat)

    return compiled(grade)


@cache
def compile_values(rules: Rules, lookup: Lookup) -> Pass:
    """What the positions that are shown are worth to Player 1; of ended games, their result."""
    load, result, worth = rules.load, rules.result, inlined(lookup.value)

    def value(settings: object, arrays: BatchArrays, _: Rows, table: object, order: Order) -> None:
        rows, done, rewards, values = arrays.rows, arrays.done, arrays.rewards, arrays.values
        first, last, next_step = order[0], order[1], order[3]
        for index in range(first, last):
            state = load(rows, index)
            end = result(settings, state)
            if next_step and done[index]:
                values[index] = rewards[index, 0]
            elif end != ONGOING:
                values[index] = end
            else:
                values[index] = worth(table, settings, state)

    return compiled(value)
