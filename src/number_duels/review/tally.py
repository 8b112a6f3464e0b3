"""One player's totals over one or more games, and measures of how well the player plays."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from operator import add
from statistics import NormalDist

TOLERANCE = 1e-7
MIN_GAMES = 10


@dataclass(frozen=True)
class Carelessness:
    """The average winning chance lost per decision, with a 95% interval.

    Decisions between equally good options do not count. Losing a certain win counts as 1.

    >>> Tally.of_game([(0.5, 2.0), (0.0, 1.0)], luck=0.0).carelessness
    Carelessness(mean=0.125, interval=None)
    """

    #: The mean over all decisions that count.
    mean: float
    #: The 95% interval, or None if there are too few games.
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Tally:
    """One player's totals over one or more games. Tallies can be added.

    >>> one = Tally.of_game([(0.5, 2.0), (0.0, 1.0)], luck=0.25)
    >>> both = one + Tally.of_game([(0.0, 1.0)], luck=0.0)
    >>> both.accuracy, both.games
    (87.5, 2)
    """

    #: The total loss of all decisions.
    loss: float = 0.0
    #: The total loss if every decision had been the worst one.
    worst: float = 0.0
    #: The part of the result that was luck.
    luck: float = 0.0
    #: The number of decisions.
    decisions: int = 0
    #: The number of decisions whose options differ in value.
    choices: int = 0
    #: The number of games.
    games: int = 0
    #: Sums over games, for the interval: loss squared, choices squared, loss times choices.
    loss_squared: float = 0.0
    choices_squared: int = 0
    loss_times_choices: float = 0.0

    @property
    def accuracy(self) -> float | None:
        """Return what percentage of the possible loss was avoided, or None without decisions."""
        if not self.decisions:
            return None
        return 100.0 if self.worst < TOLERANCE else 100.0 * (1 - self.loss / self.worst)

    @property
    def carelessness(self) -> Carelessness | None:
        """Return the average cost of the decisions that count, or None if no decision counts.

        >>> one = Tally.of_game([(0.5, 2.0), (0.0, 1.0), (0.0, 0.0)], luck=0.0)
        >>> one.choices, one.carelessness
        (2, Carelessness(mean=0.125, interval=None))
        """
        if not self.choices:
            return None
        rate = self.loss / self.choices
        return Carelessness(rate / 2, self._interval(rate))

    def _interval(self, rate: float) -> tuple[float, float] | None:
        if self.games < MIN_GAMES:
            return None
        squares = (
            self.loss_squared
            - 2 * rate * self.loss_times_choices
            + rate * rate * self.choices_squared
        )
        freedom = self.games - 1
        error = sqrt(max(0.0, squares) * self.games / freedom) / self.choices
        half = error * t_quantile(freedom)
        # Rule of three: an event not seen in n decisions may still happen up to 3 / n of the time.
        unseen = 3 / self.choices * self.worst / self.choices
        return max(0.0, rate - half) / 2, min(2.0, max(rate + half, unseen)) / 2

    @classmethod
    def of_game(cls, losses: list[tuple[float, float]], luck: float) -> Tally:
        """Return one game's tally. `losses` has the loss and the largest loss of each decision."""
        loss = sum((own for own, _ in losses), 0.0)
        choices = sum(worst > 0 for _, worst in losses)
        worst = sum((worst for _, worst in losses), 0.0)
        return cls.of_sums(loss, worst, luck, len(losses), choices)

    @classmethod
    def of_sums(cls, loss: float, worst: float, luck: float, decisions: int, choices: int) -> Tally:
        """Return one game's tally. The arguments are sums over all its decisions."""
        sums = (loss * loss, choices * choices, loss * choices)
        return cls(loss, worst, luck, decisions, choices, 1, *sums)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, vars(self).values(), vars(other).values()))


def t_quantile(freedom: int) -> float:
    """Return the half-width of a 95% interval, in standard errors.

    `freedom` is the number of degrees of freedom, at least 9. The approximation (Abramowitz and
    Stegun 26.7.5) is accurate to 0.01.

    >>> round(t_quantile(9), 2), round(t_quantile(1000), 2)
    (2.26, 1.96)
    """
    z = NormalDist().inv_cdf(0.975)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + (z**3 + z) / 4 / freedom + second / freedom**2
