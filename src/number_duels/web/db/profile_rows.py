"""Changes to the rows of profiles, inside a transaction.

Whoever changes a profile locks its row first, and of two profiles the one with the lower id: so
nothing is done twice, and two processes never wait for each other.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Select, case, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.web.db.notify import GameNotice, send
from number_duels.web.db.tables import (
    among,
    devices,
    games,
    profiles,
    results,
    training_events,
)


async def lock_profiles(connection: AsyncConnection, ids: Collection[str]) -> list[str]:
    """Those of some profiles that there are; nobody else changes them until the commit."""
    rows = await connection.execute(
        select(profiles.c.id)
        .where(among(connection, profiles.c.id, sorted(ids)))
        .order_by(profiles.c.id)
        .with_for_update()
    )
    return [row.id for row in rows]


async def count_devices(connection: AsyncConnection, profile: str) -> int:
    mine = select(func.count()).select_from(devices).where(devices.c.profile == profile)
    return (await connection.execute(mine)).scalar() or 0


async def add_device(
    connection: AsyncConnection, profile: str, device: str, expires_at: int
) -> None:
    values = {"token": device, "profile": profile, "expires_at": expires_at}
    await connection.execute(insert(devices).values(values))


async def remove_device(connection: AsyncConnection, device: str) -> None:
    await connection.execute(delete(devices).where(devices.c.token == device))


async def has_played(connection: AsyncConnection, profile: str) -> bool:
    """Whether a profile has a game or a result, or has learned something."""
    played = select(results.c.game).where(results.c.profile == profile)
    learned = select(training_events.c.id).where(training_events.c.profile == profile)
    for wanted in (played, seats_of(profile), learned):
        if (await connection.execute(wanted.limit(1))).first() is not None:
            return True
    return False


async def merge_profiles(connection: AsyncConnection, old: str, new: str) -> list[GameNotice]:
    """Let everything of a profile be another's; the games that this changed."""
    # One book may have been read into both.
    known = select(training_events.c.id).where(training_events.c.profile == new)
    twice = (training_events.c.profile == old) & training_events.c.id.in_(known)
    await connection.execute(delete(training_events).where(twice))
    for table in (devices, results, training_events):
        mine = table.c.profile == old
        await connection.execute(update(table).where(mine).values(profile=new))
    notices = await reassign_games(connection, old, new)
    await connection.execute(delete(profiles).where(profiles.c.id == old))
    return notices


async def forget_profile(connection: AsyncConnection, profile: str) -> list[GameNotice]:
    """Remove a profile, its devices, code, results and book; the games that this changed."""
    notices = await reassign_games(connection, profile, None)
    await connection.execute(delete(results).where(results.c.profile == profile))
    await connection.execute(delete(profiles).where(profiles.c.id == profile))
    return notices


async def reassign_games(
    connection: AsyncConnection, old: str, new: str | None
) -> list[GameNotice]:
    """Give the seats of a profile to another, or to none."""
    # Locked in the order in which whoever writes moves does it.
    await connection.execute(seats_of(old).order_by(games.c.id).with_for_update())
    one, two = games.c.profile_one, games.c.profile_two
    changed = await connection.execute(
        update(games)
        .where(or_(one == old, two == old))
        .values(
            profile_one=case((one == old, new), else_=one),
            profile_two=case((two == old, new), else_=two),
            version=games.c.version + 1,
        )
        .returning(games.c.id, games.c.version)
    )
    notices = [GameNotice(row.id, version=row.version) for row in changed]
    await send(connection, notices)
    return notices


def seats_of(profile: str) -> Select[tuple[str]]:
    """The games with a seat that is a profile's, or is kept for it."""
    return select(games.c.id).where(
        or_(games.c.profile_one == profile, games.c.profile_two == profile)
    )
