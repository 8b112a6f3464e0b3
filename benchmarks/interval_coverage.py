"""How often the arena's intervals hold the truth, and how often early stopping errs.

    python benchmarks/interval_coverage.py [--bank FILE] [--seed N] [--arenas N] [--sizes N …]
                                           [--real N | --exact | --sprt | --stopped | --ratings]

A thousand simulated arenas for each game, meeting and number of pairs. Each draws its pairs from a
bank of real, graded ones (`graded_pairs.py`), whose means are the truth. `--seed` is that of the
bank's games: another bank than the one on which rules were tuned. A cell fails if its
coverage is below 93% by more than chance (one-sided, 1%). `--real` plays so many real arenas
for some meetings and compares them with simulated ones; `--exact` compares the bank's means with
what evaluation computes for built-in players; `--sprt` counts wrong verdicts;
`--stopped` is about all games together after early stopping; `--ratings` about the ratings of
bots that met one built-in player, and about the least that can be gained on them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from batch_intervals import Figures, coverage, least_allowed, truths_of, units_of
from graded_pairs import BUILT_IN, Bank, bank_of, game_of, made
from sequential_tests import print_error_rates, print_stopped_arenas

from number_duels.arena.stats.intervals import ONE_SIDED_TAIL
from number_duels.arena.stats.ratings import ELO, PairScores, ratings
from number_duels.arena.stats.scores import Stratum
from number_duels.players.calibration import exact_scores

SIZES = (10, 20, 50, 100, 400)
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
    parser.add_argument("--seed", type=int, default=1, help="of the games of a new bank")
    parser.add_argument("--arenas", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--real", type=int, metavar="N", help="play N real arenas a meeting")
    for name in ("exact", "sprt", "stopped", "ratings"):
        parser.add_argument(f"--{name}", action="store_true")
    args = parser.parse_args()
    bank = bank_of(args.bank, args.bank_pairs, args.workers, args.seed)
    if args.exact:
        print_exact_means(bank)
    elif args.sprt:
        print_error_rates(bank, args.arenas)
    elif args.stopped:
        print_stopped_arenas(bank, args.arenas)
    elif args.ratings:
        print_ratings(bank, args.arenas)
    elif args.real:
        print_real_arenas(bank, args.real, args.arenas)
    else:
        for size in args.sizes:
            print_coverage(bank, size, args.arenas)


def print_coverage(bank: Mapping[Cell, Bank], size: int, arenas: int) -> None:
    """A line for each kind of interval: its worst cell, its mean, and how many cells fail."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for cell, pairs in bank.items():
        for name, held in coverage(pairs, size, arenas).items():
            place = " ".join(cell) + (f", player {name[-1]}" if name[-1] in "12" else "")
            found[name.rstrip(" 12")][place] = held
    for kind, cells in found.items():
        print_line(size, kind, cells, arenas)


def print_line(size: int, kind: str, cells: Mapping[str, float], arenas: int) -> None:
    worst = min(cells, key=cells.__getitem__)
    mean = sum(cells.values()) / len(cells)
    failed = sum(held < least_allowed(arenas) for held in cells.values())
    print(
        f"{size:4} pairs  {kind:16} mean {mean:6.1%}  worst {cells[worst]:6.1%} ({worst})"
        f"  too low in {failed} of {len(cells)}",
        flush=True,
    )


def print_exact_means(bank: Mapping[Cell, Bank]) -> None:
    """How far the bank's means are from exact ones, in standard errors."""
    for cell, pairs in bank.items():
        game, one, two = cell
        if one not in BUILT_IN or two not in BUILT_IN:
            continue
        scores = exact_scores(game_of(game))
        exact, mean = (scores[one, two] - scores[two, one]) / 2, pairs[:, 0].mean()
        spread = pairs[:, 0].std() or (1 - exact**2) ** 0.5 or 1.0
        error = spread / len(pairs) ** 0.5
        print(f"{' '.join(cell):40} {exact:7.4f} {mean:7.4f} {(mean - exact) / error:5.1f}")


def print_ratings(bank: Mapping[Cell, Bank], arenas: int) -> None:
    """Ratings of bots that met one built-in player, and the least that is gained on them."""
    found: dict[str, dict[str, float]] = {"rating": {}, "at least": {}}
    for cell, pairs in bank.items():
        if cell[1] not in BUILT_IN or cell[2] in BUILT_IN:
            continue
        truth, rng = pairs[:, 0].mean(), np.random.default_rng(4)
        held = dict.fromkeys(found, 0)
        for drawn in pairs[rng.integers(0, len(pairs), (arenas, REAL_PAIRS))]:
            one = Stratum(1.0, units_of(drawn))
            scores = PairScores("bot", "built-in", [-unit for unit in one.best_results()])
            rating = ratings([scores], {"built-in": 0.0})["bot"]
            low, high = (np.tanh(end / ELO / 2) for end in (rating.low, rating.high))
            held["rating"] += low - 1e-3 <= -truth <= high + 1e-3
            held["at least"] += one.best(ONE_SIDED_TAIL).low <= truth + 1e-9
        for kind, number in held.items():
            found[kind][" ".join(cell)] = number / arenas
    for kind, cells in found.items():
        print_line(REAL_PAIRS, kind, cells, arenas)


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
        plain, without = one.plain(), one.corrected()
        assert without is not None
        held["plain"] += plain.low - 1e-9 <= truth <= plain.high + 1e-9
        held["corrected"] += without.low - 1e-9 <= truth <= without.high + 1e-9
        wide += without.high - without.low
    count = len(drawn)
    shares = f"{held['plain'] / count:11.1%} {held['corrected'] / count:13.1%}"
    return f"{drawn[..., 0].mean():7.3f} {shares} {wide / count:6.3f}"


def real_arenas(cell: Cell, arenas: int) -> Iterator[Bank]:
    """Arenas that are played, with seeds that the bank has not seen."""
    for number in range(arenas):
        yield made(cell, REAL_PAIRS, seed=1000 + number)


if __name__ == "__main__":
    main()
