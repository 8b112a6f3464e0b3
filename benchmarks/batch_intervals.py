"""The arena's intervals for a thousand simulated arenas at once.

The formulas are those of `number_duels.arena.stats`, written a second time for arrays whose rows
are arenas; `check` holds them to the package's own, so that what is measured is what is used.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from graded_pairs import Bank
from numpy.typing import NDArray

from number_duels.arena.stats import intervals, scores
from number_duels.arena.stats.intervals import Estimate, student_quantile
from number_duels.arena.stats.scores import Decisions, Stratum, Unit

Figures: TypeAlias = NDArray[np.float64]
#: The lower and the upper end, an arena each.
Ends: TypeAlias = tuple[Figures, Figures]
#: How often an interval must hold the truth at least.
PROMISED = 0.93
#: What is counted for each loss, and the largest figure there can be.
LOSSES = {"loss a game": np.inf, "loss a decision": 2.0, "loss a choice": 2.0, "accuracy": 1.0}


def corrected(y: Figures, x: Figures, z: Figures) -> Figures:
    """Results without luck: `scores.corrected`."""
    sums = np.stack([np.ones_like(y), y, x, z, y * y, y * x, y * z, x * x, x * z, z * z], axis=-1)
    whole, found = sums.sum(axis=1), np.empty_like(y)
    for part in range(scores.FOLDS):
        places = slice(part, None, scores.FOLDS)
        a, b = shares(whole - sums[:, places].sum(axis=1))
        found[:, places] = y[:, places] - a[:, None] * x[:, places] - b[:, None] * z[:, places]
    return found


def shares(sums: Figures) -> tuple[Figures, Figures]:
    count, y, x, z, *squares = sums.T
    means = (y * y, y * x, y * z, x * x, x * z, z * z)
    yy, yx, yz, xx, xz, zz = (
        a - b / np.maximum(count, 1) for a, b in zip(squares, means, strict=True)
    )
    usual = yy / np.maximum(count, 1) / scores.PRIOR_SPREAD**2
    pull = np.where(yy > scores.TOLERANCE * count, usual, 1.0)
    yx, yz, xx, zz = yx + pull, yz + pull, xx + pull, zz + pull
    determinant = xx * zz - xz * xz
    found = ((yx * zz - yz * xz) / determinant, (yz * xx - yx * xz) / determinant)
    few = count < 2
    one, two = (np.where(few, 1.0, np.clip(s, scores.MIN_SHARE, scores.MAX_SHARE)) for s in found)
    return one, two


def variance(units: Figures) -> Figures:
    spread: Figures = units.var(axis=1, ddof=1)
    return np.where(np.ptp(units, axis=1) < intervals.TOLERANCE, 0.0, spread)


def student(mean: Figures, spread: Figures, count: int, tail: float) -> Ends:
    half = student_quantile(1 - tail, count - 1) * np.sqrt(spread / count)
    return mean - half, mean + half


def plain(units: Figures, tail: float = intervals.TAIL) -> Ends:
    """`intervals.estimate`."""
    bounds = np.repeat(intervals.RESULT_RANGE, intervals.VIRTUAL_UNITS // 2)
    together = np.concatenate([units, np.tile(bounds, (len(units), 1))], axis=1)
    count = units.shape[1]
    with_virtual = student(
        together.mean(axis=1), together.var(axis=1), count + intervals.VIRTUAL_UNITS, tail
    )
    return wider(units.mean(axis=1), with_virtual, student_of(units, tail))


def student_of(units: Figures, tail: float) -> Ends:
    return student(units.mean(axis=1), variance(units), units.shape[1], tail)


def wider(mean: Figures, *both: Ends, low: float = -1.0, high: float = 1.0) -> Ends:
    lows = np.min([mean, *(ends[0] for ends in both)], axis=0)
    highs = np.max([mean, *(ends[1] for ends in both)], axis=0)
    return np.clip(lows, low, high), np.clip(highs, low, high)


def without_luck(units: Figures, found: Figures, tail: float = intervals.TAIL) -> Ends:
    """`intervals.estimate_corrected`."""
    count, mean = units.shape[1], found.mean(axis=1)
    left = variance(found) + intervals.VIRTUAL_UNITS / count * variance(units)
    results = np.unique(units)
    commonest = np.max([(units == result).sum(axis=1) for result in results], axis=0)
    counts = (
        (count >= intervals.MIN_CORRECTED_PAIRS)
        & (count - commonest >= intervals.MIN_UNUSUAL_PAIRS)
        & (left <= intervals.MAX_VARIANCE_LEFT * variance(units))
    )
    new, old = student(mean, left, count, tail), plain(units, tail)
    chosen = np.where(counts, new[0], old[0]), np.where(counts, new[1], old[1])
    return wider(mean, chosen)


def lost(tops: Figures, bottoms: Figures, mistake: Figures, most: float) -> Ends:
    """`intervals.estimate_ratio`."""
    count = tops.shape[1]
    rate, bottom = tops.sum(axis=1) / bottoms.sum(axis=1), bottoms.mean(axis=1)
    units = rate[:, None] + (tops - rate[:, None] * bottoms) / bottom[:, None]
    unseen = intervals.VIRTUAL_MISTAKES / count * (mistake / bottom) ** 2
    padded = student(rate, variance(units) + unseen, count, intervals.TAIL)
    return wider(rate, padded, skewed(units), low=0.0, high=most)


def skewed(units: Figures) -> Ends:
    count, mean, spread = units.shape[1], units.mean(axis=1), variance(units)
    third = ((units - mean[:, None]) ** 3).mean(axis=1)
    bend = np.where(spread > 0, third / np.where(spread > 0, spread, 1) ** 1.5, 0.0) / count**0.5
    reach, error = student_quantile(1 - intervals.TAIL, count - 1), np.sqrt(spread / count)
    flat = np.abs(bend) < intervals.TOLERANCE
    safe = np.where(flat, 1.0, bend)
    high, low = (
        np.where(flat, z, 3 * (np.cbrt(1 + safe * (z - safe / 6)) - 1) / safe)
        for z in (-reach, reach)
    )
    return mean - error * low, mean - error * high


def bottoms_of(own: Figures) -> dict[str, Figures]:
    """What losses are divided by, from a player's columns of the bank."""
    _, worst, decisions, choices = np.moveaxis(own, -1, 0)
    columns = (np.full_like(decisions, 2.0), decisions, choices, worst)
    return dict(zip(LOSSES, columns, strict=True))


