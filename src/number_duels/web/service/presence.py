"""Who looks at a game: players and spectators, here and at other processes, and who is away."""

from __future__ import annotations

from collections import Counter

from number_duels.core.game import Seat
from number_duels.web.db.attendance import Attendance
from number_duels.web.db.clock import StoreClock


class Presence:
    """Who looks at one game; all times are those of the database's clock."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock
        #: Nobody can be known to be away for longer.
        self._known_since = clock.now()
        #: Open streams of each seat, and of spectators.
        self._streams: Counter[Seat | None] = Counter()
        self._last_seen: dict[Seat, int] = {}
        #: Who is connected to other processes.
        self.elsewhere = Attendance()

    @property
    def here(self) -> Attendance:
        """Who is connected to this process."""
        return Attendance(self._seats_here, self._streams[None], dict(self._last_seen))

    @property
    def players(self) -> frozenset[Seat]:
        """The seats whose holders are connected."""
        return self._seats_here | self.elsewhere.seats

    def has(self, seat: Seat) -> bool:
        """Whether a seat's holder is connected."""
        return self._streams[seat] > 0 or seat in self.elsewhere.seats

    @property
    def _seats_here(self) -> frozenset[Seat]:
        return frozenset(seat for seat in Seat if self._streams[seat] > 0)

    @property
    def watching(self) -> int:
        """How many spectators there are."""
        return self._streams[None] + self.elsewhere.watching

    @property
    def anybody_here(self) -> bool:
        """Whether a stream is open here, or was a moment ago."""
        return self._streams.total() > 0

    def count(self, viewer: Seat | None, change: int) -> None:
        """A stream is opened here, or closed."""
        self._streams[viewer] += change
        if viewer is not None:
            self._last_seen[viewer] = self._clock.now()

    def saw(self, seat: Seat, after_s: float) -> bool:
        """A seat without a stream has asked for something; whether that is news after a while."""
        now = self._clock.now()
        if self._streams[seat] or now - self.last_seen(seat) < after_s:
            return False
        self._last_seen[seat] = now
        return True

    def last_seen(self, seat: Seat) -> int:
        """When a seat was last seen at any process, or began to be looked for."""
        known = (each.get(seat) for each in (self._last_seen, self.elsewhere.last_seen))
        return max((at for at in known if at is not None), default=self._known_since)
