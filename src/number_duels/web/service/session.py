"""A table that somebody looks at: the game, its views made once each, and who is there."""

from __future__ import annotations

import json
from asyncio import Event, Lock, Task, get_running_loop
from collections import Counter
from collections.abc import Callable, Iterable

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.web.api.serializers import make_view
from number_duels.web.config import Config
from number_duels.web.db.stored_game import Ledger


class Listener:
    """One open stream of events; it is woken when there is something new to send."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.news = Event()
        self.gone = False

    def leave(self) -> None:
        """End the stream."""
        self.gone = True
        self.news.set()


class Live:
    """One game in memory; what it shows is always what the store has."""

    def __init__(
        self,
        ledger: Ledger,
        match: AnyMatch,
        config: Config,
        moved: Callable[[Live], None] = lambda _: None,
    ) -> None:
        self.ledger = ledger
        self.match = match
        self.config = config
        #: One change at a time.
        self.lock = Lock()
        #: Set when a change failed half-way, so that the store must be asked again.
        self.doubtful = False
        self.listeners: set[Listener] = set()
        #: Whoever plays for the computer here, while it is at work.
        self.attendant: Task[None] | None = None
        self.review: bytes | None = None
        #: The seats whose holders are connected to other processes.
        self.elsewhere: frozenset[Seat] = frozenset()
        #: Called when a player comes to this process or leaves it.
        self._moved = moved
        self._there: Counter[Seat] = Counter()
        self._views: dict[Seat | None, bytes] = {}

    def become(self, ledger: Ledger, match: AnyMatch) -> None:
        """Show what the store has now."""
        self.ledger, self.match, self.doubtful = ledger, match, False
        self.renew()

    def renew(self) -> None:
        """Forget the views and wake everybody who looks on."""
        self._views.clear()
        for listener in self.listeners:
            listener.news.set()

    def view(self, viewer: Seat | None) -> bytes:
        """A viewer's view as JSON; made once, however many look."""
        found = self._views.get(viewer)
        if found is None:
            keep = self.config.expire_after
            view = make_view(self.ledger, self.match, viewer, self.present, keep)
            found = self._views[viewer] = encode(view)
        return found

    @property
    def idle(self) -> bool:
        """Whether nothing would be lost by forgetting this table."""
        busy = self.attendant is not None and not self.attendant.done()
        return not (self.listeners or self._there or self.lock.locked() or busy)

    # ---- who is there --------------------------------------------------------------

    @property
    def here(self) -> frozenset[Seat]:
        """The seats whose holders are connected to this process."""
        return frozenset(seat for seat in Seat if self._there[seat] > 0)

    @property
    def present(self) -> frozenset[Seat]:
        """The seats whose holders are connected."""
        return self.here | self.elsewhere

    def others(self, elsewhere: frozenset[Seat]) -> None:
        """Show who is connected to other processes."""
        before, self.elsewhere = self.present, elsewhere
        if self.present != before:
            self.renew()

    def enter(self, listener: Listener) -> None:
        """Somebody looks on."""
        self.listeners.add(listener)
        self._count(listener.viewer, +1)

    def leave(self, listener: Listener) -> None:
        """Somebody looks away; a player is missed only after a moment."""
        self.listeners.discard(listener)
        if listener.viewer is not None:
            get_running_loop().call_later(self.config.grace, self._count, listener.viewer, -1)

    def _count(self, seat: Seat | None, change: int) -> None:
        if seat is None:
            return
        before, here = self.present, self.here
        self._there[seat] += change
        if not self._there[seat]:
            del self._there[seat]
        if self.here != here:
            self._moved(self)
        if self.present != before:
            self.renew()


def encode(value: object) -> bytes:
    """A value as JSON, in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def close_all(tables: Iterable[Live]) -> None:
    """End every stream, so that the server can stop."""
    for live in tables:
        for listener in live.listeners:
            listener.leave()
