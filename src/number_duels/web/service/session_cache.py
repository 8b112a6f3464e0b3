"""The games in memory that were asked for lately, each as the database has it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from number_duels.web.config import Config
from number_duels.web.db.notify import GameNotice
from number_duels.web.db.repository import GameRepository, LoadedGame
from number_duels.web.errors import ApiError
from number_duels.web.service.sessions import GameSession

#: How many games are read at a time after notices may have been missed.
MAX_GAMES_PER_REFRESH = 250


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
        session.set_elsewhere(found.elsewhere)

    def _remove(self, game: str) -> None:
        session = self.sessions.pop(game, None)
        if session is not None:
            session.close(gone=True)

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
