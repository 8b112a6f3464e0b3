"""How many games an arena plays in a second, and what that is made of.

    python benchmarks/arena.py [--pairs N]

`random` against `random` at every game, on a pool of two workers: games played and graded,
and, beside it in the same run, the bare match loop of one process without grading.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import number_duels as nd
from number_duels.arena.results_file import ResultsFile
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture, Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.arena.workers import Pool
from number_duels.core.game import AnyGame
from number_duels.core.runner import play_match
from number_duels.players.external import Limits

WORKERS = 2


def main() -> None:
    """Measure every game, three times each, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    pairs = parser.parse_args().pairs
    print(f"{'game':22} {'pool of two, graded':>20} {'one process, bare':>18} {'ratio':>6}")
    for name in nd.games():
        game = nd.load(name)
        nd.solve(game)
        rounds = [(pool(game, pairs), bare(game, pairs)) for _ in range(3)]
        graded, plain = (statistics.median(column) for column in zip(*rounds, strict=True))
        print(f"{name:22} {graded:13.0f} games/s {plain:11.0f} games/s {graded / plain:6.2f}")


def schedule(game: AnyGame, pairs: int) -> Schedule:
    """`random` against itself."""
    return Schedule(named(["random", "again=random"]), (game,), pairs, seed=1)


def pool(game: AnyGame, pairs: int) -> float:
    """Games a second on worker processes, from the first game in the file to the last."""
    with tempfile.TemporaryDirectory() as folder:
        file = ResultsFile(Path(folder) / "results.jsonl")
        times: list[float] = []
        Tournament(schedule(game, pairs), file).run(
            Pool(WORKERS, Limits()), lambda _: times.append(time.perf_counter())
        )
    return (len(times) - 1) / (times[-1] - times[0])


def bare(game: AnyGame, pairs: int) -> float:
    """Games a second of matches alone."""
    what, roster = schedule(game, max(1, pairs // 4)), Roster(Limits())
    (pairing,) = what.pairings()
    fixtures: list[Fixture] = [one for pair in what.pairs_of(pairing) for one in pair]
    players = {
        nd.Seat.ONE: roster.player(pairing.one, game),
        nd.Seat.TWO: roster.player(pairing.two, game),
    }
    began = time.perf_counter()
    for fixture in fixtures:
        play_match(nd.Match(game, fixture.seed, players=fixture.seats), players)
    return len(fixtures) / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
