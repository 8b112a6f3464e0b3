"""How news of games travels: here within one process.

Where several processes share a store, `listening.py` has another announcer,
which hears what the others' transactions tell.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping

from number_duels.core.game import Seat

#: Told of games and the versions that they have now; see `news.py` for what else there is.
Hearer = Callable[[Mapping[str, int]], Awaitable[None]]


class Announcer:
    """Tells everybody who listens in this process."""

    #: Whether all that happens elsewhere is heard.
    connected = True

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []
        self._after_gap: list[Callable[[], Awaitable[None]]] = []

    def hear(self, hearer: Hearer, after_gap: Callable[[], Awaitable[None]]) -> None:
        """Be told of every change from now on, and of each time when some may have been missed."""
        self._hearers.append(hearer)
        self._after_gap.append(after_gap)

    async def announce(self, news: Mapping[str, int]) -> None:
        """Tell this process of changes that are already in the store."""
        for hearer in self._hearers:
            await hearer(news)

    def people(self, game: str, seats: Collection[Seat]) -> None:
        """Tell the other processes who is connected to this one; there are none."""

    async def open(self) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Stop listening."""
