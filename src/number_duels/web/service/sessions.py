"""A game in memory: it shows what the database has, whichever process changed it."""

from __future__ import annotations

from asyncio import Event, Lock, Task
from collections.abc import Callable
from functools import partial

from number_duels.core.clock import Timer
from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.game_log import ToldTurns
from number_duels.web.config import Config
from number_duels.web.db.attendance import Attendance
from number_duels.web.db.clock import StoreClock
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.service.claims import Claims
from number_duels.web.service.encoding import encode
from number_duels.web.service.presence import Presence
from number_duels.web.service.views import make_view

#: After which it is told how many spectators there are now.
WATCHING_DELAY_S = 1.0
#: How often a seat without a stream is noted as seen in the time after which it is away.
SIGHTINGS_PER_CLAIM = 4


class Listener:
    """What an open stream follows of one game; it is woken when there is something new to send."""

    def __init__(self, viewer: Seat | None, woken: Event | None = None) -> None:
        self.viewer = viewer
        #: Shared by all games of one stream.
        self.woken = woken or Event()
        self.has_news = True
        #: The view that was sent last.
        self.sent = b""
        self.closed = False
        #: The game has been removed.
        self.gone = False

    def wake(self) -> None:
        """Let the stream send the view."""
        self.has_news = True
        self.woken.set()

    def close(self, *, gone: bool = False) -> None:
        """Follow the game no longer."""
        self.closed, self.gone = True, gone
        self.woken.set()


class GameSession:
    """One game in memory, its views, and who is connected."""

    def __init__(
        self,
        stored: StoredGame,
        match: AnyMatch,
        config: Config,
        on_presence: Callable[[GameSession], None] = lambda _: None,
        clock: StoreClock | None = None,
    ) -> None:
        self.clock = clock or StoreClock(config.sweep_every)
        self.stored = stored
        self.match = match
        self.config = config
        #: One change at a time.
        self.lock = Lock()
        #: Set when a change failed half-way, so that the database must be asked again.
        self.stale = False
        self.listeners: set[Listener] = set()
        #: The client that started it here, whose share of the solver its computer uses.
        self.starter = stored.id
        #: Plays for the computer while it has something to do.
        self.computer_task: Task[None] | None = None
        self.reviews: dict[Seat | None, bytes] = {}
        #: A finished game turn by turn, for each viewer that asked.
        self.steps: dict[Seat | None, bytes] = {}
        self.presence = Presence(self.clock)
        self.claims = Claims(self.presence, self.clock, config)
        #: Called when a player connects to this process or leaves it.
        self._on_presence = on_presence
        #: Each viewer's view, with the seconds until a claim that it tells.
        self._views: dict[Seat | None, tuple[int | None, bytes]] = {}
        self._told_turns: ToldTurns = {}
        self._claim_timer: Timer | None = None
        self._watching_timer: Timer | None = None

    def replace(self, stored: StoredGame, match: AnyMatch) -> None:
        """Show what the database has now."""
        self.stored, self.match, self.stale = stored, match, False
        if stored.over:
            self._told_turns.clear()  # it is told a last time, and its words are much to keep
        self.notify()

    def notify(self) -> None:
        """Forget the views and wake every listener."""
        self._views.clear()
        for listener in self.listeners:
            listener.wake()
        self._await_claim()

    def view(self, viewer: Seat | None) -> bytes:
        """A viewer's view as JSON; made once for all who look."""
        claim_s = self._claim_s(viewer)
        found = self._views.get(viewer)
        if found is None or found[0] != claim_s:
            view = make_view(
                self.stored,
                self.match,
                viewer,
                self.presence.players,
                self.removed_at,
                watching=self.presence.watching,
                claim_s=claim_s,
                told_turns=None if self.stored.over else self._told_turns,
            )
            found = self._views[viewer] = claim_s, encode(view)
        return found[1]

    @property
    def removed_at(self) -> float:
        """When this game will be removed if nothing more happens, by the machine's clock."""
        config = self.config
        keep = config.keep_finished if self.stored.over else config.expire_after
        return self.stored.updated_at + keep + self.clock.lag_s

    @property
    def idle(self) -> bool:
        """Whether nothing would be lost by forgetting this game."""
        busy = self.computer_task is not None and not self.computer_task.done()
        return not (self.listeners or self.presence.anybody_here or self.lock.locked() or busy)

    # ---- who is connected ----------------------------------------------------------

    def set_elsewhere(self, found: Attendance) -> None:
        """Show who is connected to other processes."""
        players, watching = self.presence.players, self.presence.watching
        self.presence.elsewhere = found
        self._show_presence(players, watching)

    def connect(self, listener: Listener) -> None:
        """Follow the game with a stream."""
        self.listeners.add(listener)
        self._count(listener.viewer, +1)

    def disconnect(self, listener: Listener) -> None:
        """Follow it no longer; a player is missed only after a moment."""
        self.listeners.discard(listener)
        if listener.viewer is None:
            self._count(None, -1)
        else:
            gone = partial(self._count, listener.viewer, -1)
            self.clock.machine.call_later(self.config.grace, gone)

    def saw(self, seat: Seat) -> None:
        """Somebody who plays without a stream is not away."""
        if self.presence.saw(seat, self.config.claim_after / SIGHTINGS_PER_CLAIM):
            self._on_presence(self)
            if self._claim_s(seat.other) is not None:
                self.notify()

    def close(self, *, gone: bool = False) -> None:
        """End every stream of this game."""
        for listener in self.listeners:
            listener.close(gone=gone)

    def _count(self, viewer: Seat | None, change: int) -> None:
        here = self.presence.here
        players, watching = self.presence.players, self.presence.watching
        self.presence.count(viewer, change)
        now = self.presence.here
        if (now.seats, now.watching) != (here.seats, here.watching):
            self._on_presence(self)
        self._show_presence(players, watching)

    def _show_presence(self, players: frozenset[Seat], watching: int) -> None:
        """Tell those who look on of a change; of spectators later, as they are many."""
        if self.presence.players != players:
            self.notify()
        elif self.presence.watching != watching:
            self._views.clear()
            if self._watching_timer is None and self.listeners:
                call_later = self.clock.machine.call_later
                self._watching_timer = call_later(WATCHING_DELAY_S, self._tell_watching)

    def _tell_watching(self) -> None:
        self._watching_timer = None
        self.notify()

    def _claim_s(self, viewer: Seat | None) -> int | None:
        """Seconds until a viewer may claim the game, as far as it is told; None: no word of it."""
        if viewer is None:
            return None
        return self.claims.told_s(self.stored, self.match, viewer)

    def _await_claim(self) -> None:
        """Show that the game can be claimed as soon as it can."""
        if self._claim_timer is not None:
            self._claim_timer.cancel()
            self._claim_timer = None
        if self.listeners:
            waits = [self.claims.next_change_s(self.stored, self.match, seat) for seat in Seat]
            if any(waits):
                soonest = min(wait for wait in waits if wait)
                self._claim_timer = self.clock.machine.call_later(soonest, self.notify)
