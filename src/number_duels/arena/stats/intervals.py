"""Compute 95% intervals for scores and losses.

A unit is the mean result of a pair of games with seats swapped. Units are independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cbrt, cos, exp, fsum, inf, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist, fmean

TAIL = 0.025
ONE_SIDED_TAIL = 0.05
RESULT_RANGE = (-1.0, 1.0)
#: Half of these are added at each bound, by the "plus four" rule of Agresti and Coull.
VIRTUAL_UNITS = 4
#: With fewer pairs, the variance of corrected results is too uncertain.
MIN_CORRECTED_PAIRS = 50
#: A correction is used only if at least this many pairs differ from the most common result.
MIN_UNUSUAL_PAIRS = 10
#: A correction is used only if it leaves at most this share of the variance.
MAX_VARIANCE_LEFT = 0.8
#: Virtual pairs in the variance of losses, each one serious mistake away from the mean.
VIRTUAL_MISTAKES = 8
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Estimate:
    mean: float
    low: float
    high: float
    count: int


def estimate(units: Sequence[float], tail: float = TAIL) -> Estimate:
    """Return the mean of uncorrected results, with its interval.

    Without results, the interval is from -1 to 1.

    >>> certain = estimate([1.0] * 20)
    >>> certain.mean, round(certain.low, 3), certain.high
    (1.0, 0.6, 1.0)
    """
    if not units:
        return Estimate(sum(RESULT_RANGE) / 2, *RESULT_RANGE, 0)
    # If units hardly differ, Student's t ignores rare events that have not happened yet. Two
    # virtual units at each bound leave as much room for them as the exact binomial interval (about
    # 3.7 / n). At each end, the wider of the two intervals counts.
    virtual = [bound for bound in RESULT_RANGE for _ in range(VIRTUAL_UNITS // 2)]
    together = (*units, *virtual)
    # Dividing by n is enough: virtual units replace the degree of freedom of the mean.
    spread = fsum((unit - fmean(together)) ** 2 for unit in together) / len(together)
    ends = [*student(fmean(together), spread, len(together), tail)]
    if len(units) > 1:
        ends += student(fmean(units), variance(units), len(units), tail)
    return clipped(fmean(units), ends, RESULT_RANGE, len(units))


def estimate_corrected(
    plain: Sequence[float], without_luck: Sequence[float], tail: float = TAIL
) -> Estimate:
    """Return the mean of results corrected for luck, with its interval.

    If the correction is not reliable, use the uncorrected results. Keep the mean between -1 and 1,
    which adds a bias if a player always wins or always loses.
    """
    if not correction_counts(plain, without_luck):
        return estimate(plain, tail)
    mean, count = fmean(without_luck), len(plain)
    ends = student(mean, variance_left(plain, without_luck), count, tail)
    return clipped(mean, ends, RESULT_RANGE, count)


def correction_counts(plain: Sequence[float], without_luck: Sequence[float]) -> bool:
    """Return whether enough pairs show that the correction reduces the variance."""
    if len(plain) < MIN_CORRECTED_PAIRS:
        return False
    commonest = max(Counter(plain).values())
    if len(plain) - commonest < MIN_UNUSUAL_PAIRS:
        return False
    return variance_left(plain, without_luck) <= MAX_VARIANCE_LEFT * variance(plain)


def variance_left(plain: Sequence[float], without_luck: Sequence[float]) -> float:
    """Return the variance of corrected results, plus an allowance for pairs not played yet."""
    return variance(without_luck) + VIRTUAL_UNITS / len(plain) * variance(plain)


def estimate_ratio(
    tops: Sequence[float], bottoms: Sequence[float], mistake: float, most: float
) -> Estimate | None:
    """Return the ratio of two sums, such as the loss per decision, with its interval.

    `mistake` is how much a serious mistake adds to one of the `tops`. `most` is the largest
    possible ratio. Return None if all `bottoms` are 0.

    >>> found = estimate_ratio([0.0, 0.5] * 50, [10.0] * 100, 1.0, 2.0)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.025, 0.017, 0.033)
    """
    count, whole = len(tops), fsum(bottoms)
    if whole < TOLERANCE:
        return None
    rate, bottom = fsum(tops) / whole, whole / count
    if count < 2:
        return Estimate(rate, 0.0, most, count)
    # How much each pair contributes to the ratio, to first order.
    units = [rate + (top - rate * own) / bottom for top, own in zip(tops, bottoms, strict=True)]
    unseen = VIRTUAL_MISTAKES / count * (mistake / bottom) ** 2
    ends = [*student(rate, variance(units) + unseen, count, TAIL), *skewed(units)]
    return clipped(rate, ends, (0.0, most), count)


def combined(parts: Sequence[tuple[float, Estimate]]) -> Estimate:
    mean = fsum(weight * one.mean for weight, one in parts)
    low = sqrt(fsum((weight * (one.mean - one.low)) ** 2 for weight, one in parts))
    high = sqrt(fsum((weight * (one.high - one.mean)) ** 2 for weight, one in parts))
    return Estimate(mean, mean - low, mean + high, sum(one.count for _, one in parts))


def student(mean: float, spread: float, count: int, tail: float) -> tuple[float, float]:
    """Return Student's t interval for the mean of `count` units.

    `spread` is the variance of the units. `tail` is the probability beyond each end.
    """
    half = student_quantile(1 - tail, count - 1) * sqrt(spread / count)
    return mean - half, mean + half


def skewed(units: Sequence[float]) -> tuple[float, float]:
    """Return Student's t interval, corrected for skewness by the method of Hall (1992)."""
    mean, spread, count = fmean(units), variance(units), len(units)
    third = fsum((unit - mean) ** 3 for unit in units) / count
    bend = third / spread**1.5 / sqrt(count) if spread else 0.0
    reach, error = student_quantile(1 - TAIL, count - 1), sqrt(spread / count)
    if abs(bend) < TOLERANCE:
        return mean - error * reach, mean + error * reach
    high, low = (3 * (cbrt(1 + bend * (z - bend / 6)) - 1) / bend for z in (-reach, reach))
    return mean - error * low, mean - error * high


