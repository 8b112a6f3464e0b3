"""How often somebody may ask: a bucket that fills at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from time import monotonic

#: So many buckets are remembered; whoever was forgotten starts with a full one.
REMEMBERED = 20_000


class Buckets:
    """One bucket for each who asks.

    >>> buckets = Buckets(rate=1, burst=2)
    >>> [buckets.take("Ann", now) for now in (0, 0, 0, 1)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable, now: float | None = None) -> bool:
        """Take one from somebody's bucket; False when it is empty."""
        now = monotonic() if now is None else now
        left, since = self._left.get(who, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        enough = left >= 1
        self._left[who] = (left - 1 if enough else left), now
        self._left.move_to_end(who)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return enough
