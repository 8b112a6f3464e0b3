"""Who may claim a game: whose opponent alone is waited for, and has been away for a stated time."""

from __future__ import annotations

from dataclasses import dataclass

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.play import waits_for
from number_duels.web.config import Config
from number_duels.web.db.clock import StoreClock
from number_duels.web.db.stored_game import HUMAN, StoredGame
from number_duels.web.errors import ApiError
from number_duels.web.service.presence import Presence

#: For so long at most it is not told that somebody is away, as most come back.
MAX_UNTOLD_S = 15.0


@dataclass(frozen=True)
class Claims:
    """Decides by the database's clock, and by who is connected to any process."""

    presence: Presence
    clock: StoreClock
    config: Config

    def obstacle(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> str | None:
        """Why a seat cannot claim, however long it waits; None if it can wait."""
        other = seat.other
        if match.outcome:
            return "The game is over."
        if stored.seats[other].who != HUMAN:
            return "The computer is never away; there is nothing to claim."
        if not stored.seats[other].seated:
            return "Nobody has taken the other seat; there is nothing to claim."
        if self.presence.has(other):
            return "Your opponent is here; there is nothing to claim."
        if waits_for(match).seats != (other,):
            return "The game does not wait for your opponent alone; there is nothing to claim."
        return None

    def wait_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """Seconds until a seat may claim the game; None if it cannot."""
        # The first is the usual case, and quickly found.
        if self.presence.has(seat.other) or self.obstacle(stored, match, seat) is not None:
            return None
        # Everybody has the whole time from the moment when the game began to wait for them.
        since = max(self.presence.last_seen(seat.other), stored.updated_at)
        return max(0, round(self.config.claim_after - (self.clock.now() - since)))

    def told_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int | None:
        """The same as a seat is told it: of who is away for a moment nothing is said."""
        wait = self.wait_s(stored, match, seat)
        return None if wait is None or wait > self._longest_told_s else wait

    def next_change_s(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> int:
        """Seconds until a seat is to be told something else; 0 if that is not to come."""
        wait = self.wait_s(stored, match, seat) or 0
        return wait - self._longest_told_s if wait > self._longest_told_s else wait

    @property
    def _longest_told_s(self) -> int:
        whole = self.config.claim_after
        return round(whole - min(MAX_UNTOLD_S, whole / 4))

    def check(self, stored: StoredGame, match: AnyMatch, seat: Seat) -> None:
        """Refuse a claim that cannot be made, or not yet."""
        reason = self.obstacle(stored, match, seat)
        if reason is not None:
            raise ApiError(409, reason)
        left = self.wait_s(stored, match, seat) or 0
        if left > 0:
            raise ApiError(409, f"You can claim the game in {left // 60}:{left % 60:02}.")
