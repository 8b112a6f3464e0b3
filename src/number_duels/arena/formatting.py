"""The figures of a report as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, isinf

from number_duels.arena.report import Exploited, Misfit, Row
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


def scored(estimate: Estimate | None, caveat: str | None) -> str:
    """The same, with the first words of what must be said beside it."""
    cell = percent(estimate)
    return f"{cell}, {caveat.split(':')[0]}" if cell and caveat else cell


def with_interval(mean: float | None, interval: tuple[float, float] | None, digits: int) -> str:
    """A figure with its interval.

    >>> with_interval(0.01234, (0.01, 0.015), 4)
    '0.0123 (0.0100 to 0.0150)'
    """
    if mean is None or interval is None:
        return ""
    low, high = interval
    return f"{mean:z.{digits}f} ({low:z.{digits}f} to {high:z.{digits}f})"


def accuracy(row: Row) -> str:
    if row.accuracy is None or row.accuracy_interval is None:
        return ""
    low, high = row.accuracy_interval
    return f"{row.accuracy:z.1f}% ({low:z.1f} to {high:z.1f})"


def exploited(one: Exploited | None) -> str:
    """What a best reply gains; what was computed exactly has a star."""
    if one is None:
        return ""
    return f"{one.gain:z.3f}*" if one.exact else f"at least {one.gain:.3f}"


def signed(figure: float) -> str:
    """A difference as a whole number with its sign, which zero has none of.

    >>> signed(2.6), signed(-0.3)
    ('+3', '0')
    """
    return f"{figure:+.0f}" if round(figure) else "0"


def misfit(row: Row, one: Misfit) -> str:
    """A sentence on an opponent against whom a rating does not fit."""
    return (
        f"{row.event}: {row.name} scored {100 * one.observed:.0f}% against {one.opponent}, where"
        f" its rating expects {100 * one.expected:.0f}%."
    )


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


def counted(counts: Mapping[str, int]) -> str:
    """How often, and of what kinds."""
    kinds = ", ".join(f"{kind} {n}" for kind, n in counts.items())
    return f"{sum(counts.values())} ({kinds})" if counts else "0"
