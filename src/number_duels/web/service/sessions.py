"""The games in memory: each shows what the database has, whichever process changed it."""

from __future__ import annotations

import json
from asyncio import Event, Lock, Task, get_running_loop
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.web.config import Config
from number_duels.web.db.clock import StoreClock
from number_duels.web.db.notify import GameNotice
from number_duels.web.db.repository import GameRepository, LoadedGame
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ApiError
from number_duels.web.service.views import make_view

#: How many games are read at a time after notices may have been missed.
MAX_GAMES_PER_REFRESH = 250


class Listener:
    """One open stream of events; it is woken when there is something new to send."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.woken = Event()
        self.closed = False

    def close(self) -> None:
        """End the stream."""
        self.closed = True
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
        self.review: bytes | None = None
        #: The seats whose holders are connected to other processes.
        self.remote_presence: frozenset[Seat] = frozenset()
        #: Called when a player connects to this process or leaves it.
        self._on_presence = on_presence
        self._connections: Counter[Seat] = Counter()
        self._views: dict[Seat | None, bytes] = {}

    def replace(self, stored: StoredGame, match: AnyMatch) -> None:
        """Show what the database has now."""
        self.stored, self.match, self.stale = stored, match, False
        self.notify()

    def notify(self) -> None:
        """Forget the views and wake every listener."""
        self._views.clear()
        for listener in self.listeners:
            listener.woken.set()

    def view(self, viewer: Seat | None) -> bytes:
        """A viewer's view as JSON; made once for all who look."""
        found = self._views.get(viewer)
        if found is None:
            view = make_view(self.stored, self.match, viewer, self.present, self.removed_at)
            found = self._views[viewer] = encode(view)
        return found

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
        return not (self.listeners or self._connections or self.lock.locked() or busy)

    # ---- who is connected ----------------------------------------------------------

    @property
    def local_presence(self) -> frozenset[Seat]:
        """The seats whose holders are connected to this process."""
        return frozenset(seat for seat in Seat if self._connections[seat] > 0)

    @property
    def present(self) -> frozenset[Seat]:
        """The seats whose holders are connected."""
        return self.local_presence | self.remote_presence

    def set_remote_presence(self, seats: frozenset[Seat]) -> None:
        """Show who is connected to other processes."""
        before, self.remote_presence = self.present, seats
        if self.present != before:
            self.notify()

    def connect(self, listener: Listener) -> None:
        """Add a stream of events."""
        self.listeners.add(listener)
        self._count(listener.viewer, +1)

    def disconnect(self, listener: Listener) -> None:
        """Remove a stream; a player is missed only after a moment."""
        self.listeners.discard(listener)
        if listener.viewer is not None:
            get_running_loop().call_later(self.config.grace, self._count, listener.viewer, -1)

    def close(self) -> None:
        """End every stream."""
        for listener in self.listeners:
            listener.close()

    def _count(self, seat: Seat | None, change: int) -> None:
        if seat is None:
            return
        before, here = self.present, self.local_presence
        self._connections[seat] += change
        if not self._connections[seat]:
            del self._connections[seat]
        if self.local_presence != here:
            self._on_presence(self)
        if self.present != before:
            self.notify()


def encode(value: object) -> bytes:
    """A value as JSON, in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(eq=False)
class ReadInProgress:
    """Games that are being read, and the notices of them that arrive meanwhile."""

    ids: frozenset[str]
    notices: dict[str, GameNotice] = field(default_factory=dict)

    def missed(self, found: Mapping[str, LoadedGame]) -> list[str]:
        """The games that have changed since they were read."""
        return [
            game
            for game, notice in self.notices.items()
            if game in found and notice.outdates(found[game].stored.version)
        ]


class SessionCache:
    """The games that were asked for lately."""

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
        """The session of a game as it stands now."""
        session = self.sessions.get(game)
        if session is None or session.stale or await self._is_behind(session):
            session = await self.fetch(game)
        if game in self.sessions:
            self.sessions.move_to_end(game)
        return session

    async def _is_behind(self, session: GameSession) -> bool:
        """Whether another process has changed the game and the notice is still under way."""
        if not self.repository.shared:
            return False
        version = await self.repository.version(session.stored.id)
        return version is None or version > session.stored.version

    async def fetch(self, game: str) -> GameSession:
        """The session of a game, read again."""
        await self.refresh([game])
        session = self.sessions.get(game)
        if session is None:
            raise ApiError(404, "There is no such game; it may have expired.")
        return session

    async def refresh(self, ids: Collection[str]) -> None:
        """Read games from the database, until there is no notice of anything newer."""
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
        session.set_remote_presence(found.remote_presence)

    def _remove(self, game: str) -> None:
        session = self.sessions.pop(game, None)
        if session is not None:
            session.close()

    def _evict(self, asked: str) -> None:
        """Forget the idle games that were asked for longest ago, but not this one."""
        excess = len(self.sessions) - self.config.tables
        if excess > 0:
            idle = [game for game, each in self.sessions.items() if each.idle and game != asked]
            for game in idle[: max(excess, self.config.tables // 10)]:
                del self.sessions[game]

    async def on_notices(self, notices: Collection[GameNotice]) -> list[GameSession]:
        """Take up changes, made here or in another process; the sessions that show them now."""
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
        """Read everything again, as notices may have been missed; the sessions that are left."""
        ids = list(self.sessions)
        for start in range(0, len(ids), MAX_GAMES_PER_REFRESH):
            await self.refresh(ids[start : start + MAX_GAMES_PER_REFRESH])
        return self._among(ids)

    def connected(self) -> list[str]:
        """The games that somebody looks at in this process."""
        return [game for game, session in self.sessions.items() if session.listeners]

    def _among(self, ids: Iterable[str]) -> list[GameSession]:
        return [self.sessions[game] for game in ids if game in self.sessions]
