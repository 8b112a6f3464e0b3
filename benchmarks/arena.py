"""How many games an arena plays in a second, and what that is made of.

    python benchmarks/arena.py [--pairs N] [GAME …]

`random` against `random` at every game, on a pool of two workers: games played and graded.
Beside it in the same run, in one process: the bare match loop without grading; games graded
from strategies that are laid out as arrays; and graded state by state, without them.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import number_duels as nd
from number_duels.arena.engines import Pool
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.grading import Grader
from number_duels.arena.results import ResultsFile
from number_duels.arena.schedule import Fixture, Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.core.game import AnyGame
from number_duels.core.runner import play_match
from number_duels.players.external import Limits

WORKERS = 2
ROUNDS = 3


def main() -> None:
    """Measure every game, three times each, and print the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("games", nargs="*", default=nd.games())
    arguments = parser.parse_args()
    games, pairs = arguments.games, arguments.pairs
    print(f"{'games a second':22} {'pool of two':>12} {'bare':>8} {'arrays':>8} {'by state':>9}")
    for name in games:
        game = nd.load(name)
        nd.solve(game)
        rosters = Roster(Limits()), StateByState(Limits())
        rounds = [
            (pool(game, pairs), bare(game, pairs), *(graded(game, pairs, one) for one in rosters))
            for _ in range(ROUNDS)
        ]
        medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
        print("{:22} {:12.0f} {:8.0f} {:8.0f} {:9.0f}".format(name, *medians), flush=True)


def schedule(game: AnyGame, pairs: int) -> Schedule:
    """`random` against itself."""
    return Schedule(named(["random", "again=random"]), (game,), pairs, seed=1)


def pool(game: AnyGame, pairs: int, workers: int = WORKERS) -> float:
    """Games a second on worker processes, from the first game in the file to the last."""
    with tempfile.TemporaryDirectory() as folder:
        file = ResultsFile(Path(folder) / "results.jsonl")
        times: list[float] = []
        Tournament(schedule(game, pairs), file).run(
            Pool(workers, Limits()), lambda _: times.append(time.perf_counter())
        )
    return (len(times) - 1) / (times[-1] - times[0])


def fixtures_of(game: AnyGame, pairs: int) -> list[Fixture]:
    """A part of the games, for one process."""
    what = schedule(game, max(1, pairs // 4))
    return [one for pair in what.pairs_of(*what.pairings()) for one in pair]


class StateByState(Roster):
    """Graders that work every position out from the values."""

    def grader(self, game: AnyGame) -> Grader | None:
        if game not in self._graders:
            self._graders[game] = Grader(nd.solve(game))
        return self._graders[game]


def graded(game: AnyGame, pairs: int, roster: Roster) -> float:
    """Games a second that one process plays and grades, after some that nobody counts."""
    fixtures = fixtures_of(game, pairs)
    for fixture in fixtures[:20]:
        play_fixture(fixture, roster)
    began = time.perf_counter()
    for fixture in fixtures[20:]:
        play_fixture(fixture, roster)
    return len(fixtures[20:]) / (time.perf_counter() - began)


def bare(game: AnyGame, pairs: int) -> float:
    """Games a second of matches alone."""
    fixtures = fixtures_of(game, pairs)
    players = {seat: nd.player("random", game) for seat in nd.Seat}
    began = time.perf_counter()
    for fixture in fixtures:
        play_match(nd.Match(game, fixture.seed, players=fixture.seats), players)
    return len(fixtures) / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
