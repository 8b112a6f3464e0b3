"""What to install, in a sentence, where a library is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def explain_missing(
    module: str, library: str, extra: str = "", *, package: str = ""
) -> Iterator[None]:
    """Around imports: an error says which library a module needs, and how to get it.

    A library that excludes others has no extra; its package is then named.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        what = f"'number-duels[{extra}]'" if extra else f"number-duels {package}"
        raise ModuleNotFoundError(
            f"{module} needs {library}: pip install {what}", name=missing.name
        ) from missing
