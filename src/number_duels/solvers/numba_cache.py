"""A disk cache of compiled code. Importing this module imports Numba.

Each file is named after a digest of everything that its code depends on. Numba's own cache misses
changes to functions imported from other files.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from number_duels.core.storage import cache_folder, replace_file

Function = TypeVar("Function", bound=Callable[..., object])

# Numba's types for these are incomplete.
njit: Any = numba.njit
rebuild: Any = CompileResult._rebuild
dump: Any = dumps

PACKAGE = Path(__file__).parents[1]
SOURCES = ("adapters", "core", "games", "machine", "solvers")
KEPT_SECONDS = 30 * 24 * 3600


def compiled(function: Function, **options: object) -> Function:
    dispatcher = njit(**options)(function)
    made_from = description(function)
    if made_from is not None:
        dispatcher._cache = CodeCache(made_from)
    return cast("Function", dispatcher)


def compiled_folder() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR")
    return Path(named) if named else cache_folder() / "compiled"


def source_digest(package: Path = PACKAGE) -> str:
    digest = sha256()
    for folder in SOURCES:
        for path in sorted((package / folder).rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(package)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


IMPORTED = source_digest()


def description(value: object) -> str | None:
    """Return text that identifies a function and its closure, or None if that is impossible."""
    if value is None or isinstance(value, bool | int | str | np.generic | type):
        return repr(value)
    if isinstance(value, tuple):
        return enclosed(value)
    if isinstance(value, FunctionType) and value.__module__.startswith("number_duels."):
        inside = enclosed(tuple(cell.cell_contents for cell in value.__closure__ or ()))
        line = value.__code__.co_firstlineno
        return inside and f"{value.__module__}.{value.__qualname__}:{line}{inside}"
    return None


def enclosed(values: tuple[object, ...]) -> str | None:
    described = [description(value) for value in values]
    return None if None in described else f"({', '.join(map(str, described))})"


class CodeCache(_Cache):
    """The cached code of one function, one file per signature. Numba calls these methods."""

    def __init__(self, made_from: str) -> None:
        self.made_from = made_from

    @property
    def cache_path(self) -> str:
        return str(compiled_folder())

    def file(self, signature: object, codegen: Any) -> Path:
        everything = (
            *(IMPORTED, self.made_from, repr(signature), codegen.magic_tuple()),
            *(numba.__version__, sys.version_info),
        )
        return compiled_folder() / f"{sha256(repr(everything).encode()).hexdigest()}.nbc"

    def load_overload(self, sig: object, target_context: Any) -> Any:
        target_context.refresh()
        with suppress(OSError, RuntimeError):  # no file, or no home folder
            path = self.file(sig, target_context.codegen())
            data = path.read_bytes()
            with suppress(OSError):  # a read-only folder
                os.utime(path)
            return rebuild(target_context, *pickle.loads(data))
        return None

    def save_overload(self, sig: object, data: Any) -> None:
        if data.lifted or data.library.has_dynamic_globals:
            return
        with suppress(OSError, RuntimeError):  # no writable folder
            if source_digest() != IMPORTED:  # a source was edited meanwhile
                return
            path = self.file(sig, data.codegen)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with replace_file(path) as file:
                file.write(dump(data._reduce()))
            newest = path.stat().st_mtime
            for other in path.parent.glob("*.nbc"):
                if newest - other.stat().st_mtime > KEPT_SECONDS:
                    other.unlink(missing_ok=True)

    def enable(self) -> None:
        """Do nothing, because the cache is always on. Numba requires this method."""

    disable = flush = enable
