"""Faster ways to the same values than plain induction."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from number_duels.core.game import E, Game, M, S
from number_duels.machine import find_packed
from number_duels.solvers.induction import Method


def find_kernel(game: Game[S, M, E]) -> Method[S, M, E] | None:
    """Return the fastest way to solve a game with its settings; None: plain induction.

    A game whose machine rules number its states is solved by layers; another may have a kernel
    of its own here, in a module of its name. Without machine rules that know the settings there is
    none. A ModuleNotFoundError says that a library that the kernel needs is missing.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    if packed.rules.codes is not None:
        from number_duels.solvers.kernels.machine import MachineKernel

        return cast("Method[S, M, E]", MachineKernel(game, packed))
    name = f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
    if find_spec(name) is None:
        return None
    kernel = import_module(name).Kernel(game)
    return cast("Method[S, M, E]", kernel) if kernel.pays else None
