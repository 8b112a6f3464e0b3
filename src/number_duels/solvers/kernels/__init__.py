"""Kernels: solving methods that are faster than plain induction."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from number_duels.core.game import E, Game, M, S
from number_duels.machine import find_packed
from number_duels.solvers.code_table import PlainCodeTable
from number_duels.solvers.induction import Method

#: With a larger table, plain Python does without it. Most of it can be empty.
MAX_PLAIN_TABLE_BYTES = 1 << 25


def find_kernel(game: Game[S, M, E]) -> Method[S, M, E] | None:
    """Return the fastest solving method for a game, or None for plain induction.

    Raise ModuleNotFoundError if the kernel needs a library that is not installed.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    name = kernel_name(game)
    if find_spec(name) is not None:
        kernel = import_module(name).Kernel(game)
        if kernel.pays:
            return cast("Method[S, M, E]", kernel)
    if packed.rules.codes is None:
        return None
    from number_duels.solvers.kernels.machine import MachineKernel

    return cast("Method[S, M, E]", MachineKernel(game, packed))


def find_plain_kernel(game: Game[S, M, E], limit: int, remedy: str) -> Method[S, M, E] | None:
    """Return a method that needs no library, or None for plain induction.

    It solves at most `limit` states, but reads larger tables. `remedy` ends its error message.
    """
    packed = find_packed(game)
    if packed is None:
        return None
    name = f"{kernel_name(game)}_plain"
    if find_spec(name) is not None:
        kernel = import_module(name).PlainKernel(game, limit, remedy)
        return cast("Method[S, M, E]", kernel) if kernel.pays else None
    if packed.rules.codes is None:
        return None
    table = PlainCodeTable[S, M, E](game, packed, limit, remedy)
    return table if table.table_bytes() <= MAX_PLAIN_TABLE_BYTES else None


def kernel_name(game: Game[S, M, E]) -> str:
    return f"{__name__}.{type(game).__module__.rpartition('.')[2]}"
