"""How often the intervals of `duels bench` hold what a decision really costs.

    python benchmarks/bench_intervals.py [--out docs/data/bench_intervals.json]

Players of known policies against every rung of the ladder: the exact loss a decision is computed,
400 benches are drawn at 50 and at 100 pairs, and each has the interval that the bench would print.
A cell is a player at a game against a rung, at a game against all of them, or over all games. It
fails if its coverage is below 93% by more than chance (one-sided binomial, 1%).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from batch_intervals import least_allowed
from known_policies import Floats, Pairing, game_of, layers_of

import number_duels as nd
from number_duels.arena.stats.intervals import Estimate, combined
from number_duels.arena.stats.scores import Decisions, Stratum, Unit
from number_duels.bench.suite import core_1
from number_duels.core.game import Seat

REPETITIONS = 400
SIZES = (50, 100)
PLAYERS = ("random", "steep", "level:1", "level:3")
#: Smaller than in the suite: with these a whole game is laid out in seconds.
SETTINGS: dict[str, dict[str, int | str]] = {
    "number-bid": {"numbers": 8},
    "high-low-battle": {"cards": 7, "rounds": 4},
    "number-knot": {"numbers": 7, "life": 8},
    "number-drop": {"side": 2},
    "number-stack-showdown": {"target": 15, "highest": 5, "copies": 2},
}
#: By size, the intervals of all repetitions.
Intervals = dict[int, list[Estimate]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/data/bench_intervals.json"))
    parser.add_argument("--games", nargs="+", default=list(nd.games()))
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    args = parser.parse_args()
    began = perf_counter()
    cells: list[dict[str, object]] = []
    totals: dict[str, list[tuple[float, Intervals]]] = {player: [] for player in PLAYERS}
    for name in args.games:
        game = game_of(name, **SETTINGS.get(name, {}))
        layers = layers_of(nd.solve(game))
        print(f"{name}: laid out after {perf_counter() - began:.0f} s", flush=True)
        for number, player in enumerate(PLAYERS):
            rungs = []
            for rung in core_1().ladder:
                pairings = [Pairing(layers, player, rung, seat) for seat in Seat]
                truth = exact(pairings)
                rng = np.random.default_rng([number, len(cells)])
                found = drawn_intervals(pairings, args.repetitions, rng)
                rungs.append((truth, found))
                cells += cells_of((name, player, rung), truth, found)
            truth, found = mean_of(rungs)
            totals[player].append((truth, found))
            cells += cells_of((name, player, "all rungs"), truth, found)
            print(f"  {player} after {perf_counter() - began:.0f} s", flush=True)
        args.out.write_text(written(cells, args.repetitions))
    for player, games in totals.items():
        cells += cells_of(("all games", player, "all rungs"), *mean_of(games))
    args.out.write_text(written(cells, args.repetitions))
    print_table(cells, args.repetitions)


def exact(pairings: Sequence[Pairing]) -> float:
    found = [pairing.exact() for pairing in pairings]
    return sum(lost for lost, _ in found) / sum(decisions for _, decisions in found)


def drawn_intervals(
    pairings: Sequence[Pairing], repetitions: int, rng: np.random.Generator
) -> Intervals:
    most = max(SIZES)
    pairs = sum(pairing.play(repetitions * most, rng) for pairing in pairings)
    assert not isinstance(pairs, int)
    benches = pairs.reshape(repetitions, most, -1)
    return {size: [interval(bench[:size]) for bench in benches] for size in SIZES}


def interval(pairs: Floats) -> Estimate:
    """What the bench prints for these pairs of games."""
    units = [Unit(0.0, None, (Decisions(*row), Decisions())) for row in pairs.tolist()]
    found = Stratum(1.0, units).loss_per_decision()
    assert found is not None
    return found


def mean_of(parts: Sequence[tuple[float, Intervals]]) -> tuple[float, Intervals]:
    """The same weight for every part, as in the totals of a bench."""
    share = 1 / len(parts)
    return sum(truth for truth, _ in parts) * share, {
        size: [
            combined([(share, one) for one in together])
            for together in zip(*(found[size] for _, found in parts), strict=True)
        ]
        for size in SIZES
    }


def cells_of(
    place: tuple[str, str, str], truth: float, found: Intervals
) -> list[dict[str, object]]:
    names = dict(zip(("game", "player", "against"), place, strict=True))
    cells: list[dict[str, object]] = []
    for size, intervals in found.items():
        held = sum(one.low - 1e-12 <= truth <= one.high + 1e-12 for one in intervals)
        wide = sum(one.high - one.low for one in intervals) / len(intervals)
        figures = {"exact": round(truth, 6), "held": held, "width": round(wide, 6)}
        cells.append({**names, "pairs": size, **figures})
    return cells


def written(cells: Sequence[Mapping[str, object]], repetitions: int) -> str:
    least = least_allowed(repetitions)
    head = {"repetitions": repetitions, "least": round(least, 6), "settings": SETTINGS}
    lines = ",\n  ".join(json.dumps(cell) for cell in cells)
    return f'{json.dumps(head)[:-1]},\n "cells": [\n  {lines}\n ]}}\n'


def print_table(cells: Sequence[Mapping[str, object]], repetitions: int) -> None:
    """A line for each player and size."""
    least = least_allowed(repetitions)
    print("| player | pairs | cells | mean | worst | where | too low |")
    print("|---|---|---|---|---|---|---|")
    for player in PLAYERS:
        for size in SIZES:
            own = [c for c in cells if c["player"] == player and c["pairs"] == size]
            shares = [int(str(cell["held"])) / repetitions for cell in own]
            low = own[shares.index(min(shares))]
            failed = sum(share < least for share in shares)
            mean = sum(shares) / len(shares)
            print(
                f"| `{player}` | {size} | {len(own)} | {mean:.1%} | {min(shares):.1%} |"
                f" {low['game']}, {low['against']} | {failed} |"
            )


if __name__ == "__main__":
    main()
