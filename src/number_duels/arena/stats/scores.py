"""A player's score and losses: over the pairs of one pairing, over pairings, over games.

A pairing is two players at one game. A player's row is the mean of its pairings' means, and
all games together are the mean of the games' means, however many pairs each of them has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from statistics import fmean

from number_duels.arena.stats.intervals import (
    TAIL,
    Estimate,
    combined,
    correction_counts,
    estimate,
    estimate_corrected,
    estimate_ratio,
    fewer_games,
)
from number_duels.arena.stats.luck import corrected
from number_duels.arena.stats.pairs import Unit

#: What a decision can cost at most: a win turned into a loss.
MAX_LOSS = 2.0


@dataclass(frozen=True)
class Stratum:
    """A pairing's pairs from one player's side, and its weight in the player's row."""

    weight: float
    units: Sequence[Unit]

    @cached_property
    def results(self) -> list[float]:
        return [unit.result for unit in self.units]

    @cached_property
    def without_luck(self) -> list[float] | None:
        return corrected(self.units)

    @property
    def has_plain_interval(self) -> bool:
        """Whether the pairs show too little for an interval without luck."""
        return self.without_luck is None or not correction_counts(self.results, self.without_luck)

    def plain(self) -> Estimate:
        return estimate(self.results)

    def corrected(self) -> Estimate | None:
        found = self.without_luck
        return None if found is None else estimate_corrected(self.results, found)

    def best(self, tail: float = TAIL) -> Estimate:
        """What is best known of the score: without luck where that tells more, else plain."""
        found = self.without_luck
        if found is None or self.has_plain_interval:
            return estimate(self.results, tail)
        return estimate_corrected(self.results, found, tail)

    def best_results(self) -> list[float]:
        """The results behind it."""
        found = self.without_luck
        return self.results if found is None or self.has_plain_interval else found

    def loss_per_game(self) -> Estimate | None:
        return self.loss_for_each([2.0] * len(self.units), inf)

    def loss_per_decision(self) -> Estimate | None:
        return self.loss_for_each([unit.decisions[0].total for unit in self.units], MAX_LOSS)

    def loss_per_choice(self) -> Estimate | None:
        return self.loss_for_each([unit.decisions[0].choices for unit in self.units], MAX_LOSS)

    def accuracy(self) -> Estimate | None:
        """The share kept of all that could have been lost, in percent."""
        lost = self.loss_for_each([unit.decisions[0].worst for unit in self.units], 1.0)
        if lost is None:
            return Estimate(100.0, 100.0, 100.0, len(self.units))
        kept, low, high = (100 * (1 - share) for share in (lost.mean, lost.high, lost.low))
        return Estimate(kept, low, high, lost.count)

    def loss_for_each(self, bottoms: Sequence[float], most: float) -> Estimate | None:
        """What was lost for each of something."""
        own = [unit.decisions[0] for unit in self.units]
        choices = sum(one.choices for one in own)
        mistake = sum(one.worst for one in own) / max(1, choices)
        return estimate_ratio([one.loss for one in own], bottoms, mistake, most)


def over_strata(
    strata: Sequence[Stratum], figure: Callable[[Stratum], Estimate | None]
) -> Estimate | None:
    """A figure over several pairings, each with its weight, of those that have it."""
    found = [(one.weight, figure(one)) for one in strata]
    known = [(weight, part) for weight, part in found if part is not None]
    whole = sum(weight for weight, _ in known)
    return combined([(weight / whole, part) for weight, part in known]) if known else None


def saving(strata: Sequence[Stratum]) -> float | None:
    """How many times fewer games the corrected score needs; None where nothing can be told."""
    plain, without = list[float](), list[float]()
    for one in strata:
        if one.without_luck is None:
            return None
        plain += deviations(one.weight, one.results)
        without += deviations(one.weight, one.without_luck)
    # Equal results say nothing of how much they could have varied.
    return fewer_games(plain, without) if any(plain) else None


def deviations(weight: float, units: Sequence[float]) -> list[float]:
    """How far units are from their mean, scaled to what that adds to a weighted mean's doubt."""
    mean, count = fmean(units), len(units)
    scale = weight / sqrt(count * max(1, count - 1))
    return [scale * (unit - mean) for unit in units]


def balanced(groups: Sequence[Sequence[float]]) -> list[float]:
    """The units of several games as those of one: the mean of the games' means, and its doubt.

    >>> [round(unit, 3) for unit in balanced([[0.5, 0.7], [-0.7, -0.5]])]
    [-0.122, 0.122, -0.122, 0.122]
    """
    full = [group for group in groups if group]
    # One unit alone does not show how much it could have varied: how games differ must do.
    if len(full) < 2 or min(map(len, full)) < 2:
        return [unit for group in full for unit in group]
    total, middle = sum(map(len, full)), fmean(map(fmean, full))
    scale = sqrt(total * (total - 1))
    return [middle + scale * off for group in full for off in deviations(1 / len(full), group)]
