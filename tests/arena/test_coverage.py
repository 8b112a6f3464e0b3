"""Intervals hold the truth in simulated arenas, in the meetings where they once did not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# At the end: no module there may hide a library.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from interval_coverage import (
    MEETINGS,
    bank_of,
    bench_banks,
    bench_coverage,
    coverage,
    error_rate,
    least_allowed,
)

import number_duels as nd
from number_duels.bench.compare import COST, LOSS
from number_duels.bench.suite import SIZES

#: Rare losses, luck that is rarer still, and mistakes that are few and costly.
WORST = [
    ("number-knot", "level:3", "highest"),
    ("number-bid", "level:3", "lowest"),
    ("number-knot", "level:3", "lowest"),
]
EVERYTHING = [(game, *meeting) for game in nd.games() for meeting in MEETINGS]
ARENAS, BENCHES = 250, 120


@pytest.mark.parametrize(
    ("cell", "pairs", "sizes"),
    [(cell, 300, [50]) for cell in WORST]
    + [
        pytest.param(cell, 400, [50, 100], marks=pytest.mark.slow, id=f"all {cell}")
        for cell in EVERYTHING
    ],
    ids=str,
)
def test_intervals_hold_the_truth(cell: tuple[str, str, str], pairs: int, sizes: list[int]) -> None:
    bank = bank_of(cell, pairs)
    for size in sizes:
        held = coverage(bank, size, ARENAS)
        assert {"score", "without luck", "loss a decision 1", "accuracy 1"} <= held.keys()
        assert min(held.values()) >= least_allowed(ARENAS), held


def test_intervals_of_benches_and_of_their_comparisons_hold_the_truth() -> None:
    """One that errs rarely, and one that loses nearly always: each alone, and both compared."""
    players = ("careful", "lowest")
    banks = bench_banks("number-bid", 20, positions=150, players=players)
    one, two = ({"number-bid": banks[who]} for who in players)
    for sides, paired in (([one], True), ([two], True), ([one, two], True), ([one, two], False)):
        held = bench_coverage(sides, paired, SIZES["full"], BENCHES)
        assert {("number-bid", COST), ("number-bid", LOSS)} <= held.keys()
        assert min(held.values()) >= least_allowed(BENCHES), held


def test_early_stopping_without_luck_errs_no_more_than_it_says() -> None:
    bank = bank_of(("number-knot", "level:1", "perfect"), 300)
    for true in ("elo0", "elo1"):
        wrong, needed = error_rate(bank, 30, true, True, 100)
        assert wrong <= 0.05
        # It is there to need fewer pairs.
        assert needed < error_rate(bank, 30, true, False, 100)[1]
