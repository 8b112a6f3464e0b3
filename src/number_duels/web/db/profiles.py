"""Profiles in the database, their browsers, and transfer codes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Select, case, delete, exists, insert, or_, select, update

from number_duels.web.db.engine import translate_driver_errors
from number_duels.web.db.notify import GameNotice, send
from number_duels.web.db.repository import GameRepository, RequestBatcher, is_over
from number_duels.web.db.results import GameResult, read_result
from number_duels.web.db.schema import (
    among,
    count_rows,
    devices,
    games,
    profiles,
    read_games,
    results,
    training_events,
    transfer_codes,
)
from number_duels.web.db.stored_game import Event, EventKind, StoredGame
from number_duels.web.db.writer import WriteRequest, write_all

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MAX_PROFILES_PER_QUERY = 1000
MAX_DEVICES = 50
#: The most games of a profile, started at the same times, that an added game is compared with.
MAX_SAME_TIME = 1000
UNPLAYED = ~or_(
    exists().where(results.c.profile == profiles.c.id),
    exists().where(games.c.profile_one == profiles.c.id),
    exists().where(games.c.profile_two == profiles.c.id),
    exists().where(training_events.c.profile == profiles.c.id),
)


@dataclass(frozen=True)
class Profile:
    id: str
    name: str
    created: str
    device: str
    expires_at: int


class AddedGame(NamedTuple):
    """A game from a file, and its result if it is finished."""

    stored: StoredGame
    #: Whether the file has the seed. Without it, the next cards are new.
    has_seed: bool
    result: GameResult | None = None


class CodeUnknown(Exception): ...


class TransferRefused(Exception):
    """Raised if a valid transfer code can't be used here. The message says why."""


class MergeUndecided(TransferRefused):
    """Raised if `merge` is None although the browser's own profile has games or training."""


