"""What goes wrong: a request that is refused, a game that has changed, a database that is away."""

from __future__ import annotations

from collections.abc import Mapping


class Refusal(Exception):
    """A request that cannot be granted; the sentence says why and what would be right."""

    def __init__(
        self, status: int, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = dict(headers or {})


class Stale(Exception):
    """The game has changed in the store since it was read."""


class Away(Exception):
    """The database does not answer; nothing is known of what was under way."""


class Newer(Exception):
    """The database was made by a later version of the program; the message says so."""
