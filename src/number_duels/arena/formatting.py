"""The figures of a report as people read them."""

from __future__ import annotations

from math import isfinite, isinf

from number_duels.arena.stats.intervals import Estimate
from number_duels.arena.stats.ratings import Rating
from number_duels.review.tally import Carelessness


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
        return f"{one.rating:z.0f}*"
    if isinf(one.low) and isinf(one.high):
        return "?"
    if isinf(one.high):
        return f"over {one.low:z.0f}"
    if isinf(one.low):
        return f"under {one.high:z.0f}"
    return f"{one.rating:z.0f} ({one.low:z.0f} to {one.high:z.0f})"


def thrown_away(careless: Carelessness | None) -> str:
    """The chances thrown away a decision, in percent, with the interval where there is one.

    >>> thrown_away(Carelessness(0.0125, (0.0, 0.031)))
    '1.25% (0.00 to 3.10)'
    """
    if careless is None:
        return ""
    mean = f"{100 * careless.mean:z.2f}%"
    if careless.interval is None:
        return mean
    low, high = (100 * end for end in careless.interval)
    return f"{mean} ({low:z.2f} to {high:z.2f})"


def times(factor: float | None) -> str:
    if factor is None:
        return "?"
    return f"{factor:z.1f}x" if isfinite(factor) else "all of it is luck"
