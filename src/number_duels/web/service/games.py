"""The game service: it finds, starts and changes games, and plays the computers' turns."""

from __future__ import annotations

import logging
import re
import secrets
from asyncio import CancelledError, Task, create_task, shield
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from number_duels.core.clock import Clock, utc_text
from number_duels.core.game import Seat
from number_duels.sessions.play import Awaited, waits_for
from number_duels.web.config import Config
from number_duels.web.db.notify import GameNotice, Notifier
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.stored_game import HUMAN, EventKind, StoredGame, digest
from number_duels.web.errors import (
    AnswerTimeout,
    ApiError,
    ConcurrentUpdate,
    DatabaseUnavailable,
    refused,
)
from number_duels.web.service import commands, solver_tasks
from number_duels.web.service.commands import Command
from number_duels.web.service.expiry import Expiry
from number_duels.web.service.game_sessions import GameSession, SessionCache
from number_duels.web.service.new_game import GameRequest, new_game, rematch_of
from number_duels.web.service.results import ResultGrader, results_of
from number_duels.web.service.worker import SolverWorker
from number_duels.web.telemetry import Metrics

log = logging.getLogger(__name__)

GAME_ID = re.compile("[A-Za-z0-9_-]{1,64}")
#: How often to try to write a change while other processes change the same game.
MAX_ATTEMPTS = 20
#: How long to wait in case a computer refuses a game.
PREPARE_TIMEOUT_S = 2.0
RETRY_DELAY_S = 1.0
#: How long a computer waits after the solver did not answer in time.
LATE_MOVE_DELAY_S = 5.0


