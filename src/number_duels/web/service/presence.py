"""The presence of players and spectators, and claims against absent players."""

from __future__ import annotations

from collections import Counter

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.play import waits_for
from number_duels.web.db.notify import Attendance
from number_duels.web.db.repository import StoreClock
from number_duels.web.db.stored_game import HUMAN, StoredGame
from number_duels.web.errors import ApiError

#: Shorter absences are not shown, because most players come back.
MAX_UNTOLD_S = 15.0


class Presence:
    def __init__(self, clock: StoreClock, claim_after_s: float) -> None:
        self._clock = clock
        self._claim_after_s = claim_after_s
        self._known_since = clock.now()
        self._streams: Counter[Seat | None] = Counter()
        self._last_seen: dict[Seat, int] = {}
        self.elsewhere = Attendance()

    @property
    def here(self) -> Attendance:
        return Attendance(self._seats_here, self._streams[None], dict(self._last_seen))

    @property
    def players(self) -> frozenset[Seat]:
        return self._seats_here | self.elsewhere.seats

    def has(self, seat: Seat) -> bool:
        return self._streams[seat] > 0 or seat in self.elsewhere.seats

    @property
    def _seats_here(self) -> frozenset[Seat]:
        return frozenset(seat for seat in Seat if self._streams[seat] > 0)

    @property
    def watching(self) -> int:
        return self._streams[None] + self.elsewhere.watching

    @property
    def anybody_here(self) -> bool:
        return self._streams.total() > 0

    def count(self, viewer: Seat | None, change: int) -> None:
        self._streams[viewer] += change
        if viewer is not None:
            self._last_seen[viewer] = self._clock.now()

    def saw(self, seat: Seat, after_s: float) -> bool:
        """Record that a player has sent a request. Return False if they were seen a moment ago."""
        now = self._clock.now()
        if self._streams[seat] or now - self.last_seen(seat) < after_s:
            return False
        self._last_seen[seat] = now
        return True

    def last_seen(self, seat: Seat) -> int:
        """Return when the player in a seat was last seen, or when this process opened the game."""
        known = (each.get(seat) for each in (self._last_seen, self.elsewhere.last_seen))
        return max((at for at in known if at is not None), default=self._known_since)

    # ---- claims: the game waits only for the opponent, who has been away too long -----

    def obstacle(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> str | None:
        """Return why a player can't claim the game, or None. Ignore the waiting time."""
        other = seat.other
        if match.outcome:
            return "The game is over."
        if stored.seats[other].who != HUMAN:
            return "The computer is never away; there is nothing to claim."
        if not stored.seats[other].seated:
            return "Nobody has joined yet; there is nothing to claim."
        if self.has(other) or stored.shared:
            return "Your opponent is here; there is nothing to claim."
        if waits_for(match).seats != (other,):
            return "It's your turn; there is nothing to claim."
        return None

    def wait_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """Return the seconds until a player may claim the game, or None if they can't claim it."""
        # The first condition is cheap to check and usually true.
        if self.has(seat.other) or self.obstacle(stored, match, seat) is not None:
            return None
        # The time before the opponent's turn does not count.
        since = max(self.last_seen(seat.other), stored.updated_at)
        return max(0, round(self._claim_after_s - (self._clock.now() - since)))

    def told_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """Return the seconds until a claim is possible, or None if the page does not show them."""
        wait = self.wait_s(stored, match, seat)
        return None if wait is None or wait > self._longest_told_s else wait

    def next_change_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int:
        """Return the seconds until the text about a claim changes, or 0 if it will not change."""
        wait = self.wait_s(stored, match, seat) or 0
        return wait - self._longest_told_s if wait > self._longest_told_s else wait

    @property
    def _longest_told_s(self) -> int:
        return round(self._claim_after_s - min(MAX_UNTOLD_S, self._claim_after_s / 4))

    def check_claim(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> None:
        reason = self.obstacle(stored, match, seat)
        if reason is not None:
            raise ApiError(409, reason)
        left = self.wait_s(stored, match, seat) or 0
        if left > 0:
            raise ApiError(409, f"You can claim the game in {left // 60}:{left % 60:02}.")
