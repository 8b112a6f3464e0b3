"""How often early stopping errs, on plain results and on results without luck.

The true difference of a meeting is one of the two that the test asks about; a verdict for the
other is an error. Tests that reach `MAX_PAIRS` without a verdict have not erred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import atanh, log

import numpy as np
from batch_intervals import Figures, shares, units_of
from graded_pairs import Bank

from number_duels.arena.stats.intervals import estimate
from number_duels.arena.stats.scores import Stratum, over_strata
from number_duels.arena.stats.sprt import (
    VARIANCE_PRIOR_UNITS,
    RunningTest,
    Sprt,
    expected_result,
)

#: How far apart the two differences are, in points.
WIDTHS = (30, 60, 200)
MAX_PAIRS = 3000
MAX_STOPPED_PAIRS = 1000
STOPPED_MEETINGS = (
    ("random", "level:1"),
    ("level:1", "level:3"),
    ("level:3", "perfect"),
    ("level:1", "blind"),
)
#: A meeting that is nearly decided has no difference in points that could be asked about.
MAX_RESULT = 0.95


def print_error_rates(bank: Mapping[tuple[str, str, str], Bank], runs: int) -> None:
    """For every width and kind of results: the worst meeting, the mean, and pairs needed."""
    for width in WIDTHS:
        for corrected in (False, True):
            errors: dict[str, float] = {}
            pairs = []
            for cell, own in bank.items():
                if abs(own[:, 0].mean()) > MAX_RESULT or not own[:, 0].std():
                    continue
                for side in ("elo0", "elo1"):
                    wrong, needed = error_rate(own, width, side, corrected, runs)
                    errors[f"{' '.join(cell)}, {side} is true"] = wrong
                    pairs.append(needed)
            worst = max(errors, key=errors.__getitem__)
            over = sum(rate > 0.05 for rate in errors.values())
            print(
                f"{width:4} points, {'corrected' if corrected else 'plain':9}"
                f" mean {np.mean(list(errors.values())):5.1%}  worst {errors[worst]:5.1%} ({worst})"
                f"  over 5% in {over} of {len(errors)}  {np.mean(pairs):5.0f} pairs",
                flush=True,
            )


def print_stopped_arenas(bank: Mapping[tuple[str, str, str], Bank], runs: int) -> None:
    """All games together when each ended early: whether the intervals hold the mean of them."""
    for meeting in STOPPED_MEETINGS:
        for elo0, elo1 in ((0, 50), (-50, 0), (0, 150)):
            test, held = Sprt(elo0, elo1), {"plain": 0, "without luck": 0, "every pair alike": 0}
            banks = [own for cell, own in bank.items() if cell[1:] == meeting]
            truth = np.mean([own[:, 0].mean() for own in banks])
            for games in stopped_arenas(banks, test, runs):
                strata = [Stratum(1 / len(games), units_of(game)) for game in games]
                together = [unit.result for one in strata for unit in one.units]
                found = (
                    over_strata(strata, Stratum.plain),
                    over_strata(strata, Stratum.corrected),
                    estimate(together),
                )
                for kind, one in zip(held, found, strict=True):
                    held[kind] += one is not None and one.low <= truth <= one.high
            told = "  ".join(f"{kind} {number / runs:6.1%}" for kind, number in held.items())
            print(f"{' - '.join(meeting):18} {elo0:4},{elo1:<4} {told}", flush=True)


def stopped_arenas(banks: Sequence[Bank], test: Sprt, runs: int) -> Iterator[list[Bank]]:
    """Arenas of several games, each with the pairs that were played until its verdict."""
    rng, played = np.random.default_rng(5), []
    for own in banks:
        drawn = own[rng.integers(0, len(own), (MAX_STOPPED_PAIRS, runs))]
        played.append((drawn, played_out(test, drawn[..., :3])[1].astype(int)))
    for run in range(runs):
        yield [drawn[: needed[run], run] for drawn, needed in played]


def error_rate(
    bank: Bank, width: float, true: str, corrected: bool, runs: int
) -> tuple[float, float]:
    """How often the wrong verdict falls, and after how many pairs any verdict does."""
    elo = atanh(bank[:, 0].mean()) * 800 / log(10)
    elo0, elo1 = (elo, elo + width) if true == "elo0" else (elo - width, elo)
    test = Sprt(elo0, elo1, corrected=corrected)
    rng = np.random.default_rng(3)
    drawn = bank[rng.integers(0, len(bank), (MAX_PAIRS, runs)), :3]
    verdicts, needed = played_out(test, drawn)
    check(test, drawn[:, 0], verdicts[0], int(needed[0]))
    wrong = -1 if true == "elo1" else 1
    return float((verdicts == wrong).mean()), float(needed.mean())


def played_out(test: Sprt, drawn: Figures) -> tuple[Figures, Figures]:
    """The verdict of each run (-1 for elo0, 1 for elo1, 0 for none), and the pairs it took."""
    runs = drawn.shape[1]
    zero, one = expected_result(test.elo0), expected_result(test.elo1)
    low, high = test.bounds
    verdicts, needed = np.zeros(runs), np.full(runs, float(len(drawn)))
    sums, mean, squares = np.zeros((runs, 10)), np.zeros(runs), np.zeros(runs)
    for count, (y, x, z) in enumerate(np.moveaxis(drawn, -1, 1), 1):
        unit = y
        if test.corrected:
            a, b = shares(sums)
            unit = y - a * x - b * z
            ones = np.ones_like(y)
            sums += np.stack([ones, y, x, z, y * y, y * x, y * z, x * x, x * z, z * z], axis=-1)
        off = unit - mean
        mean = mean + off / count
        squares = squares + off * (unit - mean)
        spread = (squares + VARIANCE_PRIOR_UNITS) / (count + VARIANCE_PRIOR_UNITS)
        ratio = count / 2 * np.log((spread + (mean - zero) ** 2) / (spread + (mean - one) ** 2))
        fresh = (verdicts == 0) & ((ratio <= low) | (ratio >= high))
        verdicts[fresh] = np.where(ratio[fresh] <= low, -1.0, 1.0)
        needed[fresh] = count
        if verdicts.all():
            break
    return verdicts, needed


def check(test: Sprt, drawn: Figures, verdict: float, needed: int) -> None:
    """See that a run is what the package itself makes of it."""
    running = RunningTest(test)
    rest = np.zeros((len(drawn), 8))
    for unit in units_of(np.concatenate([drawn, rest], axis=1)[:needed]):
        running.add(unit)
    assert {None: 0, "elo0": -1, "elo1": 1}[running.verdict] == verdict
    assert running.count == needed
