"""The house: every table, and what may be done there. Rules are the match's alone."""

from __future__ import annotations

import secrets
from asyncio import CancelledError, Task, create_task, get_running_loop, sleep, timeout
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from logging import getLogger
from time import time

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.web.config import Config
from number_duels.web.db.announcer import Announcer
from number_duels.web.db.notify import GONE
from number_duels.web.db.repository import Store
from number_duels.web.db.stored_game import HUMAN, Chair, Ledger, digest
from number_duels.web.errors import Refusal, Stale
from number_duels.web.metrics import Metrics
from number_duels.web.rate_limits import Buckets
from number_duels.web.service import analysis
from number_duels.web.service.commands import joining
from number_duels.web.service.computer import attend
from number_duels.web.service.new_game import Wish, new_ledger, rematch_of
from number_duels.web.service.session import Live, close_all
from number_duels.web.service.sessions import Tables
from number_duels.web.service.worker import Thinker

#: How often a change is tried again when another process was quicker.
TRIES = 20
#: Seconds in which a computer that cannot play a game should have said so.
SAYS_SO = 2.0

#: What a change makes of a game; the same ledger: nothing is to be changed.
Change = Callable[[Ledger, AnyMatch], Ledger]

log = getLogger(__name__)


class House:
    """All tables of one server."""

    def __init__(self, store: Store, config: Config, announcer: Announcer) -> None:
        self.store = store
        self.config = config
        self.announcer = announcer
        self.thinker = Thinker(config.questions)
        self.tables = Tables(store, config, self.moved)
        self.seats = Buckets(config.seat_rate, config.seat_burst)
        #: Open streams of each client.
        self.streams: Counter[str] = Counter()
        self.metrics = Metrics(self.streams.total, lambda: len(self.tables.lives))
        #: Told to stop: no longer ready, though everything is still served.
        self.draining = False
        #: Streams have ended, and no more are opened.
        self.closing = False
        self._sweeper: Task[None] | None = None
        announcer.hear(self.heard, self.after_gap)

    async def open(self) -> None:
        """Open the doors."""
        await self.store.open()
        await self.announcer.open()
        self._sweeper = create_task(self.sweep())

    async def close(self) -> None:
        """Send everybody home; what was accepted is in the store."""
        self.leave()
        self.thinker.close()
        tasks = [self._sweeper, *(live.attendant for live in self.tables.lives.values())]
        for task in tasks:
            if task is not None:
                task.cancel()
                with suppress(CancelledError, Exception):
                    await task
        await self.announcer.close()
        await self.store.close()

    def leave(self) -> None:
        """End every stream."""
        self.draining = self.closing = True
        close_all(self.tables.lives.values())

    async def ready(self) -> str | None:
        """Why no more people should be sent here; None if they may come."""
        if self.draining:
            return "The server is stopping; ask another."
        if not self.announcer.connected:
            return "The server does not hear of the others' moves yet; try again in a moment."
        await self.store.alive()
        return None

    # ---- tables ------------------------------------------------------------------

    async def find(self, game: str) -> Live:
        """The table of a game; the computer is called to it if it is its turn."""
        live = await self.tables.find(game)
        self.call_computer(live)
        return live

    def moved(self, live: Live) -> None:
        """A player came to this process, or left it."""
        self.announcer.people(live.ledger.id, live.here)

    async def heard(self, news: Mapping[str, int]) -> None:
        """Games have changed, here or in another process."""
        for live in await self.tables.heard(news):
            self.watch_computer(live)

    async def after_gap(self) -> None:
        """Some news may have been missed."""
        for live in await self.tables.read_again():
            if live.here:
                self.moved(live)
            self.watch_computer(live)

    def watch_computer(self, live: Live) -> None:
        """Make a computer's turn if the process that should make it has not done so in time."""
        version = live.ledger.version

        def take_over() -> None:
            if live.ledger.version == version and not self.closing:
                self.call_computer(live)

        if with_computer(live.ledger):
            get_running_loop().call_later(self.config.takeover, take_over)

    async def change(self, live: Live, change: Change, new: Ledger | None = None) -> None:
        """Make a change in one transaction, and show it once it is in the store."""
        async with live.lock:
            for _ in range(TRIES):
                before = live.ledger
                after = change(before, live.match)
                if after is before:
                    return
                match = after.match()
                after = replace(
                    after,
                    version=before.version + 1,
                    touched=int(time()),
                    over=after.outcome(match) is not None,
                )
                try:
                    await self.store.advance(before, after, new)
                except Stale:
                    live.doubtful = True
                    await self.tables.fetch(before.id)
                    continue
                except BaseException:
                    live.doubtful = True
                    raise
                # Another process may have gone on, and its news may have been quicker.
                if live.doubtful or live.ledger.version < after.version:
                    live.become(after, match)
                self.metrics.advanced(before, after)
                break
            else:
                raise Refusal(409, "The game changed too often at once; try again.")
        self.call_computer(live)

    def call_computer(self, live: Live) -> None:
        """Let the computer do what is its to do, if it sits here and is not at it already."""
        idle = live.attendant is None or live.attendant.done()
        if idle and with_computer(live.ledger):
            live.attendant = create_task(attend(self, live))

    # ---- sitting down ------------------------------------------------------------

    async def start(self, wish: Wish) -> tuple[Ledger, Seat, str]:
        """A new game, the seat of who starts it, and the token that holds the seat."""
        token = secrets.token_urlsafe(32)
        ledger = new_ledger(wish, digest(token))
        opponent = ledger.chairs[wish.seat.other].who
        if opponent not in (HUMAN, "random"):
            with suppress(TimeoutError):
                async with timeout(SAYS_SO):
                    await self.prepare(opponent, ledger)
        await self.store.create(ledger)
        self.metrics.started(ledger)
        await self.find(ledger.id)
        return ledger, wish.seat, token

    async def prepare(self, who: str, ledger: Ledger) -> None:
        """Refuse an opponent that cannot play this game with these settings."""
        try:
            await self.thinker.answer(analysis.prepare, who, ledger.game, self.config.patience)
        except ValueError as error:
            raise Refusal(422, str(error)) from None

    async def join(self, live: Live, name: str) -> tuple[Seat, str]:
        """The free seat, for somebody who comes by the link."""
        token, taken = secrets.token_urlsafe(32), list[Seat]()

        def sit(ledger: Ledger, match: AnyMatch) -> Ledger:
            seat, chair = joining(ledger, match, name)
            taken[:] = [seat]
            return ledger.with_chair(seat, replace(chair, token=digest(token)))

        await self.change(live, sit)
        return taken[0], token

    async def rematch(self, live: Live, seat: Seat, token: str) -> tuple[str, Seat, str]:
        """The next game of the same two with seats swapped; whoever asks first opens it."""
        if not live.ledger.over:
            raise Refusal(409, "A rematch can be asked for once the game is over.")
        if live.ledger.rematch is None:
            new = rematch_of(live.ledger)

            def link(ledger: Ledger, _: AnyMatch) -> Ledger:
                return replace(ledger, rematch=new.id) if ledger.rematch is None else ledger

            await self.change(live, link, new)
        game = live.ledger.rematch
        assert game is not None
        # The same person gets the same token however often it asks; nobody else can know it.
        secret = sha256(f"rematch {game} {token}".encode()).digest()
        own = urlsafe_b64encode(secret).decode().rstrip("=")
        table = await self.find(game)

        def sit(ledger: Ledger, _: AnyMatch) -> Ledger:
            chair: Chair = ledger.chairs[seat.other]
            if chair.token is not None:
                return ledger
            return ledger.with_chair(seat.other, replace(chair, token=digest(own)))

        await self.change(table, sit)
        return game, seat.other, own

    # ---- time --------------------------------------------------------------------

    async def sweep(self) -> None:
        """Remove abandoned games, now and then."""
        while True:
            try:
                gone = await self.store.expire(int(time() - self.config.expire_after))
                await self.announcer.announce(dict.fromkeys(gone, GONE))
            except Exception as error:  # whatever it is, the next look may succeed
                log.warning("Abandoned games could not be removed: %s", type(error).__name__)
            await sleep(self.config.sweep_every)


def with_computer(ledger: Ledger) -> bool:
    """Whether a computer may have something to do."""
    return not ledger.over and any(chair.who != HUMAN for chair in ledger.chairs)
