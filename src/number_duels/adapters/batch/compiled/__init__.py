"""Packed rules compiled by Numba."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from number_duels.adapters.packed import find_packed
from number_duels.core.game import SomeGame

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled.driver import BatchKernel


def find_kernel(game: SomeGame) -> BatchKernel | None:
    """The kernel of a game with its settings; None if it has none.

    A ModuleNotFoundError says that Numba, which every kernel needs, is missing.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    if find_spec("numba") is None:
        raise ModuleNotFoundError(
            "Compiled games need Numba: install number-duels[learn], or say compiled=False.",
            name="numba",
        )
    from number_duels.adapters.batch.compiled.driver import make_kernel

    return make_kernel(packed, usual=game == type(game)())
