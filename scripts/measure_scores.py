"""Work out exactly what the built-in players score against each other, and what they lose at most.

    python scripts/measure_scores.py [GAME …]

The figures go to src/number_duels/players/data/scores.json. The largest game
takes some ten minutes and 2 GB of memory; `make test-all` checks the others
against it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import number_duels as nd
from number_duels.players.calibration import SLIPS, ShippedFigures, computed_scores
from number_duels.solvers import solve

PATH = Path(__file__).parents[1] / "src" / "number_duels" / "players" / "data" / "scores.json"
#: Far more digits than anybody needs, and none that rounding alone decides.
DIGITS = 10


def show_progress(fraction: float) -> None:
    print(f"\r{fraction:4.0%}", end="", file=sys.stderr, flush=True)


def measured(game: nd.AnyGame) -> ShippedFigures:
    """The scores of every two players, and what each loses to the best answer."""
    solution = solve(game)
    found = computed_scores(solution, show_progress)
    scores = {one: {two: round(found[one, two], DIGITS) + 0.0 for two in SLIPS} for one in SLIPS}
    losses = {}
    for who, often in SLIPS.items():
        response = nd.best_response(
            game, solution.strategy.with_errors(often), progress=show_progress
        )
        losses[who] = round(response.exploitability, DIGITS)
        print(game.name, who, response)
    return {"settings": game.settings, "scores": scores, "exploitability": losses}


def main() -> None:
    """Measure the games that are named, or all, and keep the others as they are."""
    known = json.loads(PATH.read_text(encoding="utf-8"))
    for name in sys.argv[1:] or nd.games():
        known[name] = [measured(nd.load(name))]
        text = json.dumps(known, indent=1, sort_keys=True)
        PATH.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
