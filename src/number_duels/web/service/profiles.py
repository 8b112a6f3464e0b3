"""Profiles: their games, records, statistics and transfer codes."""

from __future__ import annotations

import secrets
from asyncio import gather, sleep, to_thread
from collections.abc import Sequence
from dataclasses import replace

from number_duels.core.game import Seat
from number_duels.review.json import JsonObject
from number_duels.sessions.play import waits_for
from number_duels.web.config import DAY_S
from number_duels.web.db.notify import GameNotice
from number_duels.web.db.profiles import (
    CodeUnknown,
    MergeUndecided,
    Profile,
    ProfileRepository,
    TransferRefused,
)
from number_duels.web.db.results import GameResult, ResultRepository
from number_duels.web.db.stored_game import digest
from number_duels.web.errors import ApiError, refused
from number_duels.web.service.game_sessions import GameSession
from number_duels.web.service.games import GameService
from number_duels.web.service.new_game import HERE, check_player_names, new_id
from number_duels.web.service.record_files import ReadRecords, read_records, record_line
from number_duels.web.service.results import against, result_of, result_word, statistics, title_of
from number_duels.web.service.runner import FairLock
from number_duels.web.service.views import board, iso_time, seen_from

__all__ = ["CODE_LENGTH", "CODE_LETTERS", "Profile", "ProfileService"]

#: How many running and finished games the page shows, and how many the statistics count.
MAX_RUNNING, MAX_FINISHED, MAX_COUNTED = 30, 30, 1000
GAMES_PER_EXPORT_STEP, MAX_EXPORTED = 50, 20_000
#: Characters that are hard to confuse. A code of twelve has 58 bits.
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH, CODE_GROUP = 12, 4
WAITING = "Waiting for a friend: send the link"
#: The second name if only one is checked. No other name looks like it.
NO_NAME = "-" * 20


