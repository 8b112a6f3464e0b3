"""How rules are compiled: Numba is imported with this module."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from numba import njit
from numba.extending import register_jitable

Function = TypeVar("Function", bound=Callable[..., object])

#: When the files of the adapters were last changed. Numba keeps what it has compiled on disk and
#: looks only at the file of the function itself; one that mentions this is compiled again when any
#: of the files it may call into has changed.
SOURCE_VERSION = str(
    sorted((str(f), f.stat().st_mtime_ns) for f in Path(__file__).parents[2].rglob("*.py"))
)


def inlined(function: Function) -> Function:
    """The same plain function, which compiled functions may call from now on."""
    return register_jitable(forceinline=True)(function)


def compiled(function: Function) -> Function:
    """A compiled function, kept on disk for the next process; other threads run meanwhile."""
    # Without counting references, which would take half of the time: nothing is allocated.
    compiler = partial(njit, nogil=True, error_model="numpy", _nrt=False)
    try:
        return cast("Function", compiler(function, cache=True))
    except RuntimeError:  # there is no folder that can be written to
        return cast("Function", compiler(function))