class GameService:
    def __init__(
        self,
        repository: GameRepository,
        config: Config,
        notifier: Notifier,
        make_worker: Callable[[Config, Clock], SolverWorker] = SolverWorker,
    ) -> None:
        self.repository = repository
        self.config = config
        self.notifier = notifier
        self.clock = repository.clock.machine
        self.worker = make_worker(config, self.clock)
        self.cache = SessionCache(repository, config, self._on_presence)
        self.streams: Counter[str] = Counter()
        self.metrics = Metrics(self.streams.total, lambda: len(self.cache.sessions))
        #: Whether the server was told to stop. It still serves everything, but is not ready.
        self.draining = False
        #: Whether streams have ended. No new ones are opened.
        self.closing = False
        self.expiry = Expiry(repository, config, notifier, self.cache)
        self.grader = ResultGrader(repository, self.worker, config)
        self._background: list[Task[None]] = []
        notifier.publish, notifier.after_gap = self._on_notices, self._after_gap

    async def open(self) -> None:
        await self.repository.open()
        await self.notifier.open()
        self._background = [create_task(self.expiry.run()), create_task(self.grader.run())]

    async def close(self) -> None:
        self.close_streams()
        self.worker.close()
        computers = [session.computer_task for session in self.cache.sessions.values()]
        for task in (*self._background, *computers):
            if task is not None:
                task.cancel()
                with suppress(CancelledError, Exception):
                    await task
        await self.notifier.close()
        await self.repository.close()

    def close_streams(self) -> None:
        self.draining = self.closing = True
        self.worker.stop_solving()
        for session in self.cache.sessions.values():
            session.close()

    async def unready_reason(self) -> str | None:
        if self.draining:
            return "The server is stopping; try again in a moment."
        if not self.notifier.connected:
            return "The server is still starting; try again in a moment."
        await self.repository.check()
        return await self.worker.trouble()

    async def find(self, game: str) -> GameSession:
        # Games are read in batches, and an id that the database rejects would fail a whole batch.
        if not GAME_ID.fullmatch(game):
            raise ApiError(404, "There is no such game; it may have expired.")
        session = await self.cache.find(game)
        self._start_computer(session)
        return session

    async def change(
        self, session: GameSession, command: Command, new: StoredGame | None = None
    ) -> None:
        """Apply a command to a game, write the result, and show it to the viewers."""
        async with session.lock:
            for _ in range(MAX_ATTEMPTS):
                before = session.stored
                after, match = command(before, session.match)
                if after is before:
                    return
                after = replace(
                    after,
                    version=before.version + 1,
                    updated_at=self.repository.clock.now(),
                    over=match.outcome is not None,
                )
                ended = after.over and not before.over
                results = results_of(after, match) if ended else ()
                try:
                    await self.repository.advance(before, after, new, results)
                except ConcurrentUpdate:
                    session.stale = True
                    await self.cache.fetch(before.id)
                    continue
                except BaseException:
                    session.stale = True
                    raise
                # A notice of an even newer version may have arrived first.
                if session.stale or session.stored.version < after.version:
                    session.replace(after, match)
                added = after.events[len(before.events) :]
                self.metrics.changed(
                    after.name,
                    sum(event.kind is not EventKind.RESIGNATION for event in added),
                    finished=ended,
                )
                if results:
                    self.grader.wake()
                break
            else:
                raise ApiError(409, "The game has just changed; try again.")
        self._start_computer(session)

    def _on_presence(self, session: GameSession) -> None:
        self.notifier.set_presence(session.stored.id, session.presence.here)

    async def _on_notices(self, notices: Collection[GameNotice]) -> None:
        for session in await self.cache.on_notices(notices):
            self._watch_computer(session)

    async def _after_gap(self) -> None:
        for session in await self.cache.refresh_all():
            if session.presence.anybody_here:
                self._on_presence(session)
            self._watch_computer(session)

    def _start_computer(self, session: GameSession) -> None:
        idle = session.computer_task is None or session.computer_task.done()
        if idle and has_computer(session.stored):
            session.computer_task = create_task(play_computer_turns(self, session))

    def _watch_computer(self, session: GameSession) -> None:
        """Play the computer's turn here if no other process plays it in time."""
        version = session.stored.version

        def take_over() -> None:
            if session.stored.version == version and not self.closing:
                self._start_computer(session)

        if has_computer(session.stored):
            self.clock.call_later(self.config.takeover, take_over)

    async def resign(self, session: GameSession, seat: Seat) -> bool:
        """Let the player in a seat resign, or remove the game if nobody has joined yet.

        Return whether the player resigned.
        """
        game = session.stored.id
        while not session.stored.seats[seat.other].seated:
            async with session.lock:
                removed = await self.repository.remove_unchanged(session.stored)
            if removed:
                await self.notifier.publish([GameNotice(game, removed=True)])
                return False
            session.stale = True
            await self.cache.fetch(game)
        await self.change(session, commands.resign(seat))
        return True

    async def claim(self, session: GameSession, seat: Seat, turn: int | None) -> None:
        if self.repository.shared:
            # Read the current connections to other processes.
            await self.cache.fetch(session.stored.id)
        await self.change(session, commands.claim(seat, turn, session.presence.check_claim))

    async def start(self, request: GameRequest, client: str) -> tuple[StoredGame, Seat, str]:
        if request.id is not None and await self.repository.version(request.id) is not None:
            raise ApiError(409, "This game has already started.")
        token = secrets.token_urlsafe(32)
        stored = self._dated(new_game(request, digest(token)))
        await self.check_room_for([stored], client)
        await self.repository.create(stored)
        self.metrics.games.labels(stored.name).inc()
        session = await self.cache.find(stored.id)
        session.starter = client
        self._start_computer(session)
        return stored, request.seat, token

    async def check_room_for(self, new: Sequence[StoredGame], client: str) -> None:
        """Raise ApiError if there is no room for new games, or if a computer can't play them."""
        if self.expiry.full:
            raise ApiError(503, "This server has no room for more games; try again later.")
        needed = {
            (holder.who, stored.game): stored
            for stored in new
            for holder in stored.seats
            if not stored.over and holder.who not in (HUMAN, "random")
        }
        for (who, _), stored in needed.items():
            await self._prepare(client, who, stored)

    async def _prepare(self, client: str, who: str, stored: StoredGame) -> None:
        preparing = create_task(self.worker.prepare(client, who, stored.game))
        # After the timeout, this task continues, and the computer's first move waits for it.
        preparing.add_done_callback(lambda task: task.cancelled() or task.exception())
        with refused(422), suppress(TimeoutError):
            async with self.clock.timeout(PREPARE_TIMEOUT_S):
                await shield(preparing)

    def _dated(self, stored: StoredGame) -> StoredGame:
        started = utc_text(self.clock.now())
        return replace(stored, started=started, updated_at=self.repository.clock.now())

    async def join(
        self, session: GameSession, name: str, profile: str | None = None
    ) -> tuple[Seat, str]:
        token = secrets.token_urlsafe(32)
        await self.change(session, commands.join(name, digest(token), profile))
        seat = session.stored.seat_of(token)
        assert seat is not None
        return seat, token

    async def rematch(
        self, session: GameSession, seat: Seat, token: str, profile: str | None = None
    ) -> tuple[str, Seat, str]:
        """Return the id of the rematch, the caller's new seat, and its token.

        The first player to ask creates the rematch, with seats swapped. The token is empty if
        another device with the same profile has already taken the seat.
        """
        if not session.stored.over:
            raise ApiError(409, "You can ask for a rematch when the game is over.")
        gone = await self._expired_rematch(session.stored.rematch)
        if session.stored.rematch == gone:
            new = self._dated(rematch_of(session.stored, session.match.outcome))
            await self.change(session, commands.link_rematch(new.id, gone), new)
        game = session.stored.rematch
        assert game is not None
        # The same player always gets the same token, and nobody else can know it.
        secret = sha256(f"rematch {game} {token}".encode()).digest()
        own = urlsafe_b64encode(secret).decode().rstrip("=")
        following = await self.find(game)
        shared = session.stored.shared
        take = commands.take_seat(seat.other, digest(own), profile, shared=shared)
        await self.change(following, take)
        return game, seat.other, own if following.stored.seat_of(own) is not None else ""

    async def _expired_rematch(self, game: str | None) -> str | None:
        if game is None:
            return None
        try:
            await self.find(game)
        except ApiError:
            return game
        return None


