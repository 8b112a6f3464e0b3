"""Whether a bench finds what models of known policies lose a decision, over real HTTP.

    python benchmarks/bench_recovery.py [--repetitions 100] [--out docs/data/bench_recovery.json]

Two synthetic models behind a local endpoint (`synthetic_models.py`) are measured again and again,
each time with other cards and other dice. The interval of the total must hold the exact loss in at
least 90 of 100 repetitions, and what they state as a mixture must cost what their policy does.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench_intervals import exact
from known_policies import Pairing, layers_of
from synthetic_models import MODELS, ModelPolicy, endpoint

import number_duels as nd
from number_duels.arena.engines import Task
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.results import GameResult
from number_duels.arena.stats.intervals import Estimate
from number_duels.bench.answers import grade
from number_duels.bench.report import figures_of
from number_duels.bench.results import BenchFile, Results, read_bench
from number_duels.bench.run import Bench, header_of
from number_duels.bench.suite import CORE_1, Size, Suite
from number_duels.core.game import AnyGame, Seat
from number_duels.players.external import Limits
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXTURE

SETTINGS: dict[str, dict[str, int | str]] = {
    "number-knot": {"numbers": 5, "life": 6},
    "high-low-battle": {"cards": 4, "rounds": 3},
}
GAMES: tuple[AnyGame, ...] = tuple(nd.load(name, **own) for name, own in SETTINGS.items())
LADDER = ("random", "level:2")
LEAST_SHARE = 0.9


@cache
def solutions() -> Mapping[AnyGame, AnySolution]:
    return {game: nd.solve(game, cache=False) for game in GAMES}


def exact_loss(model: str) -> float:
    """What a model loses a decision, every game and every rung with the same weight."""
    found = []
    for solution in solutions().values():
        layers = layers_of(solution)
        for rung in LADDER:
            both = [Pairing(layers, model, rung, seat) for seat in Seat]
            found.append(exact(both))
    return sum(found) / len(found)


def measured(model: str, seed: int, size: Size, folder: Path) -> Results:
    """One bench of a model behind an endpoint of its own."""
    with endpoint(seed) as url:
        limits = Limits(seconds=60, url=url, send_key=False)
        roster = Roster(limits)
        try:
            suite = Suite(CORE_1, GAMES, LADDER, size, seed)
            path, who = folder / f"{model}-{seed}.jsonl", f"llm:{model}"
            file = BenchFile(path, header_of(suite, who, limits))
            Bench(suite, who, limits, file).run(OneProcess(roster), solutions(), at_once=2)
            return read_bench(path)
        finally:
            roster.close()


class OneProcess:
    """An engine that plays one game after the other."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        for task in tasks:
            yield [play_fixture(fixture, self.roster) for fixture in task]


def states_its_policy(model: str, results: Results) -> bool:
    """Whether every stated mixture was graded as the model's own policy is."""
    for answer in results.answers.values():
        spot = answer.spot.open()
        odds = ModelPolicy(model, spot.game)(spot.view, spot.seat)
        wanted = grade(solutions()[spot.game], answer.spot, MIXTURE, odds)
        if answer.form == MIXTURE and abs(answer.grade.cost - wanted.cost) > 1e-4:
            return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("docs/data/bench_recovery.json"))
    args = parser.parse_args()
    rows = []
    for model in MODELS:
        truth, began, found = exact_loss(model), perf_counter(), list[Estimate]()
        stated = True
        with TemporaryDirectory() as folder:
            for seed in range(1, args.repetitions + 1):
                results = measured(model, seed, Size(args.pairs, 3), Path(folder))
                total = figures_of(results)[0]
                assert total.loss is not None
                found.append(total.loss)
                stated = stated and states_its_policy(model, results)
        rows.append(row_of(model, truth, found, stated))
        print(f"{rows[-1]} in {perf_counter() - began:.0f} s", flush=True)
    args.out.write_text(json.dumps({"pairs": args.pairs, "models": rows}, indent=1) + "\n")


def row_of(model: str, truth: float, found: Sequence[Estimate], stated: bool) -> dict[str, object]:
    held = sum(one.low <= truth <= one.high for one in found)
    return {
        "model": model,
        "exact": round(truth, 6),
        "repetitions": len(found),
        "held": held,
        "mean": round(sum(one.mean for one in found) / len(found), 6),
        "width": round(sum(one.high - one.low for one in found) / len(found), 6),
        "states_its_policy": stated,
        "enough": held >= LEAST_SHARE * len(found),
        "intervals": [[round(one.low, 6), round(one.high, 6)] for one in found],
    }


if __name__ == "__main__":
    main()
