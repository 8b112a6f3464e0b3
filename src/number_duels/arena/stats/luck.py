"""Results without luck: what is known to be zero on average is taken off them.

How much of each kind of luck is taken off is learned from the pairs of games themselves:
after a lucky card a weak player still loses, so less than all of it may count. The share
for a pair is learned from other pairs alone, so a result's expectation stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from number_duels.arena.stats.pairs import Unit

#: Into how many parts the pairs are split; each is corrected by what the others teach.
FOLDS = 5
#: How far from all luck a share is thought to lie, before any pair is seen.
PRIOR_SPREAD = 0.5
#: A variance below this is rounding error.
TOLERANCE = 1e-9
#: No share is outside, whatever a few pairs say.
MIN_SHARE, MAX_SHARE = 0.0, 2.0

Shares: TypeAlias = tuple[float, float]
#: The result of a pair, what its cards brought, and what known mixing brought.
Figures: TypeAlias = tuple[float, float, float]
#: How many pairs, and the sums of y, x, z, yy, yx, yz, xx, xz and zz over them.
Sums: TypeAlias = tuple[float, ...]
NO_PAIRS: Sums = (0.0,) * 10


def corrected(units: Sequence[Unit]) -> list[float] | None:
    """The results of a pairing without luck; None where luck is not known."""
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
    """Takes luck off one pair after the other: each learns from earlier pairs alone.

    So a pair's result is what it was, whatever comes later. Where luck is not known, the
    plain result stays.
    """

    so_far: Sums = NO_PAIRS

    def without_luck(self, unit: Unit) -> float:
        """The result of the next pair."""
        if unit.luck is None:
            return unit.result
        pair = (unit.result, *unit.luck)
        found = without_luck(pair, shares_from(self.so_far))
        self.so_far = added((self.so_far, sums_of(pair)))
        return found


def learned(units: Sequence[Unit]) -> Shares:
    """The shares of luck that leave the least variance."""
    return shares_from(added(map(sums_of, figures_of(units) or ())))


def figures_of(units: Sequence[Unit]) -> list[Figures] | None:
    found = [(unit.result, *unit.luck) for unit in units if unit.luck is not None]
    return found if len(found) == len(units) else None


def without_luck(pair: Figures, shares: Shares) -> float:
    return pair[0] - shares[0] * pair[1] - shares[1] * pair[2]


def sums_of(pair: Figures) -> Sums:
    y, x, z = pair
    return 1.0, y, x, z, y * y, y * x, y * z, x * x, x * z, z * z


def added(parts: Iterable[Sums]) -> Sums:
    return tuple(map(sum, zip(NO_PAIRS, *parts, strict=True)))


def shares_from(sums: Sums) -> Shares:
    """A regression of results on both kinds of luck."""
    count, y, x, z, *squares = sums
    if count < 2:
        return 1.0, 1.0
    means = (y * y, y * x, y * z, x * x, x * z, z * z)
    yy, yx, yz, xx, xz, zz = (a - b / count for a, b in zip(squares, means, strict=True))
    # Pairs with little luck in them say little of its share: the guess that all of it counts
    # weighs as much as the results' own variance makes it.
    pull = yy / count / PRIOR_SPREAD**2 if yy > TOLERANCE * count else 1.0
    yx, yz, xx, zz = yx + pull, yz + pull, xx + pull, zz + pull
    determinant = xx * zz - xz * xz
    return (
        max(MIN_SHARE, min(MAX_SHARE, (yx * zz - yz * xz) / determinant)),
        max(MIN_SHARE, min(MAX_SHARE, (yz * xx - yx * xz) / determinant)),
    )
