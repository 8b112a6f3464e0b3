"""Space the levels evenly, and work out exactly what the built-in players score and lose at most.

    python scripts/measure_scores.py [GAME …]

How often each level plays a random move goes to src/number_duels/players/data/slips.json: perfect
play scores five sixths of what it scores against `random` against level 1, then four sixths, and so
on, on average over both seats. What every two players score against each other, and what each
loses to the best reply, goes to scores.json beside it. The largest game takes some ten minutes and
2 GB of memory; `make test-all` checks the others against both files.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from fractions import Fraction
from pathlib import Path

import number_duels as nd
from number_duels.players.calibration import (
    AnySolution,
    ShippedFigures,
    computed_scores,
    error_rates,
)
from number_duels.players.levels import LEVELS, measured_slips
from number_duels.players.registry import BUILT_IN
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected_with_errors

DATA = Path(__file__).parents[1] / "src" / "number_duels" / "players" / "data"
SLIPS, SCORES = DATA / "slips.json", DATA / "scores.json"
#: Far more digits than anybody needs, and none that rounding alone decides.
DIGITS = 10
#: Slips are multiples of one in so many turns.
STEPS = 1000
#: What perfect play scores against each level, as a share of its score against `random`.
TARGETS = [Fraction(len(LEVELS) + 1 - n, len(LEVELS) + 1) for n in LEVELS]
#: How near to its target a level must be.
NEAR = 0.002


def show_progress(fraction: float) -> None:
    print(f"\r{fraction:4.0%}", end="", file=sys.stderr, flush=True)


# ---- how often levels slip -----------------------------------------------------


def even_slips(solution: AnySolution) -> list[Fraction]:
    """Find how often each level must slip, by guesses between what is known already."""
    known = {Fraction(0): 0.0, Fraction(1): lead(solution, [Fraction(1)])[0]}
    while True:
        best = [nearest(known, target) for target in TARGETS]
        guesses = {between(known, target) for target in TARGETS if not near(known, target)}
        new = sorted(guesses - known.keys())
        if not new:
            return best
        known |= dict(zip(new, lead(solution, new), strict=True))


def lead(solution: AnySolution, slips: list[Fraction]) -> list[float]:
    """What perfect play gains on average over both seats by an opponent's slips."""
    rates = [float(slip) for slip in slips]
    pairs = [(0.0, rate) for rate in rates] + [(rate, 0.0) for rate in rates]
    found = expected_with_errors(solution, pairs, show_progress)
    as_one, as_two = found[: len(rates)], found[len(rates) :]
    return [(one - two) / 2 for one, two in zip(as_one, as_two, strict=True)]


def nearest(known: dict[Fraction, float], target: Fraction) -> Fraction:
    wanted = float(target) * known[Fraction(1)]
    return min(known, key=lambda slip: abs(known[slip] - wanted))


def near(known: dict[Fraction, float], target: Fraction) -> bool:
    return abs(known[nearest(known, target)] / known[Fraction(1)] - float(target)) <= NEAR


def between(known: dict[Fraction, float], target: Fraction) -> Fraction:
    """Guess the slip for a target, on the line between the two known ones around it."""
    slips = sorted(known)
    leads = [known[slip] for slip in slips]
    wanted = float(target) * known[Fraction(1)]
    place = bisect_left(leads, wanted)
    share = (wanted - leads[place - 1]) / (leads[place] - leads[place - 1])
    guess = slips[place - 1] + Fraction(share) * (slips[place] - slips[place - 1])
    return Fraction(round(guess * STEPS), STEPS)


# ---- what players score --------------------------------------------------------


def measured(solution: AnySolution) -> ShippedFigures:
    """The scores of every two players, and what each loses to the best answer."""
    game = solution.game
    found = computed_scores(solution, show_progress)
    scores = {
        one: {two: round(found[one, two], DIGITS) + 0.0 for two in BUILT_IN} for one in BUILT_IN
    }
    losses = {}
    for who, often in error_rates(game).items():
        response = nd.best_response(
            game, solution.strategy.with_errors(often), progress=show_progress
        )
        losses[who] = round(response.exploitability, DIGITS)
        print(game.name, who, response)
    return {"settings": game.settings, "scores": scores, "exploitability": losses}


def write(path: Path, name: str, found: object) -> None:
    known = json.loads(path.read_text(encoding="utf-8"))
    known[name] = found
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Measure the games that are named, or all, and keep the others as they are."""
    for name in sys.argv[1:] or nd.games():
        solution = solve(nd.load(name))
        slips = [float(slip) for slip in even_slips(solution)]
        print(name, *slips)
        write(SLIPS, name, slips)
        measured_slips.cache_clear()
        write(SCORES, name, [measured(solution)])


if __name__ == "__main__":
    main()
