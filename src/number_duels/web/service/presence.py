"""Who looks at a game, here and at other processes; who is away, and when that can be claimed."""

from __future__ import annotations

from collections import Counter

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.play import waits_for
from number_duels.web.db.notify import Attendance
from number_duels.web.db.repository import StoreClock
from number_duels.web.db.stored_game import HUMAN, StoredGame
from number_duels.web.errors import ApiError

#: For so long at most it is not told that somebody is away, as most come back.
MAX_UNTOLD_S = 15.0


class Presence:
    """Who looks at one game; all times are those of the database's clock."""

    def __init__(self, clock: StoreClock, claim_after_s: float) -> None:
        self._clock = clock
        self._claim_after_s = claim_after_s
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

    # ---- when a game can be claimed: it waits for the opponent alone, who has been away long

    def obstacle(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> str | None:
        """Why a seat cannot claim, however long it waits; None if it can wait."""
        other = seat.other
        if match.outcome:
            return "The game is over."
        if stored.seats[other].who != HUMAN:
            return "The computer is never away; there is nothing to claim."
        if not stored.seats[other].seated:
            return "Nobody has taken the other seat; there is nothing to claim."
        if self.has(other):
            return "Your opponent is here; there is nothing to claim."
        if waits_for(match).seats != (other,):
            return "The game does not wait for your opponent alone; there is nothing to claim."
        return None

    def wait_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """Seconds until a seat may claim the game; None if it cannot."""
        # The first is the usual case, and quickly found.
        if self.has(seat.other) or self.obstacle(stored, match, seat) is not None:
            return None
        # Everybody has the whole time from the moment when the game began to wait for them.
        since = max(self.last_seen(seat.other), stored.updated_at)
        return max(0, round(self._claim_after_s - (self._clock.now() - since)))

    def told_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """Seconds until a claim as a seat is told them; of a short absence nothing is said."""
        wait = self.wait_s(stored, match, seat)
        return None if wait is None or wait > self._longest_told_s else wait

    def next_change_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int:
        """Seconds until a seat is to be told something else; 0 if that is not to come."""
        wait = self.wait_s(stored, match, seat) or 0
        return wait - self._longest_told_s if wait > self._longest_told_s else wait

    @property
    def _longest_told_s(self) -> int:
        return round(self._claim_after_s - min(MAX_UNTOLD_S, self._claim_after_s / 4))

    def check_claim(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> None:
        """Refuse a claim that cannot be made, or not yet."""
        reason = self.obstacle(stored, match, seat)
        if reason is not None:
            raise ApiError(409, reason)
        left = self.wait_s(stored, match, seat) or 0
        if left > 0:
            raise ApiError(409, f"You can claim the game in {left // 60}:{left % 60:02}.")
