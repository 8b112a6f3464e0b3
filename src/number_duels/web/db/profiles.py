"""Profiles in the database: people without accounts, each with one browser or several."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, insert, or_, select, update

from number_duels.web.db.batching import RequestBatcher
from number_duels.web.db.engine import translate_driver_errors
from number_duels.web.db.notify import GameNotice
from number_duels.web.db.profile_rows import (
    add_device,
    count_devices,
    forget_profile,
    lock_profiles,
)
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.tables import (
    among,
    devices,
    games,
    profiles,
    results,
    training_events,
)

MAX_PROFILES_PER_QUERY = 1000
#: A profile that has neither a game nor a result, and has learned nothing.
UNPLAYED = ~or_(
    exists().where(results.c.profile == profiles.c.id),
    exists().where(games.c.profile_one == profiles.c.id),
    exists().where(games.c.profile_two == profiles.c.id),
    exists().where(training_events.c.profile == profiles.c.id),
)


@dataclass(frozen=True)
class Profile:
    """Somebody who came with a device's token."""

    id: str
    name: str
    created: str
    #: The digest of that token, and when the device is forgotten.
    device: str
    expires_at: int


class ProfileRepository:
    """The profiles of one database."""

    def __init__(self, store: GameRepository) -> None:
        self.store = store
        self._devices = RequestBatcher(self._load, MAX_PROFILES_PER_QUERY)

    async def find(self, device: str) -> Profile | None:
        """The profile of a device, by the digest of its token."""
        return await self._devices.get(device)

    async def _load(self, tokens: Collection[str]) -> dict[str, Profile]:
        with translate_driver_errors():
            async with self.store.engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                rows = await connection.execute(
                    select(profiles, devices.c.token, devices.c.expires_at)
                    .join(devices, devices.c.profile == profiles.c.id)
                    .where(among(connection, devices.c.token, tokens))
                )
                return {row.token: Profile(*row) for row in rows}

    async def games(self, profile: str, most: int, *, over: bool | None = None) -> list[str]:
        """The games in which a profile has taken a seat, the one that changed last first."""
        wanted = select(games.c.id).where(
            or_(
                (games.c.profile_one == profile) & games.c.token_one.is_not(None),
                (games.c.profile_two == profile) & games.c.token_two.is_not(None),
            )
        )
        if over is not None:
            wanted = wanted.where(games.c.over if over else ~games.c.over)
        async with self.store.snapshot() as connection:
            rows = await connection.execute(
                wanted.order_by(games.c.updated_at.desc(), games.c.id).limit(most)
            )
            return [row.id for row in rows]

    async def count(self) -> int:
        async with self.store.snapshot() as connection:
            found = await connection.execute(select(func.count()).select_from(profiles))
            return found.scalar() or 0

    async def create(self, new: Profile) -> None:
        """A new profile with its first device."""
        async with self.store.transaction() as connection:
            values = {"id": new.id, "name": new.name, "created": new.created}
            await connection.execute(insert(profiles).values(values))
            await add_device(connection, new.id, new.device, new.expires_at)

    async def rename(self, profile: str, name: str) -> None:
        async with self.store.transaction() as connection:
            mine = profiles.c.id == profile
            await connection.execute(update(profiles).where(mine).values(name=name))

    async def extend(self, device: str, expires_at: int) -> None:
        """Keep a device, and so its profile, for longer."""
        async with self.store.transaction() as connection:
            mine = (devices.c.token == device) & (devices.c.expires_at < expires_at)
            await connection.execute(update(devices).where(mine).values(expires_at=expires_at))

    async def forget(self, profile: str) -> list[GameNotice]:
        """Remove a profile and its results; its games go on, and belong to their tokens alone."""
        async with self.store.transaction() as connection:
            found = await lock_profiles(connection, [profile])
            return await forget_profile(connection, profile) if found else []

    async def remove_expired(self) -> list[GameNotice]:
        """Forget the devices whose time is over, and the profiles that have no other."""
        over = devices.c.expires_at < self.store.clock.now()
        wanted = select(devices.c.profile).where(over).limit(MAX_PROFILES_PER_QUERY)
        notices: list[GameNotice] = []
        async with self.store.transaction() as connection:
            old = {row.profile for row in await connection.execute(wanted)}
            for profile in await lock_profiles(connection, old) if old else ():
                mine = devices.c.profile == profile
                await connection.execute(delete(devices).where(mine, over))
                if not await count_devices(connection, profile):
                    notices += await forget_profile(connection, profile)
        return notices

    async def remove_unplayed(self, most: int) -> int:
        """Forget the oldest profiles without a game or a result; how many there were."""
        wanted = select(profiles.c.id).where(UNPLAYED).order_by(profiles.c.created, profiles.c.id)
        async with self.store.snapshot() as connection:
            rows = await connection.execute(wanted.limit(most))
            oldest = [row.id for row in rows]
        if oldest:
            async with self.store.transaction() as connection:
                # Whoever has begun to play meanwhile stays.
                among_them = among(connection, profiles.c.id, oldest)
                await connection.execute(delete(profiles).where(among_them, UNPLAYED))
        return len(oldest)
