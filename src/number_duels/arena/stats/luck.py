"""Results without luck: what is known to be zero on average is taken off them.

How much of each kind of luck is taken off is learned from the pairs of games themselves:
after a lucky card a weak player still loses, so less than all of it may count. The share
for a pair is learned from other pairs alone, so a result's expectation stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from number_duels.arena.stats.pairs import Unit

#: Into how many parts the pairs are split; each is corrected by what the others teach.
FOLDS = 5
#: How far from all luck a share is thought to lie, before any pair is seen.
PRIOR_SPREAD = 0.5
#: No share is outside, whatever a few pairs say.
MIN_SHARE, MAX_SHARE = 0.0, 2.0

Shares = tuple[float, float]


def corrected(units: Sequence[Unit]) -> list[float] | None:
    """The results of a pairing without luck; None where luck is not known."""
    if not units or any(unit.luck is None for unit in units):
        return None
    shares = [
        learned([unit for n, unit in enumerate(units) if n % FOLDS != part])
        for part in range(FOLDS)
    ]
    return [
        unit.result - sum(s * luck for s, luck in zip(shares[n % FOLDS], unit.luck, strict=True))
        for n, unit in enumerate(units)
        if unit.luck is not None
    ]


def learned(units: Sequence[Unit]) -> Shares:
    """The shares of luck that leave the least variance: a regression with two slopes."""
    known = [(unit.result, *unit.luck) for unit in units if unit.luck is not None]
    if len(known) < 2:
        return 1.0, 1.0
    middle = [fmean(column) for column in zip(*known, strict=True)]
    rows = [[figure - mean for figure, mean in zip(row, middle, strict=True)] for row in known]
    yy, yx, yz, xx, xz, zz = (
        sum(row[a] * row[b] for row in rows)
        for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    )
    # Pairs with little luck in them say little of its share: the guess that all of it counts
    # weighs as much as the results' own variance makes it.
    pull = yy / len(known) / PRIOR_SPREAD**2 or 1.0
    yx, yz, xx, zz = yx + pull, yz + pull, xx + pull, zz + pull
    determinant = xx * zz - xz * xz
    return (
        max(MIN_SHARE, min(MAX_SHARE, (yx * zz - yz * xz) / determinant)),
        max(MIN_SHARE, min(MAX_SHARE, (yz * xx - yx * xz) / determinant)),
    )
