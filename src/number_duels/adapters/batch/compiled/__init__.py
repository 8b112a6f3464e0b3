"""Rules written a second time for speed, for one game each; found by the name of its module."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from number_duels.core.game import SomeGame

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled.driver import BatchKernel


def find_kernel(game: SomeGame) -> BatchKernel | None:
    """The kernel of a game with its settings; None if it has none.

    A ModuleNotFoundError says that Numba, which every kernel needs, is missing.
    """
    package, _, module_name = type(game).__module__.rpartition(".")
    if package != "number_duels.games" or find_spec(f"{__name__}.{module_name}") is None:
        return None
    if find_spec("numba") is None:
        raise ModuleNotFoundError(
            "Compiled games need Numba: install number-duels[solve], or say compiled=False.",
            name="numba",
        )
    module = import_module(f"{__name__}.{module_name}")
    # A game may derive from another and change its rules.
    if getattr(module, "GAME_CLASS", None) is not type(game):
        return None
    return cast("BatchKernel", module.kernel(game))
