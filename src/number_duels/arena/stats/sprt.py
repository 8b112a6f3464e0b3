"""Early stopping with the sequential probability ratio test (SPRT).

The test decides whether the difference in strength is nearer to elo0 or to elo1. After each pair of
games, it computes a log-likelihood ratio. It ends when the ratio leaves Wald's bounds. Results of
pairs are modeled as normal, with unknown variance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, log, tanh
from typing import Literal, TypeAlias

from number_duels.arena.stats.scores import RunningCorrection, Unit

Verdict: TypeAlias = Literal["elo0", "elo1"]

#: The virtual units in the variance, each one result away from the mean.
VARIANCE_PRIOR_UNITS = 4
#: The share of the allowed error rates that the test aims at. Results without luck are often
#: skewed, and the shares of luck are estimates.
CORRECTED_ERROR_SHARE = 0.5


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0.

    `alpha` is the allowed probability of accepting elo1 by mistake. `beta` is that of elo0.

    >>> [round(bound, 2) for bound in Sprt(0, 50).bounds]
    [-2.94, 2.94]
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    corrected: bool = False

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                "The first Elo difference must be smaller than the second; "
                f"you wrote {self.elo0:g},{self.elo1:g}."
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("The error probabilities alpha and beta must be between 0 and 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which elo0 and elo1 are accepted."""
        reserve = CORRECTED_ERROR_SHARE if self.corrected else 1.0
        alpha, beta = reserve * self.alpha, reserve * self.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)


@dataclass
class RunningTest:
    """A test in progress, with statistics of the units so far. `verdict` is None until it ends.

    >>> test = RunningTest(Sprt(0, 50))
    >>> while test.verdict is None:
    ...     test.add(Unit(0.5, None))
    >>> test.verdict, test.count
    ('elo1', 18)
    """

    test: Sprt
    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    verdict: Verdict | None = None
    luck: RunningCorrection = field(default_factory=RunningCorrection)

    def add(self, pair: Unit) -> None:
        low, high = self.test.bounds
        ratio = self.ratio_after(
            self.luck.without_luck(pair) if self.test.corrected else pair.result
        )
        if self.verdict is None and not low < ratio < high:
            self.verdict = "elo0" if ratio <= low else "elo1"

    def ratio_after(self, unit: float) -> float:
        zero, one = expected_result(self.test.elo0), expected_result(self.test.elo1)
        self.count += 1
        off = unit - self.mean
        self.mean += off / self.count
        self.squares += off * (unit - self.mean)
        variance = (self.squares + VARIANCE_PRIOR_UNITS) / (self.count + VARIANCE_PRIOR_UNITS)
        against_zero, against_one = (self.mean - zero) ** 2, (self.mean - one) ** 2
        return self.count / 2 * log((variance + against_zero) / (variance + against_one))


def expected_result(elo: float) -> float:
    """Return the expected result, from -1 to 1, of a player who is `elo` points better."""
    return tanh(elo * log(10) / 800)


def parse(text: str) -> Sprt:
    """Parse two Elo differences, followed by `corrected` if the test should subtract luck.

    >>> parse("0,50,corrected")
    Sprt(elo0=0.0, elo1=50.0, alpha=0.05, beta=0.05, corrected=True)
    """
    ends = text.removesuffix(",corrected")
    try:
        elo0, elo1 = map(float, ends.split(","))
    except ValueError:
        raise ValueError(
            "Write two Elo differences with a comma between them, such as '0,50' or"
            f" '0,50,corrected', not {text!r}."
        ) from None
    return Sprt(elo0, elo1, corrected=ends != text)