def all_ends(drawn: Figures) -> dict[str, Ends]:
    """Every interval of simulated arenas: arenas, pairs, then the columns of the bank."""
    y, x, z = np.moveaxis(drawn[..., :3], -1, 0)
    found = corrected(y, x, z)
    ends = {"score": plain(y), "without luck": without_luck(y, found)}
    for number in (1, 2):
        own = drawn[..., 4 * number - 1 : 4 * number + 3]
        loss, worst, _, choices = np.moveaxis(own, -1, 0)
        mistake = worst.sum(axis=1) / np.maximum(1, choices.sum(axis=1))
        for name, bottoms in bottoms_of(own).items():
            if (bottoms.sum(axis=1) > intervals.TOLERANCE).all():
                ends[f"{name} {number}"] = lost(loss, bottoms, mistake, LOSSES[name])
    return ends


def check(drawn: Figures, ends: dict[str, Ends]) -> None:
    """See that one arena's intervals are what the package itself gives."""
    units = units_of(drawn)
    one, two = Stratum(1.0, units), Stratum(1.0, [unit.turned for unit in units])
    for name, (low, high) in ends.items():
        kind, own = name.rstrip(" 12"), two if name.endswith("2") else one
        found = {
            "score": own.plain,
            "without luck": own.corrected,
            "loss a game": own.loss_per_game,
            "loss a decision": own.loss_per_decision,
            "loss a choice": own.loss_per_choice,
            "accuracy": own.accuracy,
        }[kind]()
        assert isinstance(found, Estimate)
        mine = [low[0], high[0]]
        if kind == "accuracy":
            mine = [100 * (1 - high[0]), 100 * (1 - low[0])]
        assert np.allclose(mine, [found.low, found.high], atol=1e-7), (name, mine, found)


def units_of(drawn: Bank) -> list[Unit]:
    """The pairs of one arena as the package has them."""
    return [
        Unit(row[0], (row[1], row[2]), (decisions_of(row[3:7]), decisions_of(row[7:11])))
        for row in drawn.tolist()
    ]


def decisions_of(columns: list[float]) -> Decisions:
    loss, worst, decisions, choices = columns
    return Decisions(loss, worst, round(decisions), round(choices))


def truths_of(bank: Bank) -> dict[str, float]:
    """What infinitely many pairs out of the bank would give."""
    found = {"score": bank[:, 0].mean(), "without luck": bank[:, 0].mean()}
    for number in (1, 2):
        own = bank[:, 4 * number - 1 : 4 * number + 3]
        for name, bottoms in bottoms_of(own).items():
            found[f"{name} {number}"] = own[:, 0].sum() / max(bottoms.sum(), 1e-12)
    return found


def coverage(bank: Bank, size: int, arenas: int, seed: int = 1) -> dict[str, float]:
    """How often each interval holds the truth."""
    rng = np.random.default_rng(seed)
    drawn = bank[rng.integers(0, len(bank), (arenas, size))]
    ends, truths = all_ends(drawn), truths_of(bank)
    check(drawn[0], ends)
    return {
        name: float(((low - 1e-9 <= truths[name]) & (truths[name] <= high + 1e-9)).mean())
        for name, (low, high) in ends.items()
    }


def least_allowed(arenas: int) -> float:
    """Below this a coverage is worse than promised by more than chance."""
    return PROMISED - NormalDist().inv_cdf(0.99) * sqrt(PROMISED * (1 - PROMISED) / arenas)
