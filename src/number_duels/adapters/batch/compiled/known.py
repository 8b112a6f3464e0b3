"""What compiled code may take for granted: what arrays measure, and how a game is set.

It asks for it once, before all games, and the compiler draws its conclusions.
"""

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

#: What never happens; without a word it could not be noticed if it did.
OTHER = "This was compiled for another game."


class Known(NamedTuple):
    """What code is compiled for, where it is not compiled for any settings of a game."""

    #: In their places; None: a table.
    settings: tuple[int | None, ...]
    #: How many numbers an observation has, and how many actions there are.
    length: int
    actions: int


def make_shape_check(width: int, seats: int, known: Known | None) -> Callable[..., bool]:
    """Whether arrays measure what they should; not to know it costs a product at every access."""
    of_any_size = known is None
    _, length, action_count = known or Known((), 0, 0)

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
            and masks.shape[1] == seats
            and rewards.shape[1] == 2
            and illegal.shape[1] == 2
            and finals.shape[1] == 2
            and (of_any_size or observations.shape[2] == length)
            and (of_any_size or masks.shape[2] == action_count)
            and (of_any_size or finals.shape[2] == length)
        )

    return has_shape


def make_settings_check(known: Known | None) -> Callable[..., bool]:
    """Whether a game is set as is known; tables among the settings are not compared."""
    found: Callable[..., bool] = nothing_known
    for place, value in enumerate(known.settings if known else ()):
        if value is not None:
            found = make_setting_check(found, place, value)
    return found


@inlined
def nothing_known(_: object) -> bool:
    return True


def make_setting_check(before: Callable[..., bool], place: int, value: int) -> Callable[..., bool]:
    """Whether one setting more is as known. A function for each: Numba must see each place."""

    @inlined
    def has_settings(settings: tuple[object, ...]) -> bool:
        return before(settings) and settings[place] == value

    return has_settings
