"""Positions to train on: exact, split without leaks, and none of the bench's."""

from __future__ import annotations

from collections import Counter

import pytest

import number_duels as nd
from number_duels.bench.dataset import (
    SPLITS,
    TEST,
    bench_positions,
    draw_dataset,
    position_id,
    row_of,
    split_of,
)
from number_duels.bench.suite import find_suite
from number_duels.core.game import AnyGame
from number_duels.trainer.spot import OpenSpot, Spot
from tests.bench.benches import solutions

KNOT, BID = (nd.load(name) for name in ("number-knot", "number-bid"))


def keys(spots: tuple[Spot, ...]) -> set[object]:
    return {spot.open().game.key(spot.open().state) for spot in spots}


def test_a_row_has_the_exact_solution_in_the_order_of_the_prompt() -> None:
    for solution in solutions().values():
        for spot in draw_dataset(solution, 10, seed=3):
            row, at = row_of(solution, spot), spot.open()
            values, mixed = (
                {str(move): found for move, found in exact(at.state, at.seat).items()}
                for exact in (solution.values, solution.strategy)
            )
            guarantees = solution.guarantees(at.state, at.seat)
            legal = list(map(str, at.options))
            assert row["legal"] == legal
            assert row["values"] == pytest.approx([values[move] for move in legal])
            assert row["guarantees"] == pytest.approx([guarantees[move] for move in at.options])
            assert row["probabilities"] == pytest.approx([mixed[move] for move in legal])
            top = max(values.values())
            best = [move for move in legal if values[move] > top - 1e-7]
            assert isinstance(row["best"], list)
            assert sorted(row["best"]) == sorted(best)
            _, _, offered = str(row["prompt"]).partition("\nYOUR LEGAL MOVES\n")
            lines = offered.partition("\n\n")[0].splitlines()
            assert [line.partition(": ")[0] for line in lines] == legal
            assert Spot.from_json(row) == spot


@pytest.mark.parametrize("game", [KNOT, BID], ids=["turns", "both choose at once"])
def test_no_position_is_in_both_splits_whatever_the_seed(game: AnyGame) -> None:
    solution = nd.solve(game)
    drawn = {
        split: keys(draw_dataset(solution, 60, seed, split))
        for seed, split in enumerate(SPLITS, start=1)
    }
    assert not drawn["train"] & drawn["test"]


def test_both_seats_of_a_position_are_in_one_split() -> None:
    for spot in draw_dataset(nd.solve(BID), 50, seed=1):
        at = spot.open()
        assert split_of(OpenSpot(at.game, at.history, at.seat.other)) == split_of(at)


def test_about_a_fifth_is_for_testing() -> None:
    counted = Counter(split_of(spot.open()) for spot in draw_dataset(nd.solve(KNOT), 500, seed=1))
    assert 70 <= counted[TEST] <= 130


def test_no_position_of_the_bench_is_among_them() -> None:
    suite = find_suite()
    fixed = {
        position_id(spot.open())
        for spot in (*suite.moves, *suite.statements)
        if spot.game == BID.name
    }
    assert bench_positions(BID) == fixed
    drawn = draw_dataset(nd.solve(BID), 500, seed=suite.seed)
    assert not fixed & {position_id(spot.open()) for spot in drawn}
    assert bench_positions(nd.load(BID.name, numbers=9)) == set()


def test_a_seed_decides_what_is_drawn() -> None:
    solution = nd.solve(KNOT)
    assert draw_dataset(solution, 20, 1) == draw_dataset(solution, 20, 1)
    assert draw_dataset(solution, 20, 1) != draw_dataset(solution, 20, 2)
