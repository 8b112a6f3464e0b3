"""Policies and exact figures by the code of a state, for many states at once."""

# ruff: noqa: PLR0917 -- called by place, as the lookups of single states are

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from number_duels.adapters.packed.operations import Number, namespace, select
from number_duels.adapters.packed.rules import ONGOING, Rules, State
from number_duels.adapters.tables.layered import ChoiceTable, FigureTable
from number_duels.adapters.tables.lookup import Lookup


class WideChoices(NamedTuple):
    """A table of choices in which every state has room for the same number of them."""

    #: Of each seat and code: `~action` where there is no choice, or the place of the first.
    entries: NDArray[np.int32]
    #: The last half that makes each choice, and its action; as many rows as the longest has.
    lasts: NDArray[np.uint32]
    actions: NDArray[np.int32]


def prepare(table: ChoiceTable) -> WideChoices:
    """The choices of each state in a row of their own, filled up with the last."""
    firsts = np.flatnonzero(table.choices[:, 0] == 0)
    counts = np.diff(firsts, append=len(table.choices))
    place = np.minimum(np.arange(counts.max(initial=1)), counts[:, None] - 1)
    rows = firsts[:, None] + place
    row = np.searchsorted(firsts, np.maximum(table.entries, 0), "right") - 1
    entries = np.where(table.entries < 0, table.entries, row).astype(np.int32)
    return WideChoices(entries, table.choices[rows, 1], table.choices[rows, 2].astype(np.int32))


@cache
def make_lookup(rules: Rules) -> Lookup:
    """How the tables of a game are asked."""
    assert rules.codes is not None  # who has tables like these has codes
    (code, _), mover, both = rules.codes, rules.mover, rules.both
    play, result = rules.play, rules.result

    def choose(
        table: WideChoices, settings: object, state: State, seat: Number, half: Number
    ) -> Number:
        row = table.entries[seat if both else 0, code(settings, state)]
        here = select(row < 0, 0, row)
        place = 0
        for n in range(table.lasts.shape[1] - 1):
            place = place + select(half > table.lasts[here, n], 1, 0)
        return select(row < 0, ~row, table.actions[here, place])

    def value(table: FigureTable, settings: object, state: State) -> Number:
        worth = table.worth[code(settings, state)]
        return worth if both else worth * (1 - 2 * mover(state))

    def loss(
        table: FigureTable,
        settings: object,
        state: State,
        seat: Number,
        action: Number,
        before: Number,
    ) -> Number:
        if both:
            return table.losses[seat, table.nodes[code(settings, state)], action]
        after = play(settings, state, action, action)
        end = result(settings, after)
        # The code of a state that is over may be any number: its worth is not looked at.
        safe = namespace(end).where
        going = end == ONGOING
        held = type(state)(*(safe(going, new, old) for new, old in zip(after, state, strict=True)))
        now = select(going, value(table, settings, held), end)
        return (1 - 2 * seat) * (before - now)

    return Lookup(choose, value, loss)
