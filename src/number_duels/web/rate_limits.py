"""Rate limits: a bucket of requests for each client, which fills at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from time import monotonic

#: A client whose bucket was forgotten starts with a full one.
MAX_BUCKETS = 20_000


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