class ProfileRepository:
    def __init__(self, store: GameRepository) -> None:
        self.store = store
        self._devices = RequestBatcher(self._load, MAX_PROFILES_PER_QUERY)

    async def find(self, device: str) -> Profile | None:
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
        wanted = select(games.c.id).where(
            or_(
                (games.c.profile_one == profile) & games.c.token_one.is_not(None),
                (games.c.profile_two == profile) & games.c.token_two.is_not(None),
            )
        )
        if over is not None:
            wanted = wanted.where(is_over(over))
        newest = games.c.updated_at.desc(), games.c.id
        return [row.id for row in await self.store.rows(wanted.order_by(*newest).limit(most))]

    async def create(self, new: Profile) -> None:
        async with self.store.transaction() as connection:
            values = {"id": new.id, "name": new.name, "created": new.created}
            await connection.execute(insert(profiles).values(values))
            await add_device(connection, new.id, new.device, new.expires_at)

    async def rename(self, profile: str, name: str) -> None:
        mine = profiles.c.id == profile
        await self.store.execute(update(profiles).where(mine).values(name=name))

    async def extend(self, device: str, expires_at: int) -> None:
        mine = (devices.c.token == device) & (devices.c.expires_at < expires_at)
        await self.store.execute(update(devices).where(mine).values(expires_at=expires_at))

    async def forget(self, profile: str) -> list[GameNotice]:
        """Remove a profile and its results. Its games continue, and their tokens still work."""
        async with self.store.transaction() as connection:
            found = await lock_profiles(connection, [profile])
            return await forget_profile(connection, profile) if found else []

    async def remove_expired(self) -> list[GameNotice]:
        over = devices.c.expires_at < self.store.clock.now()
        wanted = select(devices.c.profile).where(over).limit(MAX_PROFILES_PER_QUERY)
        notices: list[GameNotice] = []
        async with self.store.transaction() as connection:
            old = {row.profile for row in await connection.execute(wanted)}
            for profile in await lock_profiles(connection, old) if old else ():
                mine = devices.c.profile == profile
                await connection.execute(delete(devices).where(mine, over))
                if not await count_rows(connection, devices, mine):
                    notices += await forget_profile(connection, profile)
        return notices

    async def remove_unplayed(self, most: int) -> int:
        """Remove up to `most` profiles that never played or trained. Return their number."""
        wanted = select(profiles.c.id).where(UNPLAYED).order_by(profiles.c.created, profiles.c.id)
        oldest = [row.id for row in await self.store.rows(wanted.limit(most))]
        if oldest:
            async with self.store.transaction() as connection:
                # Some may have begun to play in the meantime.
                among_them = among(connection, profiles.c.id, oldest)
                await connection.execute(delete(profiles).where(among_them, UNPLAYED))
        return len(oldest)

    async def add_games(
        self, profile: str, new: Sequence[AddedGame]
    ) -> tuple[int, list[GameNotice]]:
        """Add games that the profile does not have. Return their number.

        If the profile has a game only up to an earlier turn, the longer one replaces it. The
        notices are about the games that were replaced.
        """
        async with self.store.transaction() as connection:
            if not await lock_profiles(connection, [profile]):
                return 0, []
            started = {one.stored.started for one in new}
            kept = await games_started(connection, profile, started)
            removed = await results_started(connection, profile, started, {g.id for g in kept})
            writes: dict[str, WriteRequest] = {}
            replaced: list[str] = []
            for stored, has_seed, result in new:
                same = [one for one in kept if is_same_game(one, stored, has_seed=has_seed)]
                if heading(stored) in removed or any(moves_of(stored) <= moves_of(g) for g in same):
                    continue
                shorter = {
                    one.id
                    for one in same
                    if has_seed and not one.over and moves_of(one) < moves_of(stored)
                }
                replaced += [game for game in shorter if writes.pop(game, None) is None]
                kept = [*(one for one in kept if one.id not in shorter), stored]
                results = () if result is None else (result,)
                writes[stored.id] = WriteRequest(new=stored, results=results)
            gone = delete(games).where(among(connection, games.c.id, replaced))
            await connection.execute(gone)
            await connection.run_sync(write_all, list(writes.values()))
            notices = [GameNotice(game, removed=True) for game in replaced]
            await send(connection, notices)
            return len(writes), notices

    async def set_code(self, profile: str, code: str, lifetime_s: float) -> bool:
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
        """Move a device to the profile of a transfer code. Return notices about the changed games.

        `own` is the device's old profile. If `merge` is false, remove `own`, unless other devices
        use it. Otherwise add `own` to the code's profile. Raise MergeUndecided if `merge` is None
        and `own` has games or training.
        """
        async with self.store.transaction() as connection:
            target, there = await self._use(connection, code, own)
            notices: list[GameNotice] = []
            if own is not None and own.id in there:
                notices = await self._leave(connection, own, target, merge)
            mine = devices.c.profile == target
            if await count_rows(connection, devices, mine) >= MAX_DEVICES:
                raise TransferRefused(f"A profile can be used in at most {MAX_DEVICES} browsers.")
            await add_device(connection, target, device, expires_at)
            return notices

    async def _use(
        self, connection: AsyncConnection, code: str, own: Profile | None
    ) -> tuple[str, list[str]]:
        """Use up a transfer code, and lock its profile and `own`.

        Return the id of the code's profile, and the ids of the locked profiles.
        """
        now = self.store.clock.machine_time(connection)
        right = (transfer_codes.c.code == code) & (transfer_codes.c.expires_at > now)
        found = await connection.execute(select(transfer_codes.c.profile).where(right))
        target = found.scalar()
        if target is None:
            raise CodeUnknown
        there = await lock_profiles(connection, {target, own.id} if own else {target})
        # Another request may have used the code first.
        used = delete(transfer_codes).where(right).returning(transfer_codes.c.profile)
        if (await connection.execute(used)).scalar() != target:
            raise CodeUnknown
        return target, there

    async def _leave(
        self, connection: AsyncConnection, own: Profile, target: str, merge: bool | None
    ) -> list[GameNotice]:
        if own.id == target:
            raise TransferRefused("This browser already has this profile.")
        if merge is None and await has_played(connection, own.id):
            raise MergeUndecided(
                "This browser has other games; add them to the profile, or leave them behind."
            )
        await connection.execute(delete(devices).where(devices.c.token == own.device))
        if merge is not False:
            return await merge_profiles(connection, own.id, target)
        if await count_rows(connection, devices, devices.c.profile == own.id):
            return []
        return await forget_profile(connection, own.id)


