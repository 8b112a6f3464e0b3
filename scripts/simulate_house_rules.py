"""Play what docs/data/house_rules.json says, and see whether it comes out; a table of intervals.

    python scripts/simulate_house_rules.py    # some ten minutes

It goes to docs/data/house_rules_simulated.json. The games are played by the readable rules, one
move after another, with nothing of the pass over all states that found the exact figures. All
intervals hold together with 99%, so each is as much wider as there are more of them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import NamedTuple, TypedDict

import numpy as np
from measure_house_rules import DATA, LEVEL, TRIED, Document, Figures
from numpy.typing import NDArray

import number_duels as nd
from number_duels.arena.grading import Grader
from number_duels.players.builtin import slip
from number_duels.review.position import AnySolution, drop_rounding_error
from number_duels.solvers import solve
from number_duels.solvers.backward_induction import RESULTS
from number_duels.solvers.perfect_policy import PerfectPolicy

SIMULATED = DATA.with_name("house_rules_simulated.json")
GAMES = 40_000
CONFIDENCE = 0.99

AnyPolicy = PerfectPolicy[Hashable, Hashable, Hashable]
Floats = NDArray[np.float64]


class Check(TypedDict):
    """One figure: exact, as it was played, and how far that may be off."""

    game: str
    settings: dict[str, int | str]
    figure: str
    exact: float
    mean: float
    #: The standard error of the mean.
    error: float


class Played(NamedTuple):
    """What is counted in one game."""

    result: float = 0.0
    draw: float = 0.0
    turns: float = 0.0
    #: What Player 2's mistakes gave, less what Player 1's cost.
    edge: float = 0.0
    decisions: float = 0.0
    matters: float = 0.0
    offered: float = 0.0
    wrong: float = 0.0


@dataclass
class Table:
    """Where games of one solution are played."""

    solution: AnySolution
    rng: Random
    grader: Grader = field(init=False)

    def __post_init__(self) -> None:
        self.solution.open_arrays()
        self.grader = Grader(self.solution)

    def play(self, rates: tuple[float, float]) -> Played:
        """One game between players who err that often."""
        game, perfect = self.solution.game, self.solution.strategy
        policies = [perfect.with_errors(rate) for rate in rates]
        state, counts = game.start(), np.zeros(6)
        while not isinstance(turn := game.turn(state), nd.Outcome):
            if isinstance(turn, nd.Chance):
                (event,) = self.rng.choices(list(turn.odds), list(map(float, turn.odds.values())))
                state = game.drawn(state, event)
                continue
            counts[0] += 1
            moves = {}
            for seat, options in turn.options.items():
                (place,) = self.rng.choices(
                    range(len(options)), policies[seat].weights(state, seat)
                )
                moves[seat] = options[place]
                counts[1:] += self.graded(state, seat, place)
            state = game.resolve(state, moves)
        return Played(RESULTS[turn.winner], float(turn.winner is None), *map(float, counts))

    def graded(self, state: Hashable, seat: nd.Seat, place: int) -> tuple[float, ...]:
        """What one decision adds to `Played`, from the edge on."""
        values = self.grader.node(state).values[seat]
        losses = [drop_rounding_error(max(values) - value) for value in values]
        edge = -losses[place] if seat is nd.Seat.ONE else losses[place]
        wrong = sum(loss > 0 for loss in losses)
        return edge, 1, wrong > 0, len(losses), wrong

    def many(self, rates: tuple[float, float]) -> Floats:
        """Many games, a row for each."""
        return np.array([self.play(rates) for _ in range(GAMES)])

    def score(self, better: float, worse: float) -> Floats:
        """What the better of two players scores in each of many games, the seats in turn."""
        half = GAMES // 2
        as_one = [self.play((better, worse)).result for _ in range(half)]
        as_two = [-self.play((worse, better)).result for _ in range(half)]
        # Two games with the seats exchanged are one trial.
        return 0.5 + (np.array(as_one) + np.array(as_two)) / 4


# ---- estimates -----------------------------------------------------------------


def mean(values: Floats) -> tuple[float, float]:
    """A mean and its standard error."""
    return float(values.mean()), float(values.std()) / sqrt(len(values))


def ratio(above: Floats, below: Floats) -> tuple[float, float]:
    """The ratio of two means, and its standard error to first order."""
    found = above.mean() / below.mean()
    return float(found), mean((above - found * below) / below.mean())[1]


def deviation(values: Floats) -> tuple[float, float]:
    """A standard deviation, and its standard error to first order."""
    squares = (values - values.mean()) ** 2
    found = sqrt(squares.mean())
    return found, mean(squares)[1] / (2 * found) if found else 0.0


def luck(edges: Floats, results: Floats) -> tuple[float, float]:
    """The share of the spread of results that mistakes do not explain."""
    about = results - results.mean()
    found, error = ratio(about * (edges - edges.mean()), about**2)
    return 1 - found, error


def checks(name: str, figures: Figures) -> Iterator[Check]:
    """Every figure of a game with its settings, played."""
    game = nd.load(name, **figures["settings"])
    table = Table(solve(game), Random(f"house rules {name}"))
    for label, exact, (found, error) in estimates(table, figures):
        yield {
            "game": name,
            "settings": figures["settings"],
            "figure": label,
            "exact": exact,
            "mean": round(found, 6) + 0.0,
            "error": round(error, 6),
        }


def estimates(table: Table, known: Figures) -> Iterator[tuple[str, float, tuple[float, float]]]:
    """Each figure: its name, exact, and as it was played."""
    perfect = Played(*table.many((0.0, 0.0)).T)
    rate = float(slip(LEVEL))
    level = Played(*table.many((rate, rate)).T)
    yield "first turn, perfect", known["first_turn"], mean(perfect.result)
    yield "draws, perfect", known["draws"], mean(perfect.draw)
    yield "turns, perfect", known["turns"], mean(perfect.turns)
    yield "spread of turns, perfect", known["spread"], deviation(perfect.turns)
    yield f"first turn, level:{LEVEL}", known["first_turn_level"], mean(level.result)
    yield f"draws, level:{LEVEL}", known["draws_level"], mean(level.draw)
    yield "decisions that matter", known["matters"], ratio(level.matters, level.decisions)
    yield "dead moves", known["dead"], ratio(level.wrong, level.offered)
    yield "luck", known["luck"], luck(level.edge, level.result)
    for rung, (worse, better) in enumerate(pairwise(known["ladder"]), 1):
        yield f"score of rung {rung}", 0.6, mean(table.score(better, worse))
    last = mean(table.score(0.0, known["ladder"][-1]))
    yield "score of perfect play on the last rung", known["last_score"], last


def half_width(check: Check, count: int) -> float:
    """How far a mean may be off if all intervals are to hold together."""
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / count / 2)
    return z * check["error"] + 1e-6  # figures are kept with six digits


def is_inside(check: Check, count: int) -> bool:
    return abs(check["mean"] - check["exact"]) <= half_width(check, count)


def main() -> None:
    """Play one setting of each game."""
    document: Document = json.loads(DATA.read_text(encoding="utf-8"))
    plan = tomllib.loads(TRIED.read_text(encoding="utf-8"))
    found: list[Check] = []
    for name, game in plan.items():
        (figures,) = (f for f in document["games"][name] if f["settings"] == game["simulated"])
        found += checks(name, figures)
        print(name, len(found), flush=True)
    SIMULATED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for check in found:
        inside = "inside" if is_inside(check, len(found)) else "OUTSIDE"
        width = half_width(check, len(found))
        print(
            f"{check['game']:22} {check['figure']:40} {check['exact']:9.5f} "
            f"{check['mean']:9.5f} ± {width:.5f} {inside}"
        )


if __name__ == "__main__":
    main()
