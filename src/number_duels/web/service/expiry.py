"""Remove games and profiles that have expired, and old ones if there are too many."""

from __future__ import annotations

import os
from asyncio import Lock, sleep, to_thread
from collections.abc import Collection
from dataclasses import replace
from logging import getLogger
from pathlib import Path

from number_duels.web.config import Config
from number_duels.web.db.notify import GameNotice, Notifier
from number_duels.web.db.profiles import ProfileRepository
from number_duels.web.db.repository import GameRepository, is_over
from number_duels.web.db.results import ResultRepository
from number_duels.web.db.schema import games, profiles, training_events
from number_duels.web.service.game_sessions import SessionCache

MAX_GAMES_PER_BATCH = 100
MAX_BATCHES = 50
MAX_PROFILES_PER_BATCH = 500
PROFILE_ROOM_SHARE = 0.05

log = getLogger(__name__)


class Expiry:
    def __init__(
        self, repository: GameRepository, config: Config, notifier: Notifier, cache: SessionCache
    ) -> None:
        self.repository = repository
        self.config = config
        self.notifier = notifier
        self.cache = cache
        self.profiles = ProfileRepository(repository)
        self.results = ResultRepository(repository)
        #: Allows one sweep at a time, so that an old count never replaces a newer one.
        self._sweeping = Lock()
        self.full = False
        self.profiles_full = False
        self.books_full = False

    async def run(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception as error:  # the next attempt may succeed
                log.warning("Old games could not be removed: %s", type(error).__name__)
            await self.repository.clock.machine.sleep(self.config.sweep_every)

    async def sweep(self) -> None:
        async with self._sweeping:
            shortest = min(self.config.expire_after, self.config.keep_finished)
            await self.repository.advance_clock(self.cache.connected(), shortest / 2)
            async with self.repository.removal() as mine:
                if mine:
                    await self._remove_old()
                    await self._remove_beyond_quota()
                    await self.notifier.publish(await self.profiles.remove_expired())
                    await self._make_room_for_profiles()
                    await self.results.remove_beyond(self.config.results)
            count = self.repository.count
            self.profiles_full = await count(profiles) >= self.config.profiles
            self.books_full = await count(training_events) >= self.config.training_events
            self.full = await count(games, is_over(False)) >= self.config.max_games

    async def _remove_old(self) -> None:
        now = self.repository.clock.now()
        for over, keep in ((False, self.config.expire_after), (True, self.config.keep_finished)):
            before = int(now - keep)
            for _ in range(MAX_BATCHES):
                old = await self.repository.oldest(MAX_GAMES_PER_BATCH, over=over, before=before)
                if not await self._remove(old, over=over, before=before):
                    break

    async def _remove_beyond_quota(self) -> None:
        excess = await self.repository.count(games, is_over(True)) - self.config.max_games
        while excess > 0:
            most = min(excess, MAX_GAMES_PER_BATCH)
            oldest = await self.repository.oldest(most, over=True)
            later = self.repository.clock.now() + self.repository.clock.max_step_s
            if not await self._remove(oldest, over=True, before=later):
                break
            excess -= most

    async def _make_room_for_profiles(self) -> None:
        excess = await self.repository.count(profiles) - self.config.profiles
        if excess < 0:
            return
        excess += max(1, int(self.config.profiles * PROFILE_ROOM_SHARE))
        while excess > 0:
            gone = await self.profiles.remove_unplayed(min(excess, MAX_PROFILES_PER_BATCH))
            if not gone:
                break
            excess -= gone

    async def _remove(self, ids: Collection[str], *, over: bool, before: int) -> list[str]:
        connected = set(self.cache.connected())
        wanted = [game for game in ids if game not in connected]
        if not wanted:
            return []
        if over and self.config.archive:
            await self._archive(wanted)
        gone = await self.repository.remove(wanted, over=over, before=before)
        await self.notifier.publish([GameNotice(game, removed=True) for game in gone])
        return gone

    async def _archive(self, ids: Collection[str]) -> None:
        lines = []
        for loaded in (await self.repository.load_all(ids)).values():
            stored = loaded.stored
            record = replace(stored.match().record, players=stored.players)
            lines.append(f"{record.to_json()}\n")
            await sleep(0)  # replaying a game takes a while, so let other tasks run
        await to_thread(append, Path(self.config.archive), "".join(lines))


def append(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(handle)
