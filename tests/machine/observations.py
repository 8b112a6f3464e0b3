"""Observations of seats by the machine rules, in NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from number_duels.machine.operations import Number
from number_duels.machine.rules import PackedGame, State


def observed(packed: PackedGame, state: State, seat: Number) -> npt.NDArray[np.int64]:
    """The words that a seat sees, as the numbers of an observation: a row for each state."""
    rules, settings = packed.rules, packed.settings
    seats = np.broadcast_to(np.asarray(seat, np.int32), len(state[0]))
    words = rules.observe(settings, state, seats)
    columns = []
    for word, count, width in zip(words, rules.counts(settings), rules.widths, strict=True):
        mask = (1 << width) - 1 if width else -1
        columns += [np.broadcast_to(word >> width * n & mask, len(seats)) for n in range(count)]
    return np.array(columns).T
