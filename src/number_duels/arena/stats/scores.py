"""Every player's scores and losses, with and without luck.

A player's score in one game is the mean over its opponents. The score for all games is the mean
over the games. A result without luck is the result minus a share of the measured luck. A regression
on other pairs estimates the share, so the correction adds no bias.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from statistics import fmean
from typing import NamedTuple, TypeAlias

from number_duels.arena.grading import Cost
from number_duels.arena.results import GameResult
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


class Decisions(NamedTuple):
    """The cost of one player's decisions in both games of a pair."""

    loss: float = 0.0
    worst: float = 0.0
    total: int = 0
    choices: int = 0


@dataclass(frozen=True)
class Unit:
    """A pair of games as one player sees it: the mean result and the mean luck."""

    result: float
    #: The luck from cards and from known mixing, or None if it is unknown.
    luck: tuple[float, float] | None
    decisions: tuple[Decisions, Decisions] = (Decisions(), Decisions())

    @property
    def turned(self) -> Unit:
        luck = self.luck and (-self.luck[0], -self.luck[1])
        return Unit(-self.result, luck, self.decisions[::-1])


def unit_of(first: GameResult, second: GameResult) -> Unit:
    """Combine the two games of a pair, as Player 1 of the first game sees them."""
    luck = None
    if first.luck is not None and second.luck is not None:
        cards, mixing = zip(first.luck, second.luck, strict=True)
        luck = (cards[0] - cards[1]) / 2, (mixing[0] - mixing[1]) / 2
    (one, two), (three, four) = ((side.cost for side in game.sides) for game in (first, second))
    decisions = decisions_of(one, four), decisions_of(two, three)
    return Unit((first.score - second.score) / 2, luck, decisions)


def decisions_of(first: Cost, second: Cost) -> Decisions:
    return Decisions(
        first.loss + second.loss,
        first.worst + second.worst,
        first.decisions + second.decisions,
        first.choices + second.choices,
    )


def units_by_pairing(results: Iterable[GameResult]) -> dict[tuple[str, str, str], list[Unit]]:
    games: dict[tuple[str, tuple[str, str], int], dict[bool, GameResult]] = defaultdict(dict)
    for result in results:
        swapped = result.record.players[0].name != result.pairing[0]
        games[result.event, result.pairing, result.pair][swapped] = result
    found: dict[tuple[str, str, str], list[Unit]] = defaultdict(list)
    for (event, pairing, _), pair in sorted(games.items(), key=lambda item: item[0][2]):
        if len(pair) == 2:
            found[event, *pairing].append(unit_of(pair[False], pair[True]))
    return dict(found)


#: Pairs are split into this many parts. Each part uses shares estimated from the others.
FOLDS = 5
#: The standard deviation of a share's prior, whose mean is 1.
PRIOR_SPREAD = 0.5
TOLERANCE = 1e-9
#: Limits of a share, because few pairs can mislead.
MIN_SHARE, MAX_SHARE = 0.0, 2.0

Shares: TypeAlias = tuple[float, float]
#: The result of a pair, its luck from cards, and its luck from known mixing.
PairFigures: TypeAlias = tuple[float, float, float]
#: The number of pairs, and their sums of y, x, z, yy, yx, yz, xx, xz and zz.
Sums: TypeAlias = tuple[float, ...]
NO_PAIRS: Sums = (0.0,) * 10


def corrected(units: Sequence[Unit]) -> list[float] | None:
    known = figures_of(units)
    if not known:
        return None
    parts = [added(map(sums_of, known[part::FOLDS])) for part in range(FOLDS)]
    whole = added(parts)
    shares = [
        shares_from(tuple(all_ - own for all_, own in zip(whole, part, strict=True)))
        for part in parts
    ]
    return [without_luck(pair, shares[n % FOLDS]) for n, pair in enumerate(known)]


@dataclass
class RunningCorrection:
    """A correction for luck that is estimated from earlier pairs only."""

    so_far: Sums = NO_PAIRS

    def without_luck(self, unit: Unit) -> float:
        if unit.luck is None:
            return unit.result
        pair = (unit.result, *unit.luck)
        found = without_luck(pair, shares_from(self.so_far))
        self.so_far = added((self.so_far, sums_of(pair)))
        return found


def figures_of(units: Sequence[Unit]) -> list[PairFigures] | None:
    found = [(unit.result, *unit.luck) for unit in units if unit.luck is not None]
    return found if len(found) == len(units) else None


def without_luck(pair: PairFigures, shares: Shares) -> float:
    return pair[0] - shares[0] * pair[1] - shares[1] * pair[2]


def sums_of(pair: PairFigures) -> Sums:
    y, x, z = pair
    return 1.0, y, x, z, y * y, y * x, y * z, x * x, x * z, z * z


def added(parts: Iterable[Sums]) -> Sums:
    return tuple(map(sum, zip(NO_PAIRS, *parts, strict=True)))


