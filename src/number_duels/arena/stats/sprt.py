"""Stopping as soon as the answer is known: the sequential probability ratio test.

Which difference in strength is nearer the truth, elo0 or elo1? After every pair of games
the logarithm of the likelihood ratio of the two says how much speaks for elo1; a verdict
falls where it leaves Wald's bounds. The units (means of pairs of games with seats swapped)
are taken as normal with a variance of their own, as in the testing of chess engines (the
generalised test on pairs): with m0 and m1 the expected results, n units, their mean m and
variance v, and the variance that suits each hypothesis best,

    llr = n / 2 * log((v + (m - m0)^2) / (v + (m - m1)^2))

which is n (m1 - m0) (m - (m0 + m1) / 2) / v where m0 and m1 are close. Few or equal units
would make v too small, so four virtual units, each a whole result from the mean, are
counted into it: equal units are believed after some 5 / (m1 - m0) pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, log, tanh
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["elo0", "elo1"]

#: How many virtual units, each one result from the mean, are counted into the variance.
VARIANCE_PRIOR_UNITS = 4


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0: wrongly elo1 at most alpha, wrongly elo0 at most beta.

    >>> Sprt(0, 50).first_verdict([0.5, 1.0, 0.0, 0.5] * 20)
    ('elo1', 22)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                f"The first Elo difference must be the smaller one: {self.elo0:g},{self.elo1:g}."
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("The probabilities of error, alpha and beta, lie between 0 and 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which elo0 and elo1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratios(self, units: Sequence[float]) -> Iterator[float]:
        """The ratio after each of the units, in order."""
        zero, one = expected_result(self.elo0), expected_result(self.elo1)
        mean = squares = 0.0
        for count, unit in enumerate(units, 1):
            off = unit - mean
            mean += off / count
            squares += off * (unit - mean)
            variance = (squares + VARIANCE_PRIOR_UNITS) / (count + VARIANCE_PRIOR_UNITS)
            yield count / 2 * log((variance + (mean - zero) ** 2) / (variance + (mean - one) ** 2))

    def llr(self, units: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio after all units: above 0 speaks for elo1."""
        ratio = 0.0
        for ratio in self.ratios(units):  # noqa: B007 - the last one is wanted
            pass
        return ratio

    def first_verdict(self, units: Sequence[float]) -> tuple[Verdict, int] | None:
        """The verdict and how many units were needed for it; None while it is open."""
        low, high = self.bounds
        for count, ratio in enumerate(self.ratios(units), 1):
            if ratio <= low:
                return "elo0", count
            if ratio >= high:
                return "elo1", count
        return None

    def verdict(self, units: Sequence[float]) -> Verdict | None:
        """The verdict, which later units do not change; None while it is open."""
        found = self.first_verdict(units)
        return found[0] if found else None


def expected_result(elo: float) -> float:
    """The expected result, from -1 to 1, of a player who is better by this much."""
    return tanh(elo * log(10) / 800)


def parse(text: str) -> Sprt:
    """The test that is written as two Elo differences, as in `0,50`.

    >>> parse("0,50")
    Sprt(elo0=0.0, elo1=50.0, alpha=0.05, beta=0.05)
    """
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise ValueError(
            f"Two Elo differences with a comma between them are needed, as in 0,50: not {text!r}."
        ) from None
    return Sprt(elo0, elo1)
