"""Writes the positions of the suites, which then never change.

The seed, the salt, the ladder and the settings of the games are taken from the present file.
"""

from __future__ import annotations

import json
from pathlib import Path

from number_duels.bench.suite import SIZES, SUITES, draw_positions, draw_statements
from number_duels.core.randomness import stream
from number_duels.games import load
from number_duels.solvers import solve

DATA = Path(__file__).parents[1] / "src" / "number_duels" / "bench" / "data"


def main() -> None:
    for name in SUITES:
        write(DATA / f"{name}.json")


def write(path: Path) -> None:
    found = json.loads(path.read_text("utf-8"))
    size = SIZES["full"]
    found["moves"], found["statements"] = {}, {}
    for name, settings in found["games"].items():
        solution = solve(load(name, **settings))
        for kind, draw, count in (
            ("moves", draw_positions, size.positions),
            ("statements", draw_statements, size.statements),
        ):
            spots = draw(solution, count, stream(found["seed"], kind, name))
            found[kind][name] = [[spot.deal, spot.moves, spot.seat + 1] for spot in spots]
            print(name, kind, len(spots))
    path.write_text(dumped(found), "utf-8")


def dumped(found: dict[str, object]) -> str:
    """Return the file, one position per line."""
    return (
        json.dumps(found, indent=1)
        .replace("[\n    ", "[")
        .replace(",\n    ", ", ")
        .replace("\n   ]", "]")
        + "\n"
    )


if __name__ == "__main__":
    main()
