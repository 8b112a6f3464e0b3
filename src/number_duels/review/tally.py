"""One player's figures over one game or many, and the one measure of how well it plays."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from operator import add
from statistics import NormalDist

#: Losses below this are rounding errors.
TOLERANCE = 1e-7
#: Fewer games do not tell how much games differ.
MIN_GAMES = 10


@dataclass(frozen=True)
class Carelessness:
    """The chances thrown away for each decision that is not obvious, with its 95% interval.

    From a certain win to a certain loss is 1. The interval is None with too few games.

    >>> Tally.of_game([(0.5, 2.0), (0.0, 1.0)], luck=0.0).carelessness
    Carelessness(mean=0.125, interval=None)
    """

    #: What was thrown away, on the average.
    mean: float
    #: Between what it lies, 95% sure; None with too few games.
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Tally:
    """One player's figures over one game or many; tallies are added.

    >>> one = Tally.of_game([(0.5, 2.0), (0.0, 1.0)], luck=0.25)
    >>> both = one + Tally.of_game([(0.0, 1.0)], luck=0.0)
    >>> both.accuracy, both.games
    (87.5, 2)
    """

    #: What all decisions lost together.
    loss: float = 0.0
    #: What the worst option would have lost, at every decision.
    worst: float = 0.0
    #: All that was neither side's doing.
    luck: float = 0.0
    #: How many there were.
    decisions: int = 0
    #: Decisions that are not obvious: not forced, and not all options equal.
    choices: int = 0
    #: How many games are counted.
    games: int = 0
    #: Sums over games, for the interval: loss squared, choices squared, loss times choices.
    loss_squared: float = 0.0
    choices_squared: int = 0
    loss_times_choices: float = 0.0

    @property
    def accuracy(self) -> float | None:
        """The share of what could have been thrown away that was kept, in percent.

        None if nothing was ever decided.
        """
        if not self.decisions:
            return None
        return 100.0 if self.worst < TOLERANCE else 100.0 * (1 - self.loss / self.worst)

    @property
    def carelessness(self) -> Carelessness | None:
        """None if every decision was obvious.

        >>> one = Tally.of_game([(0.5, 2.0), (0.0, 1.0), (0.0, 0.0)], luck=0.0)
        >>> one.choices, one.carelessness
        (2, Carelessness(mean=0.125, interval=None))
        """
        if not self.choices:
            return None
        rate = self.loss / self.choices
        return Carelessness(rate / 2, self._interval(rate))

    def _interval(self, rate: float) -> tuple[float, float] | None:
        """The interval of a ratio of sums over games, which are independent of each other."""
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
        # What has not been seen in n decisions may still happen up to 3 / n of the time.
        unseen = 3 / self.choices * self.worst / self.choices
        return max(0.0, rate - half) / 2, min(2.0, max(rate + half, unseen)) / 2

    @classmethod
    def of_game(cls, losses: list[tuple[float, float]], luck: float) -> Tally:
        """The figures of one game: the loss and the worst loss of every decision."""
        loss = sum((own for own, _ in losses), 0.0)
        choices = sum(worst > 0 for _, worst in losses)
        worst = sum((worst for _, worst in losses), 0.0)
        return cls.of_sums(loss, worst, luck, len(losses), choices)

    @classmethod
    def of_sums(cls, loss: float, worst: float, luck: float, decisions: int, choices: int) -> Tally:
        """The figures of one game that was summed up before."""
        sums = (loss * loss, choices * choices, loss * choices)
        return cls(loss, worst, luck, decisions, choices, 1, *sums)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, vars(self).values(), vars(other).values()))


def t_quantile(freedom: int) -> float:
    """How many standard errors a 95% interval has on each side, for nine degrees or more.

    The first terms of the expansion of Student's t, right to 0.01 (Abramowitz 26.7.5).

    >>> round(t_quantile(9), 2), round(t_quantile(1000), 2)
    (2.26, 1.96)
    """
    z = NormalDist().inv_cdf(0.975)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + (z**3 + z) / 4 / freedom + second / freedom**2
