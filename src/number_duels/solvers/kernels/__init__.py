"""Faster ways to the same values, for one game each; found by the name of the game's module."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from number_duels.core.game import E, Game, M, S
from number_duels.solvers.induction import Method


def find_kernel(game: Game[S, M, E]) -> Method[S, M, E] | None:
    """The kernel of a game with its settings; None if it has none, or it does not pay.

    A ModuleNotFoundError says that a library that the kernel needs is missing.
    """
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name == name:
            return None
        raise
    # A game may share a module's name, or derive from a game and change its rules.
    if module.Kernel.game is not type(game):
        return None
    kernel = module.Kernel(game)
    return cast("Method[S, M, E]", kernel) if kernel.pays else None
