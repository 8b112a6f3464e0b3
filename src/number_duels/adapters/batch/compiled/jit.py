"""How rules are compiled: Numba is imported with this module."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from numba.extending import register_jitable

from number_duels.solvers import numba_cache

Function = TypeVar("Function", bound=Callable[..., object])


def inlined(function: Function) -> Function:
    """The same plain function, which compiled functions may call from now on."""
    return register_jitable(forceinline=True)(function)


def compiled(function: Function) -> Function:
    """A compiled function, kept on disk for the next process; other threads run meanwhile."""
    # Without counting references, which would take half of the time: nothing is allocated.
    return numba_cache.compiled(function, nogil=True, error_model="numpy", _nrt=False)
