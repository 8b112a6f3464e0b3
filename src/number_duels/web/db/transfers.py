"""Codes by which a profile is carried to another browser: each works once, and not for long."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.web.db.notify import GameNotice
from number_duels.web.db.profile_rows import (
    add_device,
    count_devices,
    forget_profile,
    has_played,
    lock_profiles,
    merge_profiles,
    remove_device,
)
from number_duels.web.db.profiles import Profile
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.tables import transfer_codes

#: Browsers that may have one profile.
MAX_DEVICES = 50


class CodeUnknown(Exception):
    """A code that is wrong, has expired or was used."""


class TransferRefused(Exception):
    """A code that is right but cannot be used so; the message says why, and nothing changed."""


class TransferRepository:
    """The codes of one database; it knows them by their digests alone."""

    def __init__(self, store: GameRepository) -> None:
        self.store = store

    async def set_code(self, profile: str, code: str, lifetime_s: float) -> bool:
        """Let a profile have this code and no other; False if the profile has gone."""
        async with self.store.transaction() as connection:
            if not await lock_profiles(connection, [profile]):
                return False
            mine = transfer_codes.c.profile == profile
            await connection.execute(delete(transfer_codes).where(mine))
            until = self.store.clock.machine_time(connection) + int(lifetime_s)
            values = {"profile": profile, "code": code, "expires_at": until}
            await connection.execute(insert(transfer_codes).values(values))
            return True

    async def redeem(
        self,
        code: str,
        device: str,
        expires_at: int,
        *,
        own: Profile | None,
        merge: bool | None,
    ) -> list[GameNotice]:
        """Give the profile of a code to a new device, which takes the place of an own one.

        What the own profile has comes along (`merge`) or is left to its other devices; if it has
        games, one of the two must be said. The games that this changed.
        """
        async with self.store.transaction() as connection:
            target, there = await self._use(connection, code, own)
            notices: list[GameNotice] = []
            if own is not None and own.id in there:
                notices = await self._leave(connection, own, target, merge)
            if await count_devices(connection, target) >= MAX_DEVICES:
                raise TransferRefused(f"A profile can be in {MAX_DEVICES} browsers, not in more.")
            await add_device(connection, target, device, expires_at)
            return notices

    async def _use(
        self, connection: AsyncConnection, code: str, own: Profile | None
    ) -> tuple[str, list[str]]:
        """The profile of a code, which then works no more; and which profiles there are."""
        now = self.store.clock.machine_time(connection)
        right = (transfer_codes.c.code == code) & (transfer_codes.c.expires_at > now)
        found = await connection.execute(select(transfer_codes.c.profile).where(right))
        target = found.scalar()
        if target is None:
            raise CodeUnknown
        there = await lock_profiles(connection, {target, own.id} if own else {target})
        # Somebody else may have been quicker.
        used = delete(transfer_codes).where(right).returning(transfer_codes.c.profile)
        if (await connection.execute(used)).scalar() != target:
            raise CodeUnknown
        return target, there

    async def _leave(
        self, connection: AsyncConnection, own: Profile, target: str, merge: bool | None
    ) -> list[GameNotice]:
        if own.id == target:
            raise TransferRefused("This browser has the profile of this code already.")
        if merge is None and await has_played(connection, own.id):
            raise TransferRefused(
                "This browser has games of its own; say with `merge` whether they come along."
            )
        await remove_device(connection, own.device)
        if merge is not False:
            return await merge_profiles(connection, own.id, target)
        if await count_devices(connection, own.id):
            return []
        return await forget_profile(connection, own.id)
