"""Exceptions of the web server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from number_duels.solvers import Unsolvable


class ApiError(Exception):
    """Raised to refuse a request. The sentence says why, and what the client can do.

    `needs` is the name of the missing field, if any.
    """

    def __init__(
        self,
        status: int,
        sentence: str,
        headers: Mapping[str, str] | None = None,
        needs: str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})
        self.needs = needs


class AnswerTimeout(Unsolvable):
    """Raised if the solver did not answer in time. That says nothing about the game: try again."""


@contextmanager
def refused(status: int) -> Iterator[None]:
    """Refuse a request for a ValueError. A time-out becomes a 503, after which clients retry."""
    try:
        yield
    except AnswerTimeout:
        raise
    except ValueError as error:
        raise ApiError(status, str(error)) from None


class ConcurrentUpdate(Exception):
    """Raised if the game has changed in the database since it was read."""


class DatabaseUnavailable(Exception):
    """Raised if the database does not answer. A pending write may or may not have succeeded."""


class SchemaTooNew(Exception): ...