def clipped(
    mean: float, ends: Sequence[float], bounds: tuple[float, float], count: int
) -> Estimate:
    """Return an estimate whose interval covers the mean and all `ends`, limited to `bounds`."""
    mean, low, high = (
        max(bounds[0], min(bounds[1], at)) for at in (mean, min(mean, *ends), max(mean, *ends))
    )
    return Estimate(mean, low, high, count)


def fewer_games(plain: Sequence[float], corrected: Sequence[float]) -> float:
    """Return by what factor a correction for luck reduces the games needed."""
    if min(len(plain), len(corrected)) < 2:
        return 1.0
    before, after = variance(plain), variance(corrected)
    if after > 0:
        return before / after
    return inf if before > 0 else 1.0


def variance(units: Sequence[float]) -> float:
    """Return the sample variance of two or more units, or 0 if they differ only by rounding."""
    if max(units) - min(units) < TOLERANCE:
        return 0.0
    mean = fmean(units)
    return fsum((unit - mean) ** 2 for unit in units) / (len(units) - 1)


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t-distribution with `freedom` degrees of freedom.

    >>> round(student_quantile(0.975, 1), 4), round(student_quantile(0.975, 30), 4)
    (12.7062, 2.0423)
    """
    if freedom < 1 or not 0 < probability < 1:
        raise ValueError(
            "Student's t needs a probability between 0 and 1, and at least 1 degree of freedom."
        )
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    z = NormalDist().inv_cdf(probability)
    if freedom > 200:
        return expanded(z, freedom)
    # The distribution function is concave above its median, so Newton's steps never overshoot.
    point = z
    for _ in range(100):
        step = (probability - 0.5 - within(point, freedom) / 2) / density(point, freedom)
        point += step
        if abs(step) <= 1e-14 * point:
            break
    return point


def expanded(z: float, freedom: int) -> float:
    """Convert a normal quantile to a quantile of Student's t (Abramowitz 26.7.5)."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def within(point: float, freedom: int) -> float:
    """Return the probability that |t| is at most `point` (Abramowitz 26.7.3 and 26.7.4)."""
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
