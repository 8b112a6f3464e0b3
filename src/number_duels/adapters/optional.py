"""What to install, in a sentence, where a library is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def explain_missing(module: str, library: str, extra: str) -> Iterator[None]:
    """Around imports: an error says which library a module needs, and how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{module} needs {library}: pip install 'number-duels[{extra}]'", name=missing.name
        ) from missing
