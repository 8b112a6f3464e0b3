"""How often early stopping errs, on plain results and on results without luck.

The true difference of a meeting is one of the two that the test asks about; a verdict for the
other is an error. Tests that reach `MAX_PAIRS` without a verdict have not erred.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atanh, log

import numpy as np
from batch_intervals import Figures, shares, units_of
from graded_pairs import Bank

from number_duels.arena.stats.sprt import (
    VARIANCE_PRIOR_UNITS,
    RunningTest,
    Sprt,
    expected_result,
)

#: How far apart the two differences are, in points.
WIDTHS = (30, 60, 200)
MAX_PAIRS = 3000
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