class ProfileService:
    def __init__(self, games: GameService) -> None:
        self.games = games
        self.config = games.config
        self.store = games.repository
        self.repository = ProfileRepository(self.store)
        self.results = ResultRepository(self.store)
        self._counting = FairLock()

    async def find(self, token: str) -> Profile | None:
        return await self.repository.find(digest(token)) if token else None

    async def create(self, name: str) -> tuple[Profile, str]:
        check_name(name)
        if self.games.expiry.profiles_full:
            raise ApiError(503, "This server has no room for more profiles; try again later.")
        token = secrets.token_urlsafe(32)
        created = self.store.clock.machine.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        until = self._until(self.config.keep_new_profiles)
        new = Profile(new_id(), name, created, digest(token), until)
        await self.repository.create(new)
        return new, token

    async def rename(self, profile: Profile, name: str) -> Profile:
        check_name(name)
        await self.repository.rename(profile.id, name)
        return replace(profile, name=name)

    async def forget(self, profile: Profile) -> None:
        await self._publish(await self.repository.forget(profile.id))

    async def played(self, profile: Profile) -> None:
        until = self._until(self.config.keep_profiles)
        if profile.expires_at < until - DAY_S:
            await self.repository.extend(profile.device, until)

    async def new_code(self, profile: Profile) -> str:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if not await self.repository.set_code(profile.id, digest(code), self.config.code_time):
            raise ApiError(401, "This profile was deleted.")
        starts = range(0, CODE_LENGTH, CODE_GROUP)
        return "-".join(code[start : start + CODE_GROUP] for start in starts)

    async def redeem(self, code: str, own: Profile | None, merge: bool | None) -> str:
        token, until = secrets.token_urlsafe(32), self._until(self.config.keep_profiles)
        plain = digest("".join(sign for sign in code.upper() if sign.isalnum()))
        try:
            notices = await self.repository.redeem(
                plain, digest(token), until, own=own, merge=merge
            )
        except CodeUnknown:
            raise ApiError(
                404, "This code is wrong, expired or already used; ask for a new one."
            ) from None
        except TransferRefused as refusal:
            needs = "merge" if isinstance(refusal, MergeUndecided) else None
            raise ApiError(409, str(refusal), needs=needs) from None
        await self._publish(notices)
        return token

    async def _publish(self, notices: list[GameNotice]) -> None:
        await self.games.notifier.publish(notices)

    def _until(self, keep_s: float) -> int:
        return int(self.store.clock.now() + keep_s)

    async def about(self, profile: Profile | None) -> JsonObject:
        if profile is None:
            return {"name": "", "created": None, "running": [], "finished": []}
        running, finished = await self.running(profile), await self.finished(profile)
        if running or finished:
            await self.played(profile)
        return {
            "name": profile.name,
            "created": profile.created,
            "running": running,
            "finished": finished,
        }

    async def running(self, profile: Profile) -> list[JsonObject]:
        ids = await self.repository.games(profile.id, MAX_RUNNING, over=False)
        found = await gather(*map(self.games.find, ids), return_exceptions=True)
        lines = []
        for session in found:
            if isinstance(session, ApiError):
                continue  # it was removed meanwhile
            if isinstance(session, BaseException):
                raise session
            seat = session.stored.seat_of_profile(profile.id)
            if seat is not None and not session.stored.over:
                lines.append(running_line(session, seat, profile.id))
        return lines

    async def finished(self, profile: Profile) -> list[JsonObject]:
        lag_s = self.store.clock.lag_s
        found = await self.results.newest(profile.id, MAX_FINISHED)
        return [game_line(one, lag_s) for one in found]

    async def statistics(self, profile: Profile | None) -> JsonObject:
        found = await self.results.newest(profile.id, MAX_COUNTED) if profile else []
        # This takes up to 50 ms, so it must not block the event loop.
        async with self._counting.turn(profile.id if profile else ""):
            return await to_thread(statistics, found, self.store.clock.lag_s)

    async def records(self, profile: Profile | None) -> bytes:
        if profile is None:
            return b""
        lines = []
        ids = await self.repository.games(profile.id, MAX_EXPORTED)
        for start in range(0, len(ids), GAMES_PER_EXPORT_STEP):
            # Other profiles get their turn between two steps.
            async with self._counting.turn(profile.id):
                step = await self.store.load_all(ids[start : start + GAMES_PER_EXPORT_STEP])
                for loaded in step.values():
                    seat = loaded.stored.seat_of_profile(profile.id)
                    if seat is not None:
                        lines.append(record_line(loaded.stored, seat))
                    await sleep(0)  # replaying a game takes a while, so let other tasks run
        return b"".join(lines)

    async def read_records(
        self, profile: Profile, client: str, lines: Sequence[str]
    ) -> ReadRecords:
        clock = self.store.clock
        with refused(422):
            return await self.games.worker.work(
                client, read_records, lines, profile.id, clock.now(), clock.lag_s
            )

    async def add_records(self, profile: Profile, client: str, read: ReadRecords) -> int:
        """Add games to a profile, except those that it has. Return the number of added games."""
        await self.games.check_room_for([one.stored for one in read.games], client)
        added, notices = await self.repository.add_games(profile.id, read.games)
        await self._publish(notices)
        self.games.grader.wake()
        await self.played(profile)
        return added


def check_name(name: str) -> None:
    with refused(422):
        if name:
            check_player_names(name, NO_NAME)


def running_line(session: GameSession, seat: Seat, profile: str) -> JsonObject:
    stored, match = session.stored, session.match
    line = game_line(result_of(stored, seat, profile), session.clock.lag_s)
    viewer = seen_from(stored, match, seat)
    line |= {"over": False, "board": board(match.game, match.view(viewer))}
    if stored.shared:
        return line | {"opponent": HERE, "status": "At this device"}
    yours = line["your_turn"] = seat in waits_for(match).seats
    if not stored.seats[seat.other].seated:
        return line | {"seated": False, "against": "", "status": WAITING}
    return line | {"status": "Your turn" if yours else "Their turn"}


def game_line(one: GameResult, lag_s: int) -> JsonObject:
    return {
        "id": one.game,
        "game": one.name,
        "title": title_of(one.name),
        "settings": one.settings,
        "seat": one.seat + 1,
        "names": one.names,
        "opponent": one.opponent,
        "your_turn": False,
        "over": True,
        "result": one.result,
        "reason": one.reason,
        "updated": iso_time(one.finished_at + lag_s),
        "board": None,
        "seated": True,
        "kept": one.kept,
        "against": against(one.opponent, one.names[one.seat.other]),
        "status": result_word(one),
    }
