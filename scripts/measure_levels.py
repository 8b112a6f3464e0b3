"""Work out exactly what `random` and each level lose to perfect play, and write it down.

    python scripts/measure_levels.py [GAME …]

The figures go to docs/data/levels.json; the largest game takes some minutes and
2 GB of memory. `make test-all` checks the others against it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import number_duels as nd
from number_duels.players.builtin import slip
from number_duels.players.registry import LEVELS
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected_with_errors

PATH = Path(__file__).parent.parent / "docs" / "data" / "levels.json"
SLIPS = {"random": 1.0, **{f"level:{level}": float(slip(level)) for level in LEVELS}}


def measured(name: str) -> dict[str, dict[str, float]]:
    """What each player scores against perfect play in either seat, and loses on average."""
    game = nd.load(name)
    solution = solve(game)
    value = solution.value(game.start())
    as_one = [(slips, 0.0) for slips in SLIPS.values()]
    as_two = [(0.0, slips) for slips in SLIPS.values()]
    found = expected_with_errors(solution, as_one + as_two)
    table = {}
    for who, one, two in zip(SLIPS, found[: len(SLIPS)], found[len(SLIPS) :], strict=True):
        table[who] = {
            "as player 1": round(one, 9),
            "as player 2": round(-two, 9),
            "loss": round(((value - one) + (two - value)) / 2, 9),
        }
    return table


def main() -> None:
    """Measure the games that are named, or all, and keep the others as they are."""
    known = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    for name in sys.argv[1:] or nd.games():
        known[name] = measured(name)
        PATH.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(name, known[name])


if __name__ == "__main__":
    main()