# Every change first locks the rows of its profiles, in the order of their ids. So nothing is done
# twice, and processes can't deadlock.


async def lock_profiles(connection: AsyncConnection, ids: Collection[str]) -> list[str]:
    rows = await connection.execute(
        select(profiles.c.id)
        .where(among(connection, profiles.c.id, sorted(ids)))
        .order_by(profiles.c.id)
        .with_for_update()
    )
    return [row.id for row in rows]


async def add_device(
    connection: AsyncConnection, profile: str, device: str, expires_at: int
) -> None:
    values = {"token": device, "profile": profile, "expires_at": expires_at}
    await connection.execute(insert(devices).values(values))


async def has_played(connection: AsyncConnection, profile: str) -> bool:
    played = select(results.c.game).where(results.c.profile == profile)
    learned = select(training_events.c.id).where(training_events.c.profile == profile)
    for wanted in (played, seats_of(profile), learned):
        if (await connection.execute(wanted.limit(1))).first() is not None:
            return True
    return False


async def merge_profiles(connection: AsyncConnection, old: str, new: str) -> list[GameNotice]:
    # The same file may have been imported into both books.
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
    """Remove a profile and all its data except games. Return notices about the changed games."""
    notices = await reassign_games(connection, profile, None)
    await connection.execute(delete(results).where(results.c.profile == profile))
    await connection.execute(delete(profiles).where(profiles.c.id == profile))
    return notices


async def reassign_games(
    connection: AsyncConnection, old: str, new: str | None
) -> list[GameNotice]:
    """Give the seats of profile `old` to `new`, or to nobody. Return notices about the games."""
    # Games are locked in the same order as by the writer.
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


Heading = tuple[object, ...]


def heading(one: StoredGame | GameResult) -> Heading:
    return one.started, one.name, sorted(one.settings.items()), one.names


def is_same_game(one: StoredGame, other: StoredGame, *, has_seed: bool) -> bool:
    same_players = one.players == other.players
    same_seed = one.seed == other.seed or not has_seed
    return heading(one) == heading(other) and same_players and same_seed


def moves_of(stored: StoredGame) -> frozenset[Event]:
    # Without cards: whether a game is the same must not tell a card that its player may not see.
    return frozenset(event for event in stored.events if event.kind is not EventKind.DRAW)


async def games_started(
    connection: AsyncConnection, profile: str, started: Collection[str]
) -> list[StoredGame]:
    mine = or_(games.c.profile_one == profile, games.c.profile_two == profile)
    then = among(connection, games.c.started, started)
    return await read_games(connection, select(games).where(mine, then).limit(MAX_SAME_TIME))


async def results_started(
    connection: AsyncConnection, profile: str, started: Collection[str], kept: Collection[str]
) -> list[Heading]:
    """Return the headings of a profile's removed games that started at one of these times."""
    then = among(connection, results.c.started, started)
    wanted = select(results).where(results.c.profile == profile, then).limit(MAX_SAME_TIME)
    found = map(read_result, await connection.execute(wanted))
    return [heading(one) for one in found if one.game not in kept]


def seats_of(profile: str) -> Select[tuple[str]]:
    return select(games.c.id).where(
        or_(games.c.profile_one == profile, games.c.profile_two == profile)
    )
