"""Play what docs/data/house_rules.json says, and see whether it comes out; a table of intervals.

    python scripts/simulate_house_rules.py [NAME …]    # some ten minutes for all

It goes to docs/data/house_rules_simulated.json. The games are played by the readable rules, one
move after another, with nothing of the pass over all states that found the exact figures. All
intervals hold together with 99%, so each is as much wider as there are more of them.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

import number_duels as nd
from measure_house_rules import DATA, LEVEL, TRIED, Document, Figures
from number_duels.arena.grading import Grader
from number_duels.players.builtin import slip
from number_duels.review.position import AnySolution, drop_rounding_error
from number_duels.solvers import solve
from number_duels.solvers.induction import RESULTS

SIMULATED = DATA.with_name("house_rules_simulated.json")
GAMES = 20_000
CONFIDENCE = 0.99

Word = Literal[
    "first_turn",
    "draws",
    "turns",
    "spread",
    "first_turn_level",
    "draws_level",
    "matters",
    "dead",
    "luck",
]
#: The figures that are played, and what they are called in the data.
FIGURES: dict[str, Word] = {
    "first turn, perfect": "first_turn",
    "draws, perfect": "draws",
    "turns, perfect": "turns",
    "spread of turns, perfect": "spread",
    "first turn, good": "first_turn_level",
    "draws, good": "draws_level",
    "matters": "matters",
    "dead moves": "dead",
    "luck": "luck",
}

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

    def play(self, rates: tuple[float, float], *, grade: bool = True) -> Played:
        """One game between players who err that often; what is not graded counts as nothing."""
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
                if grade:
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

    def many(self, rates: tuple[float, float]) -> dict[str, Floats]:
        """Many games: what `Played` counts, game by game."""
        played = np.array([self.play(rates) for _ in range(GAMES)])
        return dict(zip(Played._fields, played.T, strict=True))

    def score(self, better: float, worse: float) -> Floats:
        """What the better of two players scores in each of many games, the seats in turn."""
        half = GAMES // 2
        as_one = [self.play((better, worse), grade=False).result for _ in range(half)]
        as_two = [-self.play((worse, better), grade=False).result for _ in range(half)]
        # Two games with the seats exchanged are one trial.
        scores: Floats = 0.5 + (np.array(as_one) + np.array(as_two)) / 4
        return scores


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
    perfect = table.many((0.0, 0.0))
    rate = float(slip(LEVEL))
    level = table.many((rate, rate))
    found = {
        "first turn, perfect": mean(perfect["result"]),
        "draws, perfect": mean(perfect["draw"]),
        "turns, perfect": mean(perfect["turns"]),
        "spread of turns, perfect": deviation(perfect["turns"]),
        "first turn, good": mean(level["result"]),
        "draws, good": mean(level["draw"]),
        "matters": ratio(level["matters"], level["decisions"]),
        "dead moves": ratio(level["wrong"], level["offered"]),
        "luck": luck(level["edge"], level["result"]),
    }
    for label, word in FIGURES.items():
        yield label, known[word], found[label]
    for rung, (worse, better) in enumerate(pairwise(known["ladder"]), 1):
        yield f"score of rung {rung}", 0.6, mean(table.score(better, worse))
    last = mean(table.score(0.0, known["ladder"][-1]))
    yield "score of perfect play", known["last_score"], last


def half_width(check: Check, count: int) -> float:
    """How far a mean may be off if all intervals are to hold together."""
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / count / 2)
    return z * check["error"] + 1e-6  # figures are kept with six digits


def is_inside(check: Check, count: int) -> bool:
    return abs(check["mean"] - check["exact"]) <= half_width(check, count)


def main() -> None:
    """Play one setting of each game that is named, or of all, and keep the others as they are."""
    document: Document = json.loads(DATA.read_text(encoding="utf-8"))
    plan = tomllib.loads(TRIED.read_text(encoding="utf-8"))
    found: list[Check] = []
    if SIMULATED.exists():
        found = json.loads(SIMULATED.read_text(encoding="utf-8"))
    for name in sys.argv[1:] or plan:
        wanted = plan[name]["simulated"]
        (figures,) = (f for f in document["games"][name] if f["settings"] == wanted)
        found = [check for check in found if check["game"] != name] + list(checks(name, figures))
        found.sort(key=lambda check: list(plan).index(check["game"]))
        SIMULATED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(name, len(found), flush=True)
    print("\n".join(lines(found)))


def lines(found: list[Check]) -> Iterator[str]:
    """The table: exact, played, how far that may be off, and whether it is inside."""
    for check in found:
        inside = "inside" if is_inside(check, len(found)) else "OUTSIDE"
        yield (
            f"{check['game']:22} {check['figure']:40} {check['exact']:9.5f} "
            f"{check['mean']:9.5f} ± {half_width(check, len(found)):.5f} {inside}"
        )


if __name__ == "__main__":
    main()
