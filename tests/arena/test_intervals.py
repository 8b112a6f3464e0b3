"""Intervals hold the truth as often as they say, and are no wider than they must be."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from math import exp, inf, lgamma, log
from random import Random

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no type hints

from number_duels.arena.stats.intervals import (
    Estimate,
    combined,
    estimate,
    estimate_corrected,
    estimate_ratio,
    fewer_games,
    student_quantile,
)

#: Pair means of games without draws, with draws, decided, nearly certain, by rare disasters.
RESULTS = (-1.0, -0.5, 0.0, 0.5, 1.0)
SHAPES: dict[str, tuple[float, ...]] = {
    "even": (0.25, 0.0, 0.5, 0.0, 0.25),
    "all or nothing": (0.3, 0.0, 0.0, 0.0, 0.7),
    "drawish": (0.02, 0.1, 0.7, 0.13, 0.05),
    "strong": (0.0, 0.03, 0.12, 0.25, 0.6),
    "always draws but for rare losses": (0.03, 0.0, 0.97, 0.0, 0.0),
    "always wins but for rare losses": (0.02, 0.0, 0.0, 0.0, 0.98),
    "always wins but for rare draws": (0.0, 0.0, 0.0, 0.01, 0.99),
    "half wins, rarely a loss": (0.1, 0.0, 0.0, 0.9, 0.0),
    "certain": (0.0, 0.0, 0.0, 0.0, 1.0),
}


def mean_of(odds: tuple[float, ...]) -> float:
    return sum(result * odd for result, odd in zip(RESULTS, odds, strict=True))


def exact_coverage(odds: tuple[float, ...], count: int) -> float:
    """How often the interval of so many units holds the mean: every sample, with its odds."""
    covered = 0.0
    possible = [(result, odd) for result, odd in zip(RESULTS, odds, strict=True) if odd]
    places = len(possible) - 1
    for bars in combinations(range(count + places), places):
        edges = (-1, *bars, count + places)
        counts = [after - before - 1 for before, after in pairwise(edges)]
        chance = lgamma(count + 1)
        units: list[float] = []
        for (result, odd), times in zip(possible, counts, strict=True):
            chance += times * log(odd) - lgamma(times + 1)
            units += [result] * times
        found = estimate(units)
        covered += exp(chance) * (found.low - 1e-12 <= mean_of(odds) <= found.high + 1e-12)
    return covered


@pytest.mark.parametrize("count", [2, 5, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", SHAPES)
def test_few_units_cover_the_truth_exactly_computed(shape: str, count: int) -> None:
    assert exact_coverage(SHAPES[shape], count) > 0.945


def simulated_coverage(
    draw: Callable[[Random], float], truth: float, count: int, times: int
) -> float:
    rng, covered = Random(f"{count}/{times}"), 0
    for _ in range(times):
        found = estimate([draw(rng) for _ in range(count)])
        covered += found.low - 1e-12 <= truth <= found.high + 1e-12
    return covered / times


@pytest.mark.parametrize("times", [150, pytest.param(4000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("count", [20, 200])
@pytest.mark.parametrize("shape", SHAPES)
def test_many_units_cover_the_truth(shape: str, count: int, times: int) -> None:
    odds = SHAPES[shape]
    covered = simulated_coverage(
        lambda rng: rng.choices(RESULTS, odds)[0], mean_of(odds), count, times
    )
    # Three standard errors below 94.5%: pair means are a lattice, and no interval is exact on it.
    assert covered > 0.945 - 3 * (0.05 * 0.95 / times) ** 0.5


def without_half_the_luck(rng: Random) -> tuple[float, float]:
    """A result, and the same less what its luck brought."""
    luck = rng.choice((-1.0, 0.0, 1.0))
    result = max(-1.0, min(1.0, luck + rng.choice((0.0, 0.5))))
    return result, result - 0.75 * luck


def test_few_pairs_or_equal_ones_have_the_plain_score() -> None:
    rng = Random(1)
    pairs = [without_half_the_luck(rng) for _ in range(200)]
    plain, without = ([pair[side] for pair in pairs] for side in (0, 1))
    enough, few = estimate_corrected(plain, without), estimate_corrected(plain[:49], without[:49])
    assert enough.high - enough.low < 0.8 * width(estimate(plain))
    assert few == estimate(plain[:49])
    # Nine unusual pairs do not show what the tenth may bring.
    rare = [1.0] * 191 + [0.0] * 9
    found = estimate_corrected(rare, [0.95] * 200)
    assert found == estimate(rare)


def test_corrected_results_that_do_not_vary_are_not_certain() -> None:
    """Four virtual units among them vary as the plain ones do."""
    plain, without = [1.0, -1.0] * 50, [0.25] * 100
    found = estimate_corrected(plain, without)
    error = (4 / 100 * float(stats.tvar(plain)) / 100) ** 0.5
    assert (found.high - found.mean) / error == pytest.approx(stats.t.ppf(0.975, 99))
    # With 6% of the variance gone the correction does not count.
    assert width(estimate_corrected(plain, [0.97 * unit for unit in plain])) == width(
        estimate(plain)
    )


def test_no_score_is_above_all_or_below_nothing() -> None:
    plain, without = [1.0, 0.5] * 40, [1.3, 1.2] * 40
    found = estimate_corrected(plain, without)
    assert found.mean == found.high == 1.0
    assert found.low <= 1.0
    turned = estimate_corrected([-unit for unit in plain], [-unit for unit in without])
    assert (turned.mean, turned.high) == (-1.0, -found.low)


def width(found: Estimate) -> float:
    return found.high - found.low


def test_a_tail_of_one_side_is_nearer() -> None:
    units = [0.5, 1.0, 0.0, 0.5] * 20
    assert estimate(units).low < estimate(units, tail=0.05).low < 0.5


def test_a_ratio_of_sums_is_what_pairs_vary_about() -> None:
    rng = Random(9)
    bottoms = [float(rng.randint(5, 15)) for _ in range(400)]
    tops = [0.1 * own + rng.gauss(0, 0.2) for own in bottoms]
    found = estimate_ratio(tops, bottoms, 0.5, 2.0)
    assert found is not None
    assert found.mean == pytest.approx(sum(tops) / sum(bottoms))
    error = 0.2 / 20 / (sum(bottoms) / 400)
    assert width(found) / 2 == pytest.approx(1.96 * error, rel=0.25)
    assert estimate_ratio([0.0], [0.0], 0.0, 2.0) is None


def test_who_lost_nothing_yet_may_still_lose_something() -> None:
    found = estimate_ratio([0.0] * 50, [10.0] * 50, 1.0, 2.0)
    assert found is not None
    assert (found.mean, found.low) == (0.0, 0.0)
    # A mistake that costs 1 and comes once in 14 pairs stays away for 50 pairs one time in 40.
    assert 1 / 14 / 10 < found.high < 2 / 14 / 10
    # Eight virtual pairs, each off by one mistake.
    error = (8 / 50 * (1 / 10) ** 2 / 50) ** 0.5
    assert found.high / error == pytest.approx(stats.t.ppf(0.975, 49))


def test_means_are_combined_with_equal_weight_however_many_units_they_have() -> None:
    few, many = estimate([1.0, 0.0] * 10), estimate([-1.0, -0.5] * 500)
    found = combined([(0.5, few), (0.5, many)])
    assert found.mean == pytest.approx((0.5 - 0.75) / 2)
    assert found.count == 1020
    # Nearly all doubt is that of the few.
    assert width(found) == pytest.approx(width(few) / 2, rel=0.02)


def test_where_units_vary_it_is_hardly_wider_than_students() -> None:
    rng = Random(1)
    for count, most in ((20, 1.25), (200, 1.03)):
        units = [rng.choice(RESULTS) for _ in range(count)]
        found = estimate(units)
        low, high = stats.t.interval(0.95, count - 1, *mean_and_error(units))
        assert low >= found.low - 1e-12
        assert high <= found.high + 1e-12
        assert found.high - found.low < most * (high - low)


def mean_and_error(units: list[float]) -> tuple[float, float]:
    return sum(units) / len(units), float(stats.sem(units))


@pytest.mark.parametrize("count", [5, 20, 200])
def test_equal_units_are_as_sure_as_the_exact_binomial_interval(count: int) -> None:
    found = estimate([1.0] * count)
    exact = 2 * stats.binomtest(count, count).proportion_ci(0.95, "exact").low - 1
    assert found.high == 1.0
    # Wider than the exact one, by less than a third of its width.
    assert exact - (1 - exact) / 3 < found.low < exact
    # Dust of the arithmetic is no variance.
    dusty = estimate([1.0 - 1e-13 * (n % 2) for n in range(count)])
    assert dusty.low == pytest.approx(found.low)


def test_equal_units_in_the_middle_leave_room_on_both_sides() -> None:
    found = estimate([0.0] * 20)
    assert -found.low == pytest.approx(found.high)
    # 0.168 is the odds of a loss that would be missed in 20 games once in 40 times.
    assert 0.168 < found.high < 0.2


def test_one_unit_says_nearly_nothing_and_none_nothing() -> None:
    assert (estimate([0.5]).low, estimate([0.5]).high) == (-1.0, 1.0)
    assert (estimate([]).low, estimate([]).high, estimate([]).count) == (-1.0, 1.0, 0)
    assert estimate_corrected([0.5], [1.4]) == estimate([0.5])


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 10, 29, 100, 199, 200, 201, 202, 1000, 10**6])
@pytest.mark.parametrize("probability", [0.025, 0.6, 0.95, 0.975, 0.999])
def test_quantiles_are_students(freedom: int, probability: float) -> None:
    truth = float(stats.t.ppf(probability, freedom))
    assert student_quantile(probability, freedom) == pytest.approx(truth, rel=1e-9)


def test_quantiles_refuse_what_has_none() -> None:
    for probability, freedom in ((0.975, 0), (0.0, 5), (1.0, 5)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            student_quantile(probability, freedom)


def test_fewer_games_is_the_ratio_of_the_variances() -> None:
    plain, corrected = [1.0, -1.0, 1.0, -1.0], [0.25, -0.25, 0.25, -0.25]
    assert fewer_games(plain, corrected) == pytest.approx(16)
    assert fewer_games(corrected, plain) == pytest.approx(1 / 16)
    assert fewer_games(plain, [0.1, 0.1 + 1e-12, 0.1]) == inf
    assert fewer_games([0.0, 0.0], [0.0, 0.0]) == 1.0
    assert fewer_games([0.0, 0.0], plain) == 0.0
    assert fewer_games([1.0], corrected) == 1.0


def test_fewer_games_means_what_it_says() -> None:
    rng = Random(2)
    plain = [rng.choice((-0.5, 0.5)) for _ in range(4000)]
    corrected = [rng.choice((-0.25, 0.25)) for _ in range(4000)]
    times = fewer_games(plain, corrected)
    few = estimate(corrected[: round(4000 / times)])
    assert width(few) == pytest.approx(width(estimate(plain)), rel=0.1)
