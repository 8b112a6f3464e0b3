"""Say which package to install if a library is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def explain_missing(
    module: str, library: str, extra: str = "", *, package: str = ""
) -> Iterator[None]:
    """Wrap imports so that the error for a missing library says how to install it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        what = f"'number-duels[{extra}]'" if extra else f"number-duels {package}"
        raise ModuleNotFoundError(
            f"{module} needs {library}: pip install {what}", name=missing.name
        ) from missing
