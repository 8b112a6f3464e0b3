"""Rate limits: a bucket of requests for each client, which fills at a steady rate."""

from __future__ import annotations

from asyncio import Semaphore
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NoReturn

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.config import Config
from number_duels.web.errors import ApiError

#: A client whose bucket was forgotten starts with a full one.
MAX_BUCKETS = 10_000
#: A seat that was forgotten counts as its client's until it is seen again.
MAX_SEATS = 10_000
#: What one customer of a provider is given, at the least, and chooses addresses from.
IPV6_CLIENT_BITS = 64
#: A refusal for asking too often comes this late, and so long after the client's last one: nobody
#: gets many of them.
REFUSAL_DELAY_S = 0.25
REFUSAL_GAP_S = 0.005
#: Between two questions of one client to the solver, so that moves have their turn in between.
QUESTION_GAP_S = 0.01
#: Who asks for so much that it would take longer to space it out is let in all the same.
MAX_SPACING_S = 10.0
#: Who has not had a turn by then is refused.
MAX_TURN_WAIT_S = 30.0


def too_many(what: str) -> ApiError:
    """The refusal of what is asked for too often."""
    return ApiError(429, f"Too many {what}; wait a moment.", {"Retry-After": "1"})


class RateLimiter:
    """One bucket for each client.

    >>> limiter = RateLimiter(rate=1, burst=2)
    >>> [limiter.allow("Ann", now) for now in (0, 0, 0, 1)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: float, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.rate = rate
        self.burst = burst
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def allow(self, client: Hashable, now: float | None = None) -> bool:
        """Take one request from a client's bucket; False when it is empty."""
        now = self.clock.monotonic() if now is None else now
        left, since = self._left.get(client, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        enough = left >= 1
        self._left[client] = (left - 1 if enough else left), now
        self._left.move_to_end(client)
        if len(self._left) > MAX_BUCKETS:
            self._left.popitem(last=False)
        return enough


class Spacing:
    """Lets in what each client asks for a moment apart, after a few at once.

    >>> spacing = Spacing(gap_s=1)
    >>> [spacing.delay("Ann", now) for now in (0.0, 0.0, 0.5, 7.0)]
    [0.0, 1.0, 1.5, 0.0]
    >>> spacing = Spacing(gap_s=1, at_once=3)
    >>> [spacing.delay("Ann", now) for now in (0.0, 0.0, 0.0, 0.0, 0.0, 7.0)]
    [0.0, 0.0, 0.0, 1.0, 2.0, 0.0]
    """

    def __init__(self, gap_s: float, at_once: float = 1, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.gap_s = gap_s
        self.at_once = at_once
        #: When all that was let in would have been, one by one.
        self._free: OrderedDict[Hashable, float] = OrderedDict()

    def delay(self, client: Hashable, now: float | None = None) -> float:
        """The seconds until the next one of a client is let in."""
        now = self.clock.monotonic() if now is None else now
        free = max(now, self._free.get(client, now))
        found = max(0.0, free - now - (self.at_once - 1) * self.gap_s)
        if found > MAX_SPACING_S:
            return MAX_SPACING_S
        self._free[client] = free + self.gap_s
        self._free.move_to_end(client)
        if len(self._free) > MAX_BUCKETS:
            self._free.popitem(last=False)
        return found

    async def wait(self, client: Hashable) -> None:
        """Wait until the next one of a client is let in."""
        delay = self.delay(client)
        if delay:
            await self.clock.sleep(delay)


class TurnTaker:
    """Lets a few requests of each client be worked on at once; the others wait their turn."""

    def __init__(self, most: int, clock: Clock = SYSTEM_CLOCK) -> None:
        self.most = most
        self.clock = clock
        self._lanes: dict[Hashable, Lane] = {}

    @asynccontextmanager
    async def turn(self, client: Hashable) -> AsyncIterator[None]:
        """A turn of a client; an ApiError if it does not come."""
        lane = self._lanes.setdefault(client, Lane(Semaphore(self.most), self.clock))
        lane.users += 1
        try:
            await lane.take()
            try:
                yield
            finally:
                lane.turns.release()
        finally:
            lane.users -= 1
            if not lane.users:
                del self._lanes[client]


@dataclass
class Lane:
    """The turns of one client, and how many requests have one or wait for it."""

    turns: Semaphore
    clock: Clock
    users: int = 0

    async def take(self) -> None:
        """Take a turn, mostly at once; refused if none is free for too long."""
        if not self.turns.locked():
            await self.turns.acquire()
            return
        try:
            async with self.clock.timeout(MAX_TURN_WAIT_S):
                await self.turns.acquire()
        except TimeoutError:
            raise too_many("requests") from None


class RequestRates:
    """Every rate limit of one process, and the seats that have limits of their own."""

    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.turns = TurnTaker(config.client_requests, clock)
        self.admission = Spacing(1 / config.admission_rate, config.admission_burst, clock)
        self.refusals = Spacing(REFUSAL_GAP_S, clock=clock)
        self.clients = RateLimiter(config.client_rate, config.client_burst, clock)
        self.seats = RateLimiter(config.seat_request_rate, config.seat_request_burst, clock)
        self.client_seats = RateLimiter(config.client_seats_rate, config.client_seats_burst, clock)
        self.submissions = RateLimiter(config.seat_rate, config.seat_burst, clock)
        self.new_games = RateLimiter(config.new_game_rate, config.new_game_burst, clock)
        self.new_profiles = RateLimiter(config.new_profile_rate, config.new_profile_burst, clock)
        self.questions = RateLimiter(config.question_rate, config.question_burst, clock)
        self.question_gaps = Spacing(QUESTION_GAP_S, clock=clock)
        self.profiles = RateLimiter(config.profile_rate, config.profile_burst, clock)
        self.codes = RateLimiter(config.code_rate, config.code_burst, clock)
        self.files = RateLimiter(config.file_rate, config.file_burst, clock)
        self.probes = RateLimiter(config.probe_rate, config.probe_burst, clock)
        self._seat_tokens: OrderedDict[str, None] = OrderedDict()

    def remember_seat(self, token: str) -> None:
        """Count what comes with this token, which holds a seat, as the seat's from now on."""
        self._seat_tokens[token] = None
        self._seat_tokens.move_to_end(token)
        if len(self._seat_tokens) > MAX_SEATS:
            self._seat_tokens.popitem(last=False)

    def is_seat(self, token: str) -> bool:
        """Whether a token is known to hold a seat; if not, its requests are its client's."""
        return token in self._seat_tokens

    def allow_seat(self, client: str, token: str) -> bool:
        """Count a request of a seat."""
        return self.seats.allow(token) and self.client_seats.allow(client)

    async def admit_question(self, client: str) -> None:
        """Let a client's questions to the solver in one after the other; refuse too many, late."""
        if not self.questions.allow(client):
            await self.refuse(client, "questions to the solver")
        await self.question_gaps.wait(client)

    async def refuse(self, client: str, what: str) -> NoReturn:
        """Refuse what a client asks for too often, but not at once."""
        await self.clock.sleep(REFUSAL_DELAY_S + self.refusals.delay(client))
        raise too_many(what)


@lru_cache(MAX_BUCKETS)
def client_of(address: str) -> str:
    """The client that an address stands for.

    >>> client_of("192.0.2.7"), client_of("::ffff:192.0.2.7"), client_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        host_bits = 128 - IPV6_CLIENT_BITS
        return str(IPv6Address(int(found) >> host_bits << host_bits))
    return str(found)
