"""Games in memory, updated when another process changes them."""

from __future__ import annotations

from asyncio import Event, Lock, Task
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from number_duels.core.clock import Timer
from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.narration import ToldTurns
from number_duels.web.config import Config
from number_duels.web.db.notify import Attendance, GameNotice
from number_duels.web.db.repository import GameRepository, LoadedGame, StoreClock
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ApiError
from number_duels.web.service.presence import Presence
from number_duels.web.service.views import encode, make_view

WATCHING_DELAY_S = 1.0
#: A player without a stream is noted as seen at most this often per `claim_after`.
SIGHTINGS_PER_CLAIM = 4


class Listener:
    def __init__(
        self, viewer: Seat | None, woken: Event | None = None, *, glances: bool = False
    ) -> None:
        self.viewer = viewer
        #: Whether the viewer never counts as a player or a spectator.
        self.glances = glances
        self.counts = False
        #: The event that wakes the stream. All games of the stream share it.
        self.woken = woken or Event()
        self.has_news = True
        self.sent = b""
        self.closed = False
        self.gone = False

    def wake(self) -> None:
        self.has_news = True
        self.woken.set()

    def close(self, *, gone: bool = False) -> None:
        self.closed, self.gone = True, gone
        self.woken.set()


class GameSession:
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
        self.lock = Lock()
        #: Whether the database may have a newer version. If so, the game is read again.
        self.stale = False
        #: Whether its streams have ended, and whether that is because the game was removed. A
        #: request that found the session before may still open one.
        self.closed = False
        self.gone = False
        self.listeners: set[Listener] = set()
        #: The client that started the game. The computer's requests to the solver count as its own.
        self.starter = stored.id
        self.computer_task: Task[None] | None = None
        self.reviews: dict[Seat | None, bytes] = {}
        self.steps: dict[Seat | None, bytes] = {}
        self.presence = Presence(self.clock, config.claim_after)
        self._on_presence = on_presence
        #: The view of each viewer and `ready`, and the seconds until a claim that it shows.
        self._views: dict[tuple[Seat | None, Seat | None], tuple[int | None, bytes]] = {}
        self._told_turns: ToldTurns = {}
        self._claim_timer: Timer | None = None
        self._watching_timer: Timer | None = None

    def replace(self, stored: StoredGame, match: AnyMatch) -> None:
        was_full, self.stored, self.match, self.stale = self.stored.full, stored, match, False
        if stored.full and not was_full:
            # After the delay, the page of the new player has a stream for that seat.
            self.clock.machine.call_later(WATCHING_DELAY_S, self._count_spectators)
        if stored.over:
            self._told_turns.clear()  # large, and not needed any more
        self.notify()

    def notify(self) -> None:
        self._views.clear()
        for listener in self.listeners:
            listener.wake()
        self._await_claim()

    def view(self, viewer: Seat | None, ready: Seat | None = None) -> bytes:
        """Return the view of a seat, or of a spectator.

        If both players share a device, only the player in the seat `ready` looks at it.
        """
        claim_s = self._claim_s(viewer)
        found = self._views.get((viewer, ready))
        if found is None or found[0] != claim_s:
            view = make_view(
                self.stored,
                self.match,
                viewer,
                self.presence.players,
                self.removed_at,
                watching=self.presence.watching,
                claim_s=claim_s,
                solve_limit=self.config.solve_limit,
                told_turns=None if self.stored.over else self._told_turns,
                ready=ready,
            )
            found = self._views[viewer, ready] = claim_s, encode(view)
        return found[1]

    @property
    def removed_at(self) -> float:
        """Return when the game will expire if it does not change, by this machine's clock."""
        config = self.config
        keep = config.keep_finished if self.stored.over else config.expire_after
        return self.stored.updated_at + keep + self.clock.lag_s

    @property
    def idle(self) -> bool:
        busy = self.computer_task is not None and not self.computer_task.done()
        return not (self.listeners or self.presence.anybody_here or self.lock.locked() or busy)

    def set_elsewhere(self, found: Attendance) -> None:
        players, watching = self.presence.players, self.presence.watching
        self.presence.elsewhere = found
        self._show_presence(players, watching)

    def connect(self, listener: Listener) -> None:
        if self.closed:
            listener.close(gone=self.gone)
            return
        # While a seat is free, viewers without a seat do not count as spectators.
        self.listeners.add(listener)
        listener.counts = not listener.glances and (listener.viewer is not None or self.stored.full)
        if listener.counts:
            self._count(listener.viewer, +1)

    def _count_spectators(self) -> None:
        for listener in self.listeners:
            if not (listener.glances or listener.counts):
                listener.counts = True
                self._count(listener.viewer, +1)

    def disconnect(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        if not listener.counts:
            return
        if listener.viewer is None:
            self._count(None, -1)
        else:
            gone = partial(self._count, listener.viewer, -1)
            self.clock.machine.call_later(self.config.grace, gone)

    def saw(self, seat: Seat) -> None:
        if self.presence.saw(seat, self.config.claim_after / SIGHTINGS_PER_CLAIM):
            self._on_presence(self)
            if self._claim_s(seat.other) is not None:
                self.notify()

    def close(self, *, gone: bool = False) -> None:
        self.closed, self.gone = True, gone
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
        """Tell viewers who is connected, if that has changed."""
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
        return None if viewer is None else self.presence.told_s(self.stored, self.match, viewer)

    def _await_claim(self) -> None:
        if self._claim_timer is not None:
            self._claim_timer.cancel()
            self._claim_timer = None
        if self.listeners:
            waits = [self.presence.next_change_s(self.stored, self.match, seat) for seat in Seat]
            if any(waits):
                soonest = min(wait for wait in waits if wait)
                self._claim_timer = self.clock.machine.call_later(soonest, self.notify)


#: How many games are read at a time if notices may have been missed.
MAX_GAMES_PER_REFRESH = 250


@dataclass(eq=False)
class ReadInProgress:
    ids: frozenset[str]
    notices: dict[str, GameNotice] = field(default_factory=dict)

    def missed(self, found: Mapping[str, LoadedGame]) -> list[str]:
        return [
            game
            for game, notice in self.notices.items()
            if game in found and notice.outdates(found[game].stored.version)
        ]


class SessionCache:
    def __init__(
        self,
        repository: GameRepository,
        config: Config,
        on_presence: Callable[[GameSession], None],
    ) -> None:
        self.repository = repository
        self.config = config
        self.on_presence = on_presence
        self.sessions: OrderedDict[str, GameSession] = OrderedDict()
        self._reads: set[ReadInProgress] = set()

    async def find(self, game: str) -> GameSession:
        session = self.sessions.get(game)
        if session is None or session.stale or await self._is_behind(session):
            session = await self.fetch(game)
        if game in self.sessions:
            self.sessions.move_to_end(game)
        return session

    async def _is_behind(self, session: GameSession) -> bool:
        if not self.repository.shared:
            return False
        version = await self.repository.version(session.stored.id)
        return version is None or version > session.stored.version

    async def fetch(self, game: str) -> GameSession:
        await self.refresh([game])
        session = self.sessions.get(game)
        if session is None:
            raise ApiError(404, "There is no such game; it may have expired.")
        return session

    async def refresh(self, ids: Collection[str]) -> None:
        while ids:
            read = ReadInProgress(frozenset(ids))
            self._reads.add(read)
            try:
                found = await self.repository.load_all(ids)
            finally:
                self._reads.discard(read)
            for game in ids:
                self._show(game, found.get(game))
            ids = read.missed(found)

    def _show(self, game: str, found: LoadedGame | None) -> None:
        session = self.sessions.get(game)
        if found is None:
            self._remove(game)
            return
        stored = found.stored
        if session is None:
            clock = self.repository.clock
            session = GameSession(stored, stored.match(), self.config, self.on_presence, clock)
            self.sessions[game] = session
            self._evict(game)
        elif session.stale or session.stored.version < stored.version:
            session.replace(stored, stored.match_from(session.stored, session.match))
        session.set_elsewhere(found.elsewhere)

    def _remove(self, game: str) -> None:
        session = self.sessions.pop(game, None)
        if session is not None:
            session.close(gone=True)

    def _evict(self, asked: str) -> None:
        excess = len(self.sessions) - self.config.tables
        if excess > 0:
            idle = [game for game, each in self.sessions.items() if each.idle and game != asked]
            for game in idle[: max(excess, self.config.tables // 10)]:
                self.sessions.pop(game).close()

    async def on_notices(self, notices: Collection[GameNotice]) -> list[GameSession]:
        outdated: list[str] = []
        for notice in notices:
            for read in self._reads:
                if notice.game in read.ids:
                    earlier = read.notices.get(notice.game)
                    read.notices[notice.game] = earlier + notice if earlier else notice
            session = self.sessions.get(notice.game)
            if session is None:
                continue
            if notice.removed:
                self._remove(notice.game)
            elif notice.outdates(session.stored.version):
                outdated.append(notice.game)
        await self.refresh(outdated)
        return self._among(outdated)

    async def refresh_all(self) -> list[GameSession]:
        ids = list(self.sessions)
        for start in range(0, len(ids), MAX_GAMES_PER_REFRESH):
            await self.refresh(ids[start : start + MAX_GAMES_PER_REFRESH])
        return self._among(ids)

    def connected(self) -> list[str]:
        return [game for game, session in self.sessions.items() if session.listeners]

    def _among(self, ids: Iterable[str]) -> list[GameSession]:
        return [self.sessions[game] for game in ids if game in self.sessions]
