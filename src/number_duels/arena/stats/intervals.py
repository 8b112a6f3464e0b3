"""How sure a mean is: 95% intervals of scores, and what a correction for luck saves.

A unit is the mean result of a pair of games with seats swapped and the same cards.
Units are independent of each other, the two games of a pair need not be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cos, exp, fsum, inf, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist, fmean

#: How much of the probability each end of an interval leaves out: 95% intervals.
TAIL = 0.025
#: What a win and a loss count; no expected result lies outside.
RESULT_RANGE = (-1.0, 1.0)
#: Half of as many virtual units lie at each bound: the "plus four" rule of Agresti and Coull.
VIRTUAL_UNITS = 4
#: A spread below this is rounding error.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Estimate:
    """A mean of independent units with its 95% interval."""

    mean: float
    low: float
    high: float
    count: int


def estimate(
    units: Sequence[float], bounds: tuple[float, float] | None = RESULT_RANGE, spent: int = 0
) -> Estimate:
    """The mean of units and its 95% interval; `bounds` is where a unit can lie.

    None is for results corrected for luck: a unit can lie anywhere, and its expectation
    is still a result. Where units of several groups were given a common mean, `spent` is
    how many degrees of freedom that took. Without any units, the mean is the middle of all
    that is possible.

    >>> certain = estimate([1.0] * 20)
    >>> certain.mean, round(certain.low, 3), certain.high
    (1.0, 0.6, 1.0)
    """
    span = bounds or (min((RESULT_RANGE[0], *units)), max((RESULT_RANGE[1], *units)))
    if not units:
        return Estimate(sum(span) / 2, *span, 0)
    mean, ends = fmean(units), list[float]()
    # Units that hardly differ look certain: Student's t forgets the rare event that has not
    # been seen yet. Two virtual units at each bound leave as much room for it as the exact
    # binomial interval does (about 3.7 / n); the wider end of the two intervals counts.
    if bounds is not None or max(units) - min(units) < TOLERANCE:
        ends += student(units, [bound for bound in span for _ in range(VIRTUAL_UNITS // 2)], spent)
    if len(units) > 1:
        ends += student(units, [], spent)
    low, high = max(span[0], min(ends)), min(span[1], max(ends))
    return Estimate(mean, min(low, mean), max(high, mean), len(units))


def student(units: Sequence[float], virtual: Sequence[float], spent: int) -> tuple[float, float]:
    """Student's interval of the mean of units, with virtual ones among them."""
    together = (*units, *virtual)
    count, mean = len(together), fmean(together)
    # Virtual units stand in for the degree of freedom that the mean takes.
    freedom = count - 1
    spread = fsum((unit - mean) ** 2 for unit in together) / (count if virtual else freedom)
    half = student_quantile(1 - TAIL, max(1, freedom - spent)) * sqrt(spread / count)
    return mean - half, mean + half


def fewer_games(plain: Sequence[float], corrected: Sequence[float]) -> float:
    """How many times fewer games corrected units need for an interval of the same width.

    That is the ratio of the variances: infinite if nothing but luck varied, and 1 if
    neither varies, or if there are not two units of each to tell.
    """
    if min(len(plain), len(corrected)) < 2:
        return 1.0
    before, after = variance(plain), variance(corrected)
    if after > 0:
        return before / after
    return inf if before > 0 else 1.0


def variance(units: Sequence[float]) -> float:
    """The sample variance of at least two units; 0 if they differ by rounding alone."""
    if max(units) - min(units) < TOLERANCE:
        return 0.0
    mean = fmean(units)
    return fsum((unit - mean) ** 2 for unit in units) / (len(units) - 1)


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: int) -> float:
    """The point below which Student's t with whole degrees of freedom lies with this probability.

    >>> round(student_quantile(0.975, 1), 4), round(student_quantile(0.975, 30), 4)
    (12.7062, 2.0423)
    """
    if freedom < 1 or not 0 < probability < 1:
        raise ValueError("Student's t needs a probability between 0 and 1, and freedom 1 or more.")
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    z = NormalDist().inv_cdf(probability)
    if freedom > 200:
        return expanded(z, freedom)
    # The distribution is concave above its middle, so Newton's steps come up from below.
    point = z
    for _ in range(100):
        step = (probability - 0.5 - within(point, freedom) / 2) / density(point, freedom)
        point += step
        if abs(step) <= 1e-14 * point:
            break
    return point


def expanded(z: float, freedom: int) -> float:
    """The quantile for many degrees of freedom, from the normal one (Abramowitz 26.7.5)."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def within(point: float, freedom: int) -> float:
    """How often Student's t lies between -point and point (Abramowitz 26.7.3 and 26.7.4)."""
    angle = atan(point / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for power in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (power - 1) / power
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def density(point: float, freedom: int) -> float:
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2)
    return exp(scale - (freedom + 1) / 2 * log1p(point**2 / freedom)) / sqrt(freedom * pi)
