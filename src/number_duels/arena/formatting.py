"""Format the numbers of a report as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, isinf
from typing import Final

from number_duels.arena.report import Exploited, Misfit, Row
from number_duels.arena.stats.intervals import Estimate
from number_duels.arena.stats.ratings import Rating
from number_duels.review.tally import Carelessness


def percent(estimate: Estimate | None) -> str:
    """Format a score and its interval, in percent.

    >>> percent(Estimate(0.5, 0.4, 0.6, 30))
    '75.0% (70 to 80)'
    """
    if estimate is None or not estimate.count:
        return ""
    mean, low, high = (50 * (1 + x) for x in (estimate.mean, estimate.low, estimate.high))
    digits = 1 if high - low < 4 else 0
    return f"{mean:z.1f}% ({low:z.{digits}f} to {high:z.{digits}f})"


def scored(estimate: Estimate | None, caveat: str | None) -> str:
    cell = percent(estimate)
    return f"{cell}, {caveat.split(':')[0]}" if cell and caveat else cell


def with_interval(
    mean: float | None, interval: tuple[float, float] | None, digits: int = 4, unit: str = ""
) -> str:
    """Format a number and its interval.

    >>> with_interval(0.01234, (0.01, 0.015)), with_interval(98.76, (97, 99.5), 1, "%")
    ('0.0123 (0.0100 to 0.0150)', '98.8% (97.0 to 99.5)')
    """
    if mean is None or interval is None:
        return ""
    low, high = interval
    return f"{mean:z.{digits}f}{unit} ({low:z.{digits}f} to {high:z.{digits}f})"


def exploited(one: Exploited | None) -> str:
    if one is None:
        return ""
    return f"{one.gain:z.3f}*" if one.exact else f"at least {one.gain:.3f}"


def signed(figure: float) -> str:
    """Format a difference as an integer with its sign. Zero has no sign.

    >>> signed(2.6), signed(-0.3)
    ('+3', '0')
    """
    return f"{figure:+.0f}" if round(figure) else "0"


def misfit(row: Row, one: Misfit) -> str:
    return (
        f"{row.event}: {row.name} scored {100 * one.observed:.0f}% against {one.opponent}, but"
        f" its rating predicts {100 * one.expected:.0f}%."
    )


def rated(one: Rating | None, anchor: bool) -> str:
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


def cost_per_move(careless: Carelessness | None) -> str:
    """Format the winning chance lost per move and its interval, in percent.

    >>> cost_per_move(Carelessness(0.0125, (0.0, 0.031)))
    '1.25% (0.00 to 3.10)'
    """
    if careless is None or careless.interval is None:
        return ""
    low, high = careless.interval
    return with_interval(100 * careless.mean, (100 * low, 100 * high), 2, "%")


def times(factor: float | None) -> str:
    if factor is None:
        return "?"
    return f"{factor:z.1f}x" if isfinite(factor) else "only luck"


def counted(counts: Mapping[str, int]) -> str:
    kinds = ", ".join(f"{kind} {n}" for kind, n in counts.items())
    return f"{sum(counts.values())} ({kinds})" if counts else "0"


STANDINGS: Final[dict[str, Callable[[Row], str]]] = {
    "player": lambda row: row.name,
    "cost/decision": lambda row: with_interval(
        row.loss_per_decision, row.loss_per_decision_interval
    ),
    "exploitable": lambda row: exploited(row.exploitability),
    "games": lambda row: str(row.games),
    "score": lambda row: scored(row.score, row.caveat),
    "without luck": lambda row: percent(row.corrected),
    "games saved": lambda row: "" if row.fewer is None else times(row.fewer),
    "cost/game": lambda row: with_interval(row.loss_per_game, row.loss_per_game_interval),
    "cost/move": lambda row: cost_per_move(row.carelessness),
    "accuracy": lambda row: with_interval(row.accuracy, row.accuracy_interval, 1, "%"),
    "rating": lambda row: rated(row.rating, row.anchor),
    "blunders": lambda row: str(row.blunders),
    "forfeits": lambda row: counted(row.forfeits),
    "refused": lambda row: counted(row.refused),
}
