"""What to install, in a sentence, where a library is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(who: str, library: str, extra: str) -> Iterator[None]:
    """Around imports: a library that is not there is named, and how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{who} needs {library}: pip install 'number-duels[{extra}]'", name=missing.name
        ) from missing
