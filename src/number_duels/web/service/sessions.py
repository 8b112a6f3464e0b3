"""The tables in memory: each shows what the store has, whoever in which process changed it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from number_duels.web.config import Config
from number_duels.web.db.notify import GONE
from number_duels.web.db.reader import Found
from number_duels.web.db.repository import Store
from number_duels.web.errors import Refusal
from number_duels.web.service.session import Live, close_all

#: How many games are read at a time after news may have been missed.
AT_ONCE = 250


@dataclass(eq=False)
class Reading:
    """Games that are being read, and what is heard of them meanwhile."""

    ids: Collection[str]
    heard: dict[str, int] = field(default_factory=dict)

    def missed(self, found: Mapping[str, Found]) -> list[str]:
        """The games of which something newer was heard than was read."""
        return [
            game
            for game, version in self.heard.items()
            if game in found and not 0 < version <= found[game].ledger.version
        ]


class Tables:
    """The games that were asked for lately."""

    def __init__(self, store: Store, config: Config, moved: Callable[[Live], None]) -> None:
        self.store = store
        self.config = config
        self.moved = moved
        self.lives: OrderedDict[str, Live] = OrderedDict()
        self._readings: set[Reading] = set()

    async def find(self, game: str) -> Live:
        """The table of a game as it stands now."""
        live = self.lives.get(game)
        if live is None or live.doubtful or await self.behind(live):
            live = await self.fetch(game)
        if game in self.lives:
            self.lives.move_to_end(game)
        return live

    async def behind(self, live: Live) -> bool:
        """Whether another process has changed a game and the news is still under way."""
        if not self.store.shared:
            return False
        version = await self.store.reader.now.ask(live.ledger.id)
        return version is None or version > live.ledger.version

    async def fetch(self, game: str) -> Live:
        """A table as the store has it."""
        await self.refresh([game])
        live = self.lives.get(game)
        if live is None:
            raise Refusal(404, "There is no such game; it may have expired.")
        return live

    async def refresh(self, ids: Collection[str]) -> None:
        """Read games from the store, until nothing newer is heard of."""
        while ids:
            reading = Reading(frozenset(ids))
            self._readings.add(reading)
            try:
                found = await self.store.load_all(ids)
            finally:
                self._readings.discard(reading)
            for game in ids:
                self.show(game, found.get(game))
            ids = reading.missed(found)

    def show(self, game: str, found: Found | None) -> None:
        """Let a table show what was read."""
        live = self.lives.get(game)
        if found is None:
            self.forget(game)
            return
        if live is None:
            match = found.ledger.match()
            live = self.lives[game] = Live(found.ledger, match, self.config, self.moved)
            self.tidy(game)
        elif live.doubtful or live.ledger.version < found.ledger.version:
            live.become(found.ledger, found.ledger.match())
        live.others(found.elsewhere)

    def forget(self, game: str) -> None:
        """Send everybody away from a table that is gone."""
        live = self.lives.pop(game, None)
        if live is not None:
            close_all([live])

    def tidy(self, asked: str) -> None:
        """Forget the tables that were asked for longest ago and nobody looks at, but this one."""
        excess = len(self.lives) - self.config.tables
        if excess > 0:
            idle = [game for game, live in self.lives.items() if live.idle and game != asked]
            for game in idle[: max(excess, self.config.tables // 10)]:
                del self.lives[game]

    async def heard(self, news: Mapping[str, int]) -> list[Live]:
        """Games have changed, here or in another process; the tables that show it now."""
        for reading in self._readings:
            reading.heard.update((game, news[game]) for game in reading.ids & news.keys())
        wanted: list[str] = []
        for game, version in news.items():
            live = self.lives.get(game)
            if live is None:
                continue
            if version == GONE:
                self.forget(game)
            elif version < 0 or live.ledger.version < version:
                wanted.append(game)
        await self.refresh(wanted)
        return self.among(wanted)

    async def read_again(self) -> list[Live]:
        """Read everything again, as news may have been missed; the tables that there are."""
        ids = list(self.lives)
        for start in range(0, len(ids), AT_ONCE):
            await self.refresh(ids[start : start + AT_ONCE])
        return self.among(ids)

    def among(self, ids: Iterable[str]) -> list[Live]:
        """Those of some games that are in memory."""
        return [self.lives[game] for game in ids if game in self.lives]
