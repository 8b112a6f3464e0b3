"""The house: every table, and what may be done there. Rules are the match's alone."""

from __future__ import annotations

import secrets
from asyncio import CancelledError, Task, create_task, sleep, timeout
from base64 import urlsafe_b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from time import time

from sqlalchemy.exc import SQLAlchemyError

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.web import facts
from number_duels.web.announcer import Announcer
from number_duels.web.buckets import Buckets
from number_duels.web.computer import attend
from number_duels.web.config import Config
from number_duels.web.errors import Refusal, Stale
from number_duels.web.ledger import HUMAN, Chair, Ledger, digest
from number_duels.web.live import Live, close_all
from number_duels.web.opening import Wish, new_ledger, rematch_of
from number_duels.web.rules import joining
from number_duels.web.store import Store
from number_duels.web.thinking import Thinker

#: How often a change is tried again when another process was quicker.
TRIES = 20
#: Seconds in which a computer that cannot play a game should have said so.
SAYS_SO = 2.0

#: What a change makes of a game; the same ledger: nothing is to be changed.
Change = Callable[[Ledger, AnyMatch], Ledger]


class House:
    """All tables of one server."""

    def __init__(self, store: Store, config: Config, announcer: Announcer) -> None:
        self.store = store
        self.config = config
        self.announcer = announcer
        self.thinker = Thinker(config.questions)
        self.tables: OrderedDict[str, Live] = OrderedDict()
        self.seats = Buckets(config.seat_rate, config.seat_burst)
        #: Open streams of each client.
        self.streams: Counter[str] = Counter()
        self.closing = False
        self._sweeper: Task[None] | None = None
        announcer.hear(self.heard)

    async def open(self) -> None:
        """Open the doors."""
        await self.store.open()
        self._sweeper = create_task(self.sweep())

    async def close(self) -> None:
        """Send everybody home; what was accepted is in the store."""
        self.leave()
        self.thinker.close()
        tasks = [self._sweeper, *(live.attendant for live in self.tables.values())]
        for task in tasks:
            if task is not None:
                task.cancel()
                with suppress(CancelledError, Exception):
                    await task
        await self.store.close()

    def leave(self) -> None:
        """End every stream."""
        self.closing = True
        close_all(self.tables.values())

    # ---- tables ------------------------------------------------------------------

    async def find(self, game: str) -> Live:
        """The table of a game; the computer is called to it if it is its turn."""
        live = self.tables.get(game)
        if live is None or live.doubtful:
            live = await self.fetch(game)
        self.tables.move_to_end(game)
        self.call_computer(live)
        return live

    async def fetch(self, game: str) -> Live:
        """A table as the store has it."""
        ledger = await self.store.load(game)
        if ledger is None:
            self.tables.pop(game, None)
            raise Refusal(404, "There is no such game; it may have expired.")
        match = ledger.match()
        live = self.tables.get(game)
        if live is None:
            live = self.tables[game] = Live(ledger, match, self.config)
            self.tidy()
        elif live.doubtful or live.ledger.version < ledger.version:
            live.become(ledger, match)
        return live

    def tidy(self) -> None:
        """Forget the tables that were asked for longest ago and that nobody looks at."""
        excess = len(self.tables) - self.config.tables
        if excess > 0:
            idle = [game for game, live in self.tables.items() if live.idle]
            for game in idle[: max(excess, self.config.tables // 10)]:
                del self.tables[game]

    async def heard(self, game: str, version: int) -> None:
        """A game has changed, here or in another process."""
        live = self.tables.get(game)
        if live is None:
            return
        if version == 0:
            del self.tables[game]
            close_all([live])
        elif live.ledger.version < version:
            await self.fetch(game)

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
                    await self.fetch(before.id)
                    continue
                except BaseException:
                    live.doubtful = True
                    raise
                live.become(after, match)
                break
            else:
                raise Refusal(409, "The game changed too often at once; try again.")
        await self.announcer.announce(live.ledger.id, live.ledger.version)
        self.call_computer(live)

    def call_computer(self, live: Live) -> None:
        """Let the computer do what is its to do, if it sits here and is not at it already."""
        idle = live.attendant is None or live.attendant.done()
        if idle and not live.ledger.over and any(c.who != HUMAN for c in live.ledger.chairs):
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
        await self.find(ledger.id)
        return ledger, wish.seat, token

    async def prepare(self, who: str, ledger: Ledger) -> None:
        """Refuse an opponent that cannot play this game with these settings."""
        try:
            await self.thinker.answer(facts.prepare, who, ledger.game, self.config.patience)
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
            with suppress(OSError, SQLAlchemyError):
                for game in await self.store.expire(int(time() - self.config.expire_after)):
                    await self.announcer.announce(game, 0)
            await sleep(self.config.sweep_every)
