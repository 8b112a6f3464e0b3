"""Rules written a second time for machines: packed into a few numbers, without branches.

One file a game, found by the name of its module. `batch/compiled/` has it compiled by Numba, `jax/`
runs it on whatever JAX runs on; NumPy is all that is needed to import it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from number_duels.adapters.packed.rules import PackedGame
from number_duels.core.game import SomeGame


def find_packed(game: SomeGame) -> PackedGame | None:
    """The packed rules of a game with its settings; None if it has none."""
    package, _, module_name = type(game).__module__.rpartition(".")
    if package != "number_duels.games" or find_spec(f"{__name__}.{module_name}") is None:
        return None
    module = import_module(f"{__name__}.{module_name}")
    # A game may derive from another and change its rules.
    if getattr(module, "GAME_CLASS", None) is not type(game):
        return None
    return cast("PackedGame", module.packed(game))
