"""Machine rules: each game's rules as functions of integers, for NumPy, Numba and JAX."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from number_duels.core.game import SomeGame

if TYPE_CHECKING:
    from number_duels.machine.rules import PackedGame


def find_packed(game: SomeGame) -> PackedGame | None:
    """Return the machine rules of a game, or None if there are none for its settings."""
    package, _, module_name = type(game).__module__.rpartition(".")
    if package != "number_duels.games" or find_spec(f"{__name__}.{module_name}") is None:
        return None
    module = import_module(f"{__name__}.{module_name}")
    # A subclass of the game may change its rules.
    if getattr(module, "GAME_CLASS", None) is not type(game):
        return None
    values = {field.name: getattr(game, field.name) for field in fields(game)}
    if any(value not in module.KNOWN_SETTINGS.get(name, ()) for name, value in values.items()):
        return None
    return cast("PackedGame", module.packed(game))
