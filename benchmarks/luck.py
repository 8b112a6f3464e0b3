"""How many games the correction for luck saves, game by game.

    python benchmarks/luck.py [--pairs N]

Some pairings of built-in players, whose exact results are known: the plain and the corrected
score beside the exact one, each with its standard error, and the ratio of the variances.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import fmean, stdev, variance

import number_duels as nd
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.stats.scores import Unit, corrected, unit_of
from number_duels.core.game import AnyGame
from number_duels.players.calibration import exact_scores
from number_duels.players.external import Limits

MEETINGS = (("level:1", "random"), ("perfect", "random"), ("perfect", "level:2"))


def main() -> None:
    """Measure every game and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    pairs = parser.parse_args().pairs
    head = f"{'exact':>7} {'plain':>15} {'without luck':>15} {'fewer':>7}"
    print(f"{'game':22} {'meeting':18} {head}")
    for name in nd.games():
        game = nd.load(name)
        exact = exact_scores(game)
        for one, two in MEETINGS:
            truth = (exact[one, two] - exact[two, one]) / 2
            units = met(game, one, two, pairs)
            plain, without = [unit.result for unit in units], corrected(units) or []
            ratio = variance(plain) / variance(without) if variance(without) else float("inf")
            print(
                f"{name:22} {one + ' - ' + two:18} {truth:7.3f} {figure(plain):>15}"
                f" {figure(without):>15} {ratio:6.1f}x"
            )


def figure(found: list[float]) -> str:
    """A mean and its standard error."""
    return f"{fmean(found):6.3f} ± {stdev(found) / sqrt(len(found)):.3f}"


def met(game: AnyGame, one: str, two: str, pairs: int) -> list[Unit]:
    """Pairs of games between two players."""
    schedule, roster = Schedule(named([one, two]), (game,), pairs, seed=1), Roster(Limits())
    (pairing,) = schedule.pairings()
    found = []
    for pair in schedule.pairs_of(pairing):
        first, second = (play_fixture(fixture, roster) for fixture in pair)
        found.append(unit_of(first, second))
    return found


if __name__ == "__main__":
    main()
