"""Kernels: solving methods that find the same values as plain induction, but faster."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from number_duels.core.game import E, Game, M, S
from number_duels.machine import find_packed
from number_duels.solvers.induction import Method


def find_kernel(game: Game[S, M, E]) -> Method[S, M, E] | None:
    """Return the fastest method for a game with its settings, or None for plain induction.

    Without packed rules for these settings, a game has no kernel. If this folder has a module with
    the name of the game, the kernel in it is used if its `pays` is true. Otherwise, the game is
    solved by layers if its packed rules give every state a number. Raise ModuleNotFoundError if the
    kernel needs a library that is not installed.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    if find_spec(name) is not None:
        kernel = import_module(name).Kernel(game)
        if kernel.pays:
            return cast("Method[S, M, E]", kernel)
    if packed.rules.codes is None:
        return None
    from number_duels.solvers.kernels.machine import MachineKernel

    return cast("Method[S, M, E]", MachineKernel(game, packed))
