"""Work out what perfect play makes of lost positions, and write it down.

    python scripts/measure_proper.py            # positions: some ten seconds
    python scripts/measure_proper.py --ties     # also what depends on the choice among equal moves

The figures go to docs/data/proper.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable
from math import fsum
from pathlib import Path
from typing import TypedDict

import number_duels as nd
from number_duels.core.history import History
from number_duels.players.calibration import error_rates, exact_scores
from number_duels.players.registry import BUILT_IN
from number_duels.review.position import AnySolution
from number_duels.solvers import kernels, solve
from number_duels.solvers.best_response import next_states
from number_duels.solvers.layered_method import LayeredMethod

PATH = Path(__file__).parents[1] / "docs" / "data" / "proper.json"
WHO = [who for who in BUILT_IN if who != "perfect"]


class LostPosition(TypedDict):
    """What perfect play scores as Player 2, by who is Player 1."""

    game: str
    moves: str
    scores: dict[str, float]


class Figures(TypedDict):
    """What `docs/data/proper.json` has."""

    lost: list[LostPosition]
    #: The least and the most that `random` loses to perfect play, by the choice among equal moves.
    ties: dict[str, list[float]]


def solved(name: str, moves: str) -> tuple[AnySolution, Hashable]:
    game = nd.load(name)
    return solve(game), History.read(game, game.start(), moves).state


def scores(name: str, moves: str) -> dict[str, float]:
    """What perfect play brings Player 2 from a position, against each built-in player."""
    if not moves:
        known = exact_scores(nd.load(name))
        return {who: round(0.0 - known[who, "perfect"], 4) for who in WHO}
    solution, state = solved(name, moves)
    kernel = kernels.find_kernel(solution.game)
    if isinstance(kernel, LayeredMethod):
        kernel.start, kernel.first = kernel.code(state), kernel.mover(state)
        found = solution.tables.read(
            lambda sections: kernel.expected_results(
                [(rate, 0.0) for rate in slips(solution)], sections
            )
        )
    else:
        found = expected_from(solution, state, {})
    return {who: round(0.0 - result, 4) for who, result in zip(WHO, found, strict=True)}


def slips(solution: AnySolution) -> list[float]:
    rates = error_rates(solution.game)
    return [rates[who] for who in WHO]


def expected_from(
    solution: AnySolution, state: Hashable, known: dict[Hashable, list[float]]
) -> list[float]:
    """Player 1's result from a position with few to follow, if it is each built-in player."""
    key, turn = solution.game.key(state), solution.game.turn(state)
    if isinstance(turn, nd.Outcome):
        return [solution.value(state)] * len(WHO)
    if key not in known:
        perfect = solution.strategy
        pairs = [(perfect.with_errors(rate), perfect) for rate in slips(solution)]
        after = [
            (odds, expected_from(solution, then, known))
            for then, odds in next_states(solution.game, state, turn, pairs)
        ]
        known[key] = [fsum(odds[n] * v[n] for odds, v in after) for n in range(len(pairs))]
    return known[key]


# ---- the choice among equal moves ----------------------------------------------


def ties(name: str) -> list[float]:
    """The least and the most that `random` loses to perfect play, on average over both seats."""
    game = nd.load(name)
    solution: AnySolution = solve(game)
    found = []
    for seat in nd.Seat:
        value = (1, -1)[seat] * solution.value(game.start())
        found.append([end - value for end in range_from(solution, game.start(), seat, {})])
    return [round(fsum(ends) / len(found), 6) for ends in zip(*found, strict=True)]


def range_from(
    solution: AnySolution,
    state: Hashable,
    seat: nd.Seat,
    known: dict[Hashable, tuple[float, float]],
) -> tuple[float, float]:
    """The least and the most that a seat's best moves bring against `random`, seats in turn."""
    game, sign = solution.game, (1, -1)[seat]
    key, turn = game.key(state), game.turn(state)
    if not isinstance(turn, nd.Decision):
        return sign * solution.value(state), sign * solution.value(state)
    if key not in known:
        ((mover, options),) = turn.options.items()
        after = [game.resolve(state, {mover: move}) for move in options]
        if mover is seat:
            best = max(sign * solution.value(then) for then in after)
            after = [then for then in after if sign * solution.value(then) >= best]
        lows, highs = zip(*(range_from(solution, s, seat, known) for s in after), strict=True)
        if mover is seat:
            known[key] = min(lows), max(highs)
        else:
            known[key] = fsum(lows) / len(lows), fsum(highs) / len(highs)
    return known[key]


def measured(known: Figures) -> Figures:
    """The same positions, as they are played now."""
    lost = [
        LostPosition(game=p["game"], moves=p["moves"], scores=scores(p["game"], p["moves"]))
        for p in known["lost"]
    ]
    return {"lost": lost, "ties": known["ties"]}


def main() -> None:
    known: Figures = json.loads(PATH.read_text(encoding="utf-8"))
    if "--ties" in sys.argv:
        known["ties"] = {name: ties(name) for name in known["ties"]}
    PATH.write_text(json.dumps(measured(known), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
