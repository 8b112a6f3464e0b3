"""The figures of a report as people read them."""

from __future__ import annotations

from math import isfinite, isinf

from number_duels.arena.stats.intervals import Estimate
from number_duels.arena.stats.ratings import Rating


def percent(estimate: Estimate | None) -> str:
    """A score with its interval, in percent.

    >>> percent(Estimate(0.5, 0.4, 0.6, 30))
    '75.0% (70 to 80)'
    """
    if estimate is None or not estimate.count:
        return ""
    mean, low, high = (50 * (1 + x) for x in (estimate.mean, estimate.low, estimate.high))
    digits = 1 if high - low < 4 else 0
    return f"{mean:z.1f}% ({low:z.{digits}f} to {high:z.{digits}f})"


def rated(one: Rating | None, anchor: bool) -> str:
    """A rating with its interval; one that was computed exactly has a star."""
    if one is None:
        return ""
    if anchor:
        return f"{one.rating:.0f}*"
    if isinf(one.low) and isinf(one.high):
        return "?"
    if isinf(one.high):
        return f"over {one.low:.0f}"
    if isinf(one.low):
        return f"under {one.high:.0f}"
    return f"{one.rating:.0f} ({one.low:.0f} to {one.high:.0f})"


def times(factor: float | None) -> str:
    if factor is None:
        return "?"
    return f"{factor:.1f}x" if isfinite(factor) else "all of it is luck"
