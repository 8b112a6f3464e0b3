"""Ratings recover known strengths, and their intervals hold them as often as they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import inf, log10, sqrt
from random import Random

import pytest
from scipy.optimize import minimize  # type: ignore[import-untyped]  # it has no type hints

from number_duels.arena.stats.ratings import ELO, PairScores, Rating, anchor_ratings, ratings

Maker = Callable[[Random, float], float]
ANCHORS = {"random": 0.0, "level:3": 300.0, "perfect": 700.0}


def share(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def two_games(rng: Random, expected: float) -> float:
    return (rng.random() < expected) + (rng.random() < expected) - 1.0


def all_or_nothing(rng: Random, expected: float) -> float:
    """Whoever wins one game of a pair wins the other: half as much is learnt."""
    return 1.0 if rng.random() < expected else -1.0


def mostly_draws(rng: Random, expected: float) -> float:
    draws = 1.4 * min(expected, 1 - expected)
    wins = expected - draws / 2
    return rng.choices((1.0, 0.0, -1.0), (wins, draws, 1 - wins - draws))[0]


def corrected_for_luck(rng: Random, expected: float) -> float:
    return 2 * expected - 1 + rng.gauss(0, 0.15)


MAKERS = (two_games, all_or_nothing, mostly_draws, corrected_for_luck)


def played(
    truth: dict[str, float],
    meetings: Sequence[tuple[str, str]],
    count: int,
    maker: Maker,
    rng: Random,
) -> list[PairScores]:
    return [
        PairScores(one, two, [maker(rng, share(truth[one] - truth[two])) for _ in range(count)])
        for one, two in meetings
    ]


FIELDS: dict[str, tuple[dict[str, float], dict[str, float], list[tuple[str, str]], int]] = {
    "one player and three anchors": (
        ANCHORS,
        {"x": 450.0},
        [("x", "random"), ("level:3", "x"), ("x", "perfect")],
        20,
    ),
    "three players, some of whom met an anchor": (
        ANCHORS,
        {"x": 100.0, "y": 350.0, "z": 800.0},
        [("x", "random"), ("x", "y"), ("z", "y"), ("y", "level:3"), ("z", "perfect")],
        25,
    ),
    "three players and no anchor": (
        {},
        {"x": -200.0, "y": 50.0, "z": 150.0},
        [("x", "y"), ("y", "z"), ("z", "x")],
        25,
    ),
}


def coverage(field: str, maker: Maker, times: int) -> dict[str, float]:
    anchors, truth, meetings, count = FIELDS[field]
    rng, covered = Random(f"{field}/{maker.__name__}"), dict.fromkeys(truth, 0)
    for _ in range(times):
        found = ratings(played(anchors | truth, meetings, count, maker, rng), anchors)
        for name in truth:
            covered[name] += found[name].low <= truth[name] <= found[name].high
    return {name: number / times for name, number in covered.items()}


@pytest.mark.parametrize(("field", "maker"), list(zip([*FIELDS, *FIELDS], MAKERS, strict=False)))
def test_intervals_cover_the_truth(field: str, maker: Maker) -> None:
    """Every field and every maker once; the long version below takes all of them together."""
    times = 50
    covered = coverage(field, maker, times)
    assert min(covered.values()) > 0.945 - 3 * sqrt(0.05 * 0.95 / times), covered


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("field", FIELDS)
def test_intervals_cover_the_truth_in_thousands_of_tournaments(field: str, maker: Maker) -> None:
    covered = coverage(field, maker, 2000)
    assert min(covered.values()) > 0.945 - 3 * sqrt(0.05 * 0.95 / 2000), covered


def test_intervals_are_not_wider_than_they_must_be() -> None:
    rng, truth = Random(8), ANCHORS | {"x": 450.0}
    meetings = [("x", name) for name in ANCHORS]
    expected = [share(450 - rating) for rating in ANCHORS.values()]
    # What the likelihood allows at best, for two independent games a unit.
    best = 1.96 * ELO / sqrt(sum(2 * 300 * one * (1 - one) for one in expected))
    found = ratings(played(truth, meetings, 300, two_games, rng), ANCHORS)["x"]
    assert 0.9 * best < (found.high - found.low) / 2 < 1.15 * best
    # Where the games of a pair hang together entirely, half as much is learnt.
    found = ratings(played(truth, meetings, 300, all_or_nothing, rng), ANCHORS)["x"]
    assert 1.27 * best < (found.high - found.low) / 2 < 1.6 * best


def test_known_strengths_are_recovered() -> None:
    rng = Random(3)
    truth = {f"player {n}": 60.0 * n for n in range(8)} | {"random": 0.0, "perfect": 500.0}
    meetings = list(combinations(truth, 2))
    found = ratings(
        played(truth, meetings, 1500, two_games, rng), {"random": 0.0, "perfect": 500.0}
    )
    for name, rating in truth.items():
        assert found[name].rating == pytest.approx(rating, abs=12), name
        assert found[name].games == 9 * 1500 * 2
    assert found["perfect"] == Rating(500.0, 500.0, 500.0, 27000)


def test_a_rating_is_the_likeliest_one() -> None:
    rng, names = Random(5), ["a", "b", "c", "d"]
    truth = {"a": 50.0, "b": 300.0, "c": -100.0, "d": 0.0}
    pairings = played(truth, list(combinations(names, 2)), 400, two_games, rng)

    def unlikely(free: Sequence[float]) -> float:
        from numpy import logaddexp

        at: dict[str, float] = {**dict(zip("abc", free, strict=True)), "d": 0.0}
        total = 0.0
        for pairing in pairings:
            off = at[pairing.one] - at[pairing.two]
            points = sum((1 + unit) / 2 for unit in pairing.units)
            total += 400 * float(logaddexp(0, off)) - points * off
        return total

    likeliest = minimize(unlikely, [0.0, 0.0, 0.0], tol=1e-9).x * ELO
    found = ratings(pairings, {"d": 0.0})
    for name, rating in zip("abc", likeliest, strict=True):
        # The prior is one unit in 1200.
        assert found[name].rating == pytest.approx(rating, abs=1.0)


def test_who_wins_everything_may_be_arbitrarily_strong() -> None:
    found = ratings(
        [PairScores("x", "random", [1.0] * 40), PairScores("y", "x", [-1.0] * 40)], ANCHORS
    )
    assert found["x"].high == inf
    assert 200 < found["x"].low < found["x"].rating < 1200
    # y lost everything to x, who has no upper end.
    assert found["y"].low == -inf
    few = ratings([PairScores("x", "random", [1.0] * 5)], ANCHORS)["x"]
    assert few.high == inf
    assert few.low < found["x"].low
    assert few.rating < found["x"].rating
    one = ratings([PairScores("random", "x", [1.0])], ANCHORS)["x"]
    assert (one.low, one.high) == (-inf, inf)
    assert -400 < one.rating < 0


def test_equal_units_are_no_certainty() -> None:
    found = ratings([PairScores("x", "level:3", [0.0] * 50)], ANCHORS)["x"]
    assert found.rating == pytest.approx(300)
    assert 20 < found.high - found.rating < 40
    assert found.high - found.rating == pytest.approx(found.rating - found.low, abs=0.1)


def test_corrected_units_beyond_the_bounds_have_a_finite_rating() -> None:
    found = ratings([PairScores("x", "random", [1.2, 0.9, 1.1, 1.0])], ANCHORS)["x"]
    assert 0 < found.rating < 1000
    assert found.high == inf


def test_sides_and_order_do_not_matter() -> None:
    rng = Random(6)
    truth = ANCHORS | {"x": 200.0, "y": 500.0}
    meetings = [("x", "y"), ("y", "perfect"), ("x", "random")]
    pairings = played(truth, meetings, 30, two_games, rng)
    turned = [
        PairScores(one.two, one.one, [-unit for unit in one.units]) for one in reversed(pairings)
    ]
    # A pairing told in two pieces is the same pairing.
    pieces = [
        PairScores(one.one, one.two, units)
        for one in pairings
        for units in (one.units[:10], one.units[10:])
    ]
    expected = ratings(pairings, ANCHORS)
    for other in (ratings(turned, ANCHORS), ratings(pieces, ANCHORS)):
        for name in ("x", "y"):
            assert other[name].rating == pytest.approx(expected[name].rating, abs=1e-6)
            assert other[name].low == pytest.approx(expected[name].low, abs=0.2)
            assert other[name].high == pytest.approx(expected[name].high, abs=0.2)
            assert other[name].games == expected[name].games


def test_a_group_without_an_anchor_has_a_mean_of_0() -> None:
    rng = Random(7)
    truth = {"x": 900.0, "y": 1000.0, "z": 1300.0, "random": 0.0, "w": 100.0}
    pairings = played(truth, [("x", "y"), ("y", "z"), ("random", "w")], 300, two_games, rng)
    found = ratings([*pairings, PairScores("w", "v", [])], ANCHORS)
    assert sum(found[name].rating for name in "xyz") == pytest.approx(0, abs=1e-3)
    assert found["z"].rating - found["x"].rating == pytest.approx(400, abs=80)
    assert found["w"].rating == pytest.approx(100, abs=60)
    assert found["v"] == Rating(0.0, -inf, inf, 0)


def test_two_players_without_an_anchor_share_their_difference() -> None:
    pairing = PairScores("x", "y", [0.5, -0.5, 1.0, 0.5, 0.0, -0.5] * 5)
    alone, beside = ratings([pairing], {})["x"], ratings([pairing], {"y": 0.0})["x"]
    assert alone.low == pytest.approx(beside.low / 2, abs=0.3)
    assert alone.high == pytest.approx(beside.high / 2, abs=0.3)


def test_nobody_is_rated_against_itself() -> None:
    with pytest.raises(ValueError, match=r"^x cannot be rated from games against itself\.$"):
        ratings([PairScores("x", "x", [0.0])], ANCHORS)


def exact(truth: dict[str, float], first: float) -> dict[tuple[str, str], float]:
    """Exact results by the model, with so much added for sitting first."""
    return {
        (one, two): 2 * share(truth[one] - truth[two]) - 1 + first
        for one in truth
        for two in truth
        if one != two
    }


def test_anchors_are_where_their_exact_results_put_them() -> None:
    truth = {"random": 0.0, "level:1": 120.0, "level:5": 480.0, "perfect": 600.0}
    assert anchor_ratings(exact(truth, 0.0)) == pytest.approx(truth, abs=1e-6)
    # The advantage of the first seat cancels out when both seatings are averaged.
    assert anchor_ratings(exact(truth, 0.05)) == pytest.approx(truth, abs=1e-6)
    raised = anchor_ratings(exact(truth, 0.05), zero="level:1")
    assert raised == pytest.approx({name: at - 120 for name, at in truth.items()}, abs=1e-6)


def test_anchors_that_win_everything_are_1200_ahead() -> None:
    found = anchor_ratings({("random", "perfect"): -1.0, ("perfect", "random"): 1.0})
    assert found == pytest.approx({"random": 0.0, "perfect": 400 * log10(999)})


def test_anchors_that_no_ratings_explain_are_fitted_with_equal_weight() -> None:
    scores = {("random", "a"): -0.6, ("a", "b"): -0.6, ("b", "random"): -0.2}
    found = anchor_ratings(scores | {(two, one): -score for (one, two), score in scores.items()})
    points = {"random": 0.2 + 0.6, "a": 0.8 + 0.2, "b": 0.8 + 0.4}
    for name, rating in found.items():
        expected = sum(share(rating - other) for one, other in found.items() if one != name)
        # At the likeliest ratings everybody has as many points as expected.
        assert expected == pytest.approx(points[name], abs=1e-9)


def test_anchors_need_both_seatings_and_a_way_to_random() -> None:
    with pytest.raises(ValueError, match="perfect as Player 1 against random is missing"):
        anchor_ratings({("random", "perfect"): -0.5})
    with pytest.raises(ValueError, match="link every anchor with random"):
        anchor_ratings({("a", "b"): 0.5, ("b", "a"): -0.5})
    apart = {("a", "b"): 0.5, ("b", "a"): -0.5, ("c", "random"): 0.5, ("random", "c"): -0.5}
    with pytest.raises(ValueError, match="link every anchor with random"):
        anchor_ratings(apart)
