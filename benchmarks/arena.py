"""How many games an arena plays in a second, and what that is made of.

    python benchmarks/arena.py [--pairs N] [GAME …]
    python benchmarks/arena.py --against DIR [--pairs N] [GAME …]

`random` against `random` at every game, on a pool of two workers: games played and graded.
Beside it in the same run, in one process: the bare match loop without grading; games graded
from strategies that are laid out as arrays; and graded state by state, without them.

With another checkout (and its `.venv`, if it has one), whole runs of `duels arena` in both by
turns: games for each second of the processor, all processes and the report counted, the start
of the program and the opening of solutions taken off.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
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
#: The games of a run that only measures how long it takes to start.
START_PAIRS = 10
#: Who meets whom when two checkouts are compared.
MEETINGS = (("random", "again=random"), ("level:1", "perfect"))


def main() -> None:
    """Measure every game, three times each, and print the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--against", type=Path, metavar="DIR")
    parser.add_argument("games", nargs="*", default=nd.games())
    arguments = parser.parse_args()
    if arguments.against:
        compare(arguments.against.resolve(), arguments.games, arguments.pairs)
    else:
        measure(arguments.games, arguments.pairs)


def measure(games: Sequence[str], pairs: int) -> None:
    """What this checkout does, and what that is made of."""
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


class StateByState(Roster):
    """Graders that work every position out from the values."""

    def grader(self, game: AnyGame) -> Grader | None:
        if game not in self._graders:
            self._graders[game] = Grader(nd.solve(game))
        return self._graders[game]


def graded(game: AnyGame, pairs: int, roster: Roster) -> float:
    """Games a second that one process plays and grades, after some that nobody counts."""
    what = schedule(game, max(1, pairs // 4))
    (pairing,) = what.pairings()
    fixtures = [one for pair in what.pairs_of(pairing) for one in pair]
    for fixture in fixtures[:20]:
        play_fixture(fixture, roster)
    began = time.perf_counter()
    for fixture in fixtures[20:]:
        play_fixture(fixture, roster)
    return len(fixtures[20:]) / (time.perf_counter() - began)


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


# ---- two checkouts -----------------------------------------------------------------


@dataclass(frozen=True)
class Checkout:
    """The sources of a version, and a folder of its own for what it solves."""

    folder: Path
    cache: str

    def cpu_seconds(self, game: str, players: Sequence[str], pairs: int) -> float:
        """The processor's time for one run of the command, its workers included."""
        python = self.folder / ".venv" / "bin" / "python"
        with tempfile.TemporaryDirectory() as out:
            command = [
                *(str(python if python.exists() else sys.executable), "-m", "number_duels"),
                *("arena", "--games", game, "--players", *players, "--pairs", str(pairs)),
                *("--workers", str(WORKERS), "--json", "--out", f"{out}/games.jsonl"),
            ]
            own = {"XDG_CACHE_HOME": self.cache, "PYTHONPATH": str(self.folder / "src")}
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                command,
                cwd=self.folder,
                env={**os.environ, **own},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def games_a_second(self, game: str, players: Sequence[str], pairs: int) -> float:
        start = self.cpu_seconds(game, players, START_PAIRS)
        whole = self.cpu_seconds(game, players, START_PAIRS + pairs)
        return 2 * pairs / (whole - start)


def compare(other: Path, games: Sequence[str], pairs: int) -> None:
    """Run both checkouts by turns; the ratio is the median of the ratios of each round."""
    print(f"{'games a CPU second':22} {'players':22} {'other':>8} {'this':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        both = Checkout(other, one), Checkout(Path(__file__).resolve().parents[1], two)
        for name in games:
            for players in MEETINGS:
                for checkout in both:  # solves the game
                    checkout.cpu_seconds(name, players, 1)
                rounds = [
                    [checkout.games_a_second(name, players, pairs) for checkout in both]
                    for _ in range(ROUNDS)
                ]
                before, now = (statistics.median(column) for column in zip(*rounds, strict=True))
                ratio = statistics.median(new / old for old, new in rounds)
                who = " - ".join(word.partition("=")[2] or word for word in players)
                print(f"{name:22} {who:22} {before:8.0f} {now:8.0f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
