"""How often the arena's intervals hold the truth, and how often early stopping errs.

    python benchmarks/coverage.py [--bank FILE] [--arenas N] [--sizes N …] [--real N] [--sprt]

A thousand simulated arenas for each game, meeting and number of pairs. Each draws its pairs from a
bank of real, graded ones (`graded_pairs.py`), whose means are the truth. A cell fails if its
coverage is below 93% by more than chance (one-sided, 1%). `--real` plays so many real arenas
for some meetings and compares them with simulated ones; `--sprt` counts wrong verdicts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
from batch_intervals import Figures, all_ends, bottoms_of, check, units_of
from graded_pairs import Bank, bank_of, made
from sequential_tests import print_error_rates

from number_duels.arena.stats.scores import Stratum

SIZES = (10, 20, 50, 100, 400)
PROMISED = 0.93
#: Meetings that are played for real: usual ones, and some in which intervals failed before.
REAL_CELLS = (
    ("number-knot", "level:1", "perfect"),
    ("number-knot", "level:3", "highest"),
    ("number-bid", "random", "level:3"),
    ("high-low-battle", "level:3", "blind"),
)
REAL_PAIRS = 50
Cell = tuple[str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", type=Path, default=Path("graded-pairs.npz"))
    parser.add_argument("--bank-pairs", type=int, default=2000)
    parser.add_argument("--arenas", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--real", type=int, metavar="N", help="play N real arenas a meeting")
    parser.add_argument("--sprt", action="store_true")
    args = parser.parse_args()
    bank = bank_of(args.bank, args.bank_pairs, args.workers)
    if args.sprt:
        print_error_rates(bank, args.arenas)
    elif args.real:
        print_real_arenas(bank, args.real, args.arenas)
    else:
        for size in args.sizes:
            print_coverage(bank, size, args.arenas)


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


def print_coverage(bank: Mapping[Cell, Bank], size: int, arenas: int) -> None:
    """A line for each kind of interval: its worst cell, its mean, and how many cells fail."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for cell, pairs in bank.items():
        for name, held in coverage(pairs, size, arenas).items():
            place = " ".join(cell) + (f", player {name[-1]}" if name[-1] in "12" else "")
            found[name.rstrip(" 12")][place] = held
    for kind, cells in found.items():
        worst = min(cells, key=cells.__getitem__)
        mean = sum(cells.values()) / len(cells)
        failed = sum(held < least_allowed(arenas) for held in cells.values())
        print(
            f"{size:4} pairs  {kind:16} mean {mean:6.1%}  worst {cells[worst]:6.1%} ({worst})"
            f"  too low in {failed} of {len(cells)}",
            flush=True,
        )


def print_real_arenas(bank: Mapping[Cell, Bank], arenas: int, simulated: int) -> None:
    """Real arenas beside simulated ones: the truth, coverage, and how wide the intervals are."""
    print(
        f"{'meeting':36} {'':10} {'mean':>7} {'score held':>11} {'no luck held':>13} {'width':>6}"
    )
    for cell in REAL_CELLS:
        pairs, truth = bank[cell], truths_of(bank[cell])["score"]
        rng = np.random.default_rng(2)
        draws = {
            "simulated": pairs[rng.integers(0, len(pairs), (simulated, REAL_PAIRS))],
            "real": np.array(list(real_arenas(cell, arenas))),
        }
        for kind, drawn in draws.items():
            print(f"{' '.join(cell):36} {kind:10} {held_line(drawn, truth)}", flush=True)


def held_line(drawn: Figures, truth: float) -> str:
    held, wide = {"plain": 0, "corrected": 0}, 0.0
    for arena in drawn:
        one = Stratum(1.0, units_of(arena))
        for name, found in (("plain", one.plain()), ("corrected", one.corrected())):
            assert found is not None
            held[name] += found.low - 1e-9 <= truth <= found.high + 1e-9
        wide += found.high - found.low
    count = len(drawn)
    plain, without = (number / count for number in held.values())
    return f"{drawn[..., 0].mean():7.3f} {plain:11.1%} {without:13.1%} {wide / count:6.3f}"


def real_arenas(cell: Cell, arenas: int) -> Iterator[Bank]:
    """Arenas that are played, with seeds that the bank has not seen."""
    for number in range(arenas):
        yield made(cell, REAL_PAIRS, seed=1000 + number)


if __name__ == "__main__":
    main()