def has_computer(stored: StoredGame) -> bool:
    return not stored.over and any(holder.who != HUMAN for holder in stored.seats)


async def play_computer_turns(service: GameService, session: GameSession) -> None:
    """Make all draws and moves that the computer has to make now.

    Two processes can do this at once. The seed determines the moves, and each is stored only once.
    """
    while not service.closing:
        try:
            if session.stale:
                session = await service.cache.fetch(session.stored.id)
            if not await act(service, session):
                return
        except AnswerTimeout:
            await service.clock.sleep(LATE_MOVE_DELAY_S)
            # When somebody opens the game again, the computer goes on.
            if not session.listeners:
                return
        except (DatabaseUnavailable, OSError):  # OSError: no process can be started now
            await service.clock.sleep(RETRY_DELAY_S)
        except ApiError:
            # The game was changed or removed while the computer was thinking.
            if service.cache.sessions.get(session.stored.id) is not session:
                return
            session.stale = True
            await service.clock.sleep(RETRY_DELAY_S)
        except Exception:
            log.exception("The computer could not play")
            return


async def act(service: GameService, session: GameSession) -> bool:
    computers = [seat for seat in Seat if session.stored.seats[seat].who != HUMAN]
    waiting = waits_for(session.match, first=computers)
    seat = waiting.seat
    if session.stored.over or (seat is not None and seat not in computers):
        return False
    if waiting.action is Awaited.DRAW:
        await service.change(session, commands.draw(seat, session.match.turn_number))
    elif seat is not None:
        await choose(service, session, seat)
    return waiting.action is not Awaited.OVER


async def choose(service: GameService, session: GameSession, seat: Seat) -> None:
    """Make one move for a computer. It resigns if it can never choose, so that nobody waits.

    Raise AnswerTimeout if it did not find a move in time.
    """
    stored, number = session.stored, session.match.turn_number
    try:
        if stored.seats[seat].who == "random":
            move = solver_tasks.choose(stored, session.match, seat, solver_tasks.KEPT_ONLY)
        else:
            move = await service.worker.choose(session.starter, stored, session.match, seat)
    except AnswerTimeout:
        raise
    except ValueError:
        await service.change(session, commands.resign(seat))
        return
    try:
        await service.change(session, commands.play(seat, number, move))
    except ApiError:
        if not session.stored.over:
            raise
