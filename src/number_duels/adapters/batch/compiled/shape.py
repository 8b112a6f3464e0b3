"""What the arrays of a batch measure: code that is compiled for it knows where everything lies."""

# ruff: noqa: PLR0917 -- compiled functions are called by place

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.adapters.packed.rules import Rows

Ints: TypeAlias = npt.NDArray[np.int16]
Marks: TypeAlias = npt.NDArray[np.bool_]


class Shape(NamedTuple):
    """How many of each there are in a game's row."""

    #: Numbers of a packed state, and seats that decide in a turn.
    width: int
    seats: int
    #: Numbers of an observation, for each word that is seen.
    counts: tuple[int, ...]
    actions: int


def make_check(shape: Shape) -> Callable[..., bool]:
    """Whether arrays have a shape: from here on the compiler takes it for granted.

    It has to multiply at every access otherwise, which takes a fifth of the time.
    """
    width, seats, _, open_actions = shape
    length = sum(shape.counts)

    @inlined
    def has_shape(
        rows: Rows,
        actions: Rows,
        observations: Ints,
        masks: Marks,
        rewards: npt.NDArray[np.float32],
        illegal: Marks,
        finals: Ints,
    ) -> bool:
        return bool(
            rows.shape[1] == width
            and actions.shape[1] == seats
            and observations.shape[1] == seats
            and observations.shape[2] == length
            and masks.shape[1] == seats
            and masks.shape[2] == open_actions
            and rewards.shape[1] == 2
            and illegal.shape[1] == 2
            and finals.shape[1] == 2
            and finals.shape[2] == length
        )

    return has_shape
