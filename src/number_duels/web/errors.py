"""What goes wrong, and is answered with a sentence or with another try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class ApiError(Exception):
    """A request that is refused; the sentence says why and what would be right."""

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})


@contextmanager
def refused(status: int) -> Iterator[None]:
    """Answer a ValueError with its sentence."""
    try:
        yield
    except ValueError as error:
        raise ApiError(status, str(error)) from None


class ConcurrentUpdate(Exception):
    """The game has changed in the database since it was read."""


class DatabaseUnavailable(Exception):
    """The database does not answer; whether what was under way was written is not known."""


class SchemaTooNew(Exception):
    """The database was made by a later version of the program; the message says so."""
