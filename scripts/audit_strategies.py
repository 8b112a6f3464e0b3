"""Audit what the strategies make of the values, by linear programs that share nothing with them.

    python scripts/audit_strategies.py              # the kept games, as they are judged now
    python scripts/audit_strategies.py --play       # new games first
    python scripts/audit_strategies.py --before     # with an older version on PYTHONPATH

Games between `level:2` players are kept in docs/data/audit.json, so that two versions judge the
same ones; it takes a minute or two. `make test` audits some of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog  # type: ignore[import-untyped]  # it has no type hints

import number_duels as nd
from number_duels.core.notation import read

PATH = Path(__file__).parents[1] / "docs" / "data" / "audit.json"
NAMES = ("number-bid", "high-low-battle")
GAMES = 500
#: What costs less is free, as in a review.
FREE = 1e-7
#: Differences below this are what linear programs leave in doubt.
DOUBT = 1e-6
#: Without presolve, which calls programs infeasible whose equations agree to rounding.
OPTIONS = {
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "presolve": False,
}
SLACK = 1e-10

Floats = NDArray[np.float64]
Matrix = tuple[tuple[float, ...], ...]


class Shares(TypedDict):
    """What an audit finds, in percent; luck as a review counts it."""

    #: Decisions that cost more or less by the choice of the opponent's equilibrium.
    depends: float
    #: Of the moves that cost nothing, those that no equilibrium plays.
    free: float
    #: Of the won positions, those with a move that costs nothing and does not keep the win.
    unsafe: float
    #: The mean size of luck in a game, and the parts of it from turns in which nobody, one
    #: player or both went wrong.
    luck: float
    luck_by_mistakes: list[float]


class Audit(TypedDict):
    """What `docs/data/audit.json` has."""

    games: dict[str, list[str]]
    before: dict[str, Shares]
    now: dict[str, Shares]
    #: The mean size of luck in games of two equal players.
    luck: dict[str, dict[str, float]]


# ---- linear programs -----------------------------------------------------------


def best_mixture(matrix: Floats, least: float, aim: Floats) -> Floats:
    """The mixture of rows with the largest aim that yields a value against every column."""
    found = linprog(
        -aim,
        A_ub=-matrix.T,
        b_ub=np.full(matrix.shape[1], SLACK - least),
        A_eq=np.ones((1, len(matrix))),
        b_eq=[1.0],
        options=OPTIONS,
    )
    assert found.success, found.message
    return np.asarray(found.x)


@cache
def value_of(matrix: Matrix) -> float:
    """The value of a matrix game, to who chooses the row."""
    rows = np.array(matrix)
    height, width = rows.shape
    found = linprog(
        np.append(np.zeros(height), -1.0),
        A_ub=np.hstack([-rows.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=np.append(np.ones(height), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * height + [(None, None)],
        options=OPTIONS,
    )
    assert found.success, found.message
    return float(found.x[-1])


@cache
def costs(matrix: Matrix, row: int) -> tuple[float, float]:
    """The least and the most that a row costs against the optimal mixtures of columns."""
    value, rows = value_of(matrix), np.array(matrix)
    least, most = (
        value - float(rows[row] @ best_mixture(-rows.T, -value, sign * rows[row]))
        for sign in (1, -1)
    )
    return least, most


@cache
def is_in_an_equilibrium(matrix: Matrix, row: int) -> bool:
    """Whether some optimal mixture has a row; if none, some optimal mixture makes it cost."""
    aim = np.eye(len(matrix))[row]
    probability = float(best_mixture(np.array(matrix), value_of(matrix), aim) @ aim)
    cost = costs(matrix, row)[1]
    assert max(probability, cost) > DOUBT > min(probability, cost), (matrix, row)
    return probability > cost


# ---- games ---------------------------------------------------------------------


def play(name: str, who: str, count: int) -> list[str]:
    """The moves of some games between equal players."""
    game = nd.load(name)
    players = {seat: nd.player(who, game) for seat in nd.Seat}
    found = []
    for seed in range(count):
        match = nd.Match(game, seed=seed)
        nd.play_match(match, players)
        found.append(match.record.moves)
    return found


@dataclass(frozen=True)
class Judged:
    """One seat's decision: the matrix of what may follow, and what the options are said to cost."""

    matrix: Matrix
    costs: Sequence[float]
    chosen: int

    @property
    def free(self) -> list[int]:
        return [row for row, cost in enumerate(self.costs) if cost < FREE]

    @property
    def is_won(self) -> bool:
        return value_of(self.matrix) > 1 - DOUBT

    @property
    def is_unsafe(self) -> bool:
        return any(min(self.matrix[row]) < 1 - DOUBT for row in self.free)