def shares_from(sums: Sums) -> Shares:
    """Estimate which share of each kind of luck to subtract, by regressing results on luck."""
    count, y, x, z, *squares = sums
    if count < 2:
        return 1.0, 1.0
    means = (y * y, y * x, y * z, x * x, x * z, z * z)
    yy, yx, yz, xx, xz, zz = (a - b / count for a, b in zip(squares, means, strict=True))
    # Pairs with little luck say little about the share. The prior share of 1 (all luck counts) is
    # weighted by the variance of the results.
    pull = yy / count / PRIOR_SPREAD**2 if yy > TOLERANCE * count else 1.0
    yx, yz, xx, zz = yx + pull, yz + pull, xx + pull, zz + pull
    determinant = xx * zz - xz * xz
    return (
        max(MIN_SHARE, min(MAX_SHARE, (yx * zz - yz * xz) / determinant)),
        max(MIN_SHARE, min(MAX_SHARE, (yz * xx - yx * xz) / determinant)),
    )


MAX_LOSS = 2.0


@dataclass(frozen=True)
class Stratum:
    """A player's results against one opponent in one game, with a weight for averages."""

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
        """Return whether the interval is not corrected for luck."""
        return self.without_luck is None or not correction_counts(self.results, self.without_luck)

    def plain(self) -> Estimate:
        return estimate(self.results)

    def corrected(self, tail: float = TAIL) -> Estimate | None:
        """Return the score corrected for luck, or None if the luck is unknown."""
        found = self.without_luck
        return None if found is None else estimate_corrected(self.results, found, tail)

    def best(self, tail: float = TAIL) -> Estimate:
        return self.corrected(tail) or estimate(self.results, tail)

    def best_results(self) -> list[float]:
        found = self.without_luck
        return self.results if found is None or self.has_plain_interval else found

    def loss_per_game(self) -> Estimate | None:
        return self.loss_for_each([2.0] * len(self.units), inf)

    def loss_per_decision(self) -> Estimate | None:
        return self.loss_for_each([unit.decisions[0].total for unit in self.units], MAX_LOSS)

    def loss_per_choice(self) -> Estimate | None:
        return self.loss_for_each([unit.decisions[0].choices for unit in self.units], MAX_LOSS)

    def accuracy(self) -> Estimate | None:
        """Return the accuracy: the percentage of the possible loss that the player avoided."""
        lost = self.loss_for_each([unit.decisions[0].worst for unit in self.units], 1.0)
        if lost is None:
            return Estimate(100.0, 0.0, 100.0, len(self.units))  # nothing was at stake
        kept, low, high = (100 * (1 - share) for share in (lost.mean, lost.high, lost.low))
        return Estimate(kept, low, high, lost.count)

    def loss_for_each(self, bottoms: Sequence[float], most: float) -> Estimate | None:
        """Return the total loss divided by the sum of `bottoms`, at most `most`."""
        own = [unit.decisions[0] for unit in self.units]
        mistake = usual_mistake(own)
        return estimate_ratio([one.loss for one in own], bottoms, mistake, most)


def usual_mistake(own: Iterable[Decisions]) -> float:
    """Return the mean cost of the worst option in decisions that matter, or 1 if there are none."""
    parts = list(own)
    choices = sum(one.choices for one in parts)
    return sum(one.worst for one in parts) / choices if choices else 1.0


def over_strata(
    strata: Sequence[Stratum], figure: Callable[[Stratum], Estimate | None]
) -> Estimate | None:
    """Return the weighted mean over all strata, or None if no stratum has the figure."""
    found = [(one.weight, figure(one)) for one in strata]
    known = [(weight, part.mean) for weight, part in found if part is not None]
    if not known:
        return None
    mean = sum(w * part for w, part in known) / sum(w for w, _ in known)
    # Without decisions, the loss per decision can be anything.
    unknown = Estimate(mean, 0.0, MAX_LOSS, 0)
    return combined([(weight, part or unknown) for weight, part in found])


def saving(strata: Sequence[Stratum]) -> float | None:
    plain, without = list[float](), list[float]()
    for one in strata:
        if one.without_luck is None:
            return None
        plain += deviations(one.weight, one.results)
        without += deviations(one.weight, one.without_luck)
    return fewer_games(plain, without) if any(plain) else None


def deviations(weight: float, units: Sequence[float]) -> list[float]:
    """Scale deviations from the mean so that their squares sum to the squared standard error."""
    mean, count = fmean(units), len(units)
    scale = weight / sqrt(count * max(1, count - 1))
    return [scale * (unit - mean) for unit in units]


def balanced(groups: Sequence[Sequence[float]]) -> list[float]:
    """Merge the units of several games so that every game has the same weight.

    >>> [round(unit, 3) for unit in balanced([[0.5, 0.7], [-0.7, -0.5]])]
    [-0.122, 0.122, -0.122, 0.122]
    """
    full = [group for group in groups if group]
    # A single unit shows no variance. The variance between games is used instead.
    if len(full) < 2 or min(map(len, full)) < 2:
        return [unit for group in full for unit in group]
    total, middle = sum(map(len, full)), fmean(map(fmean, full))
    scale = sqrt(total * (total - 1))
    return [middle + scale * off for group in full for off in deviations(1 / len(full), group)]
