"""How news of a game travels: here within one process.

A store that several processes share needs another implementation of the same
two methods, which carries the news between them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

#: Told the game and the version that it has now; version 0: it is gone.
Hearer = Callable[[str, int], Awaitable[None]]


class Announcer:
    """Tells everybody who listens in this process."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []

    def hear(self, hearer: Hearer) -> None:
        """Be told of every change from now on."""
        self._hearers.append(hearer)

    async def announce(self, game: str, version: int) -> None:
        """Tell of a change that is already in the store."""
        for hearer in self._hearers:
            await hearer(game, version)
