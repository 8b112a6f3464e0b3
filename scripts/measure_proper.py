"""Work out what perfect play makes of lost positions, and which moves keep a win; write it down.

    python scripts/measure_proper.py

The figures go to docs/data/proper.json, beside what they were before strategies were
proper, which nothing can work out again. It takes some ten seconds.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import TypedDict

import number_duels as nd
from number_duels.core.history import History
from number_duels.players.calibration import SLIPS
from number_duels.review.position import AnySolution
from number_duels.solvers import kernels, solve
from number_duels.solvers.layered_policies import PolicyKernel

PATH = Path(__file__).parents[1] / "docs" / "data" / "proper.json"


class WonPosition(TypedDict):
    """A position that Player 1 has won, and the moves that were and are called best."""

    game: str
    moves: str
    before: list[str]
    now: list[str]
    #: The moves that keep the win whatever Player 2 chooses.
    keeps: list[str]


class LostPosition(TypedDict):
    """What perfect play scores as Player 2, by who is Player 1."""

    game: str
    moves: str
    before: dict[str, float]
    now: dict[str, float]


class Figures(TypedDict):
    """What `docs/data/proper.json` has."""

    won: list[WonPosition]
    lost: list[LostPosition]
    #: In games between `level:2` players, in percent: see the page.
    shares: dict[str, dict[str, dict[str, float]]]


def solved(name: str, moves: str) -> tuple[AnySolution, Hashable]:
    game = nd.load(name)
    return solve(game), History.read(game, game.start(), moves).state


def best_moves(name: str, moves: str) -> tuple[list[str], list[str]]:
    """Player 1's moves that cost nothing, and those that guarantee the win."""
    solution, state = solved(name, moves)
    values = solution.values(state, nd.Seat.ONE)
    kept = solution.guarantees(state, nd.Seat.ONE)
    return (
        [str(move) for move, value in values.items() if value > max(values.values()) - 1e-9],
        [str(move) for move, value in kept.items() if value > 1 - 1e-9],
    )


def scores(name: str, moves: str) -> dict[str, float]:
    """What perfect play brings Player 2 from a position, against each built-in player."""
    solution, state = solved(name, moves)
    kernel = kernels.find_kernel(solution.game)
    assert isinstance(kernel, PolicyKernel)
    kernel.start = kernel.code(state)
    slips = {who: often for who, often in SLIPS.items() if who != "perfect"}
    found = solution.tables.read(
        lambda sections: kernel.expected_results(
            [(often, 0.0) for often in slips.values()], sections
        )
    )
    return {who: round(0.0 - result, 4) for who, result in zip(slips, found, strict=True)}


def measured(known: Figures) -> Figures:
    """The same positions, as they are played now."""
    won = [
        WonPosition(
            game=p["game"],
            moves=p["moves"],
            before=p["before"],
            now=best_moves(p["game"], p["moves"])[0],
            keeps=best_moves(p["game"], p["moves"])[1],
        )
        for p in known["won"]
    ]
    lost = [
        LostPosition(
            game=p["game"],
            moves=p["moves"],
            before=p["before"],
            now=scores(p["game"], p["moves"]),
        )
        for p in known["lost"]
    ]
    return {"won": won, "lost": lost, "shares": known["shares"]}


def main() -> None:
    known: Figures = json.loads(PATH.read_text(encoding="utf-8"))
    PATH.write_text(json.dumps(measured(known), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
