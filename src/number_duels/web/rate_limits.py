"""Rate limits: a bucket of requests for each client, which fills at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic

from number_duels.web.config import Config

#: A client whose bucket was forgotten starts with a full one.
MAX_BUCKETS = 20_000
#: A seat that was forgotten counts as its client's until it is seen again.
MAX_SEATS = 50_000
#: What one customer of a provider is given, at the least, and chooses addresses from.
IPV6_CLIENT_BITS = 64


class RateLimiter:
    """One bucket for each client.

    >>> limiter = RateLimiter(rate=1, burst=2)
    >>> [limiter.allow("Ann", now) for now in (0, 0, 0, 1)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def allow(self, client: Hashable, now: float | None = None) -> bool:
        """Take one request from a client's bucket; False when it is empty."""
        now = monotonic() if now is None else now
        left, since = self._left.get(client, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        enough = left >= 1
        self._left[client] = (left - 1 if enough else left), now
        self._left.move_to_end(client)
        if len(self._left) > MAX_BUCKETS:
            self._left.popitem(last=False)
        return enough


class RequestRates:
    """Every rate limit of one process, and the seats that have limits of their own."""

    def __init__(self, config: Config) -> None:
        self.clients = RateLimiter(config.client_rate, config.client_burst)
        self.seats = RateLimiter(config.seat_request_rate, config.seat_request_burst)
        self.client_seats = RateLimiter(config.client_seats_rate, config.client_seats_burst)
        self.submissions = RateLimiter(config.seat_rate, config.seat_burst)
        self.new_games = RateLimiter(config.new_game_rate, config.new_game_burst)
        self.questions = RateLimiter(config.question_rate, config.question_burst)
        self.files = RateLimiter(config.file_rate, config.file_burst)
        self.probes = RateLimiter(config.probe_rate, config.probe_burst)
        self._seat_tokens: OrderedDict[str, None] = OrderedDict()

    def remember_seat(self, token: str) -> None:
        """Count what comes with this token, which holds a seat, as the seat's from now on."""
        self._seat_tokens[token] = None
        self._seat_tokens.move_to_end(token)
        if len(self._seat_tokens) > MAX_SEATS:
            self._seat_tokens.popitem(last=False)

    def allow_request(self, client: str, token: str) -> bool:
        """Count a request; one whose token is not known to hold a seat is its client's."""
        if token not in self._seat_tokens:
            return self.clients.allow(client)
        return self.seats.allow(token) and self.client_seats.allow(client)


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