@dataclass(frozen=True)
class Turn:
    """A turn of a game: both decisions, and Player 1's luck."""

    decisions: Sequence[Judged]
    luck: float

    @property
    def mistakes(self) -> int:
        return sum(one.costs[one.chosen] >= FREE for one in self.decisions)


def turns(solution: nd.Solution[Hashable, Hashable, Hashable], moves: str) -> Iterator[Turn]:
    """Every turn of a game, judged."""
    game = solution.game
    for step in read(game, game.start(), moves):
        turn = game.turn(step.before)
        assert isinstance(turn, nd.Decision)
        luck = solution.value(step.after) - solution.value(step.before)
        decisions = []
        for seat, options in turn.options.items():
            sign = (1, -1)[seat]
            matrix = tuple(
                tuple(
                    sign * solution.value(game.resolve(step.before, {seat: own, seat.other: other}))
                    for other in turn.options[seat.other]
                )
                for own in options
            )
            values = solution.values(step.before, seat)
            said = [max(values.values()) - values[move] for move in options]
            chosen = options.index(step.moves[seat])
            luck += sign * said[chosen]
            decisions.append(Judged(matrix, said, chosen))
        yield Turn(decisions, luck)


def audit(name: str, games: Iterable[str]) -> Shares:
    """What these games show."""
    solution = nd.solve(nd.load(name))
    played = [list(turns(solution, moves)) for moves in games]
    decisions = [one for game in played for turn in game for one in turn.decisions]
    free = [(one.matrix, row) for one in decisions for row in one.free]
    won = [one for one in decisions if one.is_won]
    depends = [
        one
        for one in decisions
        for least, most in [costs(one.matrix, one.chosen)]
        if most - least > DOUBT
    ]
    return {
        "depends": percent(len(depends), len(decisions)),
        "free": percent(sum(not is_in_an_equilibrium(*one) for one in free), len(free)),
        "unsafe": percent(sum(one.is_unsafe for one in won), len(won)),
        "luck": mean([abs(sum(turn.luck for turn in game)) for game in played]),
        "luck_by_mistakes": [
            mean([sum(abs(t.luck) for t in game if t.mistakes == n) for game in played])
            for n in range(3)
        ],
    }


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def mean(figures: Sequence[float]) -> float:
    return round(sum(figures) / len(figures), 4) + 0.0


def mean_luck(name: str, who: str) -> float:
    """The mean size of luck in games of two equal players."""
    solution = nd.solve(nd.load(name))
    games = [list(turns(solution, moves)) for moves in play(name, who, GAMES)]
    return mean([abs(sum(turn.luck for turn in game)) for game in games])


def main() -> None:
    known: Audit = json.loads(PATH.read_text(encoding="utf-8"))
    if "--play" in sys.argv:
        known["games"] = {name: play(name, "level:2", GAMES) for name in NAMES}
    when: Literal["before", "now"] = "before" if "--before" in sys.argv else "now"
    known[when] = {name: audit(name, known["games"][name]) for name in NAMES}
    if when == "now":
        who = ("perfect", "level:5", "level:4", "level:3", "level:2", "level:1", "random")
        known["luck"] = {name: {one: mean_luck(name, one) for one in who} for name in NAMES}
    PATH.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
