"""Kernels: solving methods that are faster than plain induction."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from number_duels.core.game import E, Game, M, S
from number_duels.machine import find_packed
from number_duels.solvers.induction import Method


def find_kernel(game: Game[S, M, E]) -> Method[S, M, E] | None:
    """Return the fastest solving method for a game, or None for plain induction.

    Raise ModuleNotFoundError if the kernel needs a library that is not installed.
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
