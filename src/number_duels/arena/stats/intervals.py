"""How sure a mean is: 95% intervals of scores, and what a correction for luck saves.

A unit is the mean result of a pair of games with seats swapped.
Units are independent of each other, the two games of a pair need not be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cbrt, cos, exp, fsum, inf, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist, fmean

#: How much of the probability each end of an interval leaves out: 95% intervals.
TAIL = 0.025
#: The same where only one end is told, as in "at least".
ONE_SIDED_TAIL = 0.05
#: What a win and a loss count; no expected result lies outside.
RESULT_RANGE = (-1.0, 1.0)
#: Half of as many virtual units lie at each bound: the "plus four" rule of Agresti and Coull.
VIRTUAL_UNITS = 4
#: With fewer pairs too little is known of how corrected results vary: the plain interval counts.
MIN_CORRECTED_PAIRS = 50
#: So many of them must differ from the commonest result, or the rare ones are not known.
MIN_UNUSUAL_PAIRS = 10
#: A correction that leaves more of the variance than this is none.
MAX_VARIANCE_LEFT = 0.8
#: How many virtual pairs count into the variance of losses, each off by one serious mistake.
VIRTUAL_MISTAKES = 8
#: A spread below this is rounding error.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Estimate:
    """A mean of independent units with its 95% interval."""

    mean: float
    low: float
    high: float
    count: int


def estimate(units: Sequence[float], tail: float = TAIL) -> Estimate:
    """The mean of plain results and its interval; without any, everything is possible.

    >>> certain = estimate([1.0] * 20)
    >>> certain.mean, round(certain.low, 3), certain.high
    (1.0, 0.6, 1.0)
    """
    if not units:
        return Estimate(sum(RESULT_RANGE) / 2, *RESULT_RANGE, 0)
    # Units that hardly differ look certain: Student's t forgets the rare event that has not
    # been seen yet. Two virtual units at each bound leave as much room for it as the exact
    # binomial interval does (about 3.7 / n); the wider end of the two intervals counts.
    virtual = [bound for bound in RESULT_RANGE for _ in range(VIRTUAL_UNITS // 2)]
    together = (*units, *virtual)
    # Virtual units stand in for the degree of freedom that the mean takes.
    spread = fsum((unit - fmean(together)) ** 2 for unit in together) / len(together)
    ends = [*student(fmean(together), spread, len(together), tail)]
    if len(units) > 1:
        ends += student(fmean(units), variance(units), len(units), tail)
    return clipped(fmean(units), ends, RESULT_RANGE, len(units))


def estimate_corrected(
    plain: Sequence[float], without_luck: Sequence[float], tail: float = TAIL
) -> Estimate:
    """The mean of results without luck and its interval, which is the plain one if need be."""
    mean, count = fmean(without_luck), len(plain)
    if correction_counts(plain, without_luck):
        ends = [*student(mean, variance_left(plain, without_luck), count, tail)]
    else:
        whole = estimate(plain, tail)
        ends = [whole.low, whole.high]
    return clipped(mean, ends, RESULT_RANGE, count)


def correction_counts(plain: Sequence[float], without_luck: Sequence[float]) -> bool:
    """Whether results without luck tell more than plain ones, as far as these pairs show."""
    if len(plain) < MIN_CORRECTED_PAIRS:
        return False
    commonest = max(Counter(plain).values())
    if len(plain) - commonest < MIN_UNUSUAL_PAIRS:
        return False
    return variance_left(plain, without_luck) <= MAX_VARIANCE_LEFT * variance(plain)


def variance_left(plain: Sequence[float], without_luck: Sequence[float]) -> float:
    """The variance of corrected results, with virtual units among them that vary as plain ones.

    What has been corrected so far may vary little; the next pair may not.
    """
    return variance(without_luck) + VIRTUAL_UNITS / len(plain) * variance(plain)


def estimate_ratio(
    tops: Sequence[float], bottoms: Sequence[float], mistake: float, most: float
) -> Estimate | None:
    """A sum over pairs, such as of losses, divided by another, such as of decisions.

    `mistake` is what a serious mistake adds to a top, and `most` is the largest ratio there
    can be. None where the bottoms are all 0.

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
    # What each pair adds to the ratio, to first order.
    units = [rate + (top - rate * own) / bottom for top, own in zip(tops, bottoms, strict=True)]
    unseen = VIRTUAL_MISTAKES / count * (mistake / bottom) ** 2
    ends = [*student(rate, variance(units) + unseen, count, TAIL), *skewed(units)]
    return clipped(rate, ends, (0.0, most), count)


def combined(parts: Sequence[tuple[float, Estimate]]) -> Estimate:
    """A weighted mean of independent estimates: how far their ends are adds up as squares does.

    >>> half = estimate([1.0, 0.0, 0.5, 0.5] * 20)
    >>> one = combined([(0.5, half), (0.5, half)])
    >>> one.mean, round((one.high - one.mean) / (half.high - half.mean), 3)
    (0.5, 0.707)
    """
    mean = fsum(weight * one.mean for weight, one in parts)
    low = sqrt(fsum((weight * (one.mean - one.low)) ** 2 for weight, one in parts))
    high = sqrt(fsum((weight * (one.high - one.mean)) ** 2 for weight, one in parts))
    return Estimate(mean, mean - low, mean + high, sum(one.count for _, one in parts))


def student(mean: float, spread: float, count: int, tail: float) -> tuple[float, float]:
    """Student's interval of the mean of units with this variance."""
    half = student_quantile(1 - tail, count - 1) * sqrt(spread / count)
    return mean - half, mean + half


def skewed(units: Sequence[float]) -> tuple[float, float]:
    """Student's interval bent by the skewness of the units, as Hall (1992) transforms it.

    Losses are small but for a few large ones, so the mean of few pairs is mostly too small.
    """
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
    """A mean with the farthest of the ends, as far as they are possible at all."""
    mean, low, high = (
        max(bounds[0], min(bounds[1], at)) for at in (mean, min(mean, *ends), max(mean, *ends))
    )
    return Estimate(mean, low, high, count)


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
