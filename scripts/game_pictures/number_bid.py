"""Number Bid: why 10 is the only safe first bid, and what a lead allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from matplotlib.figure import Figure

import number_duels as nd
from game_pictures.drawing import EVEN, LOSS, NOTHING, WIN, cells, legend, new_axes
from number_duels.core.history import History
from number_duels.games.number_bid import NumberBid

GAME = NumberBid()
TOP = GAME.numbers


class Facts(TypedDict):
    """What every pair of first bids is worth to Player 1, and what 10 against b makes safe."""

    first: list[list[int]]
    safe: dict[str, list[int]]


def measured() -> Facts:
    """Both matrices, from the solution."""
    solution = nd.solve(GAME)
    matrix = solution.matrix(GAME.start())
    safe = {}
    for low in range(1, TOP):
        state = History.read(GAME, GAME.start(), f"{TOP}/{low}").state
        sure = solution.guarantees(state, nd.Seat.ONE)
        safe[str(low)] = [move.number for move, worst in sure.items() if worst == 1]
    return {"first": [[round(v) for v in row] for row in matrix.values], "safe": safe}


def drawings(facts: Facts) -> Iterator[tuple[str, Figure]]:
    """Who wins after the first bids; which bids keep a win."""
    yield "first", first_bids(facts)
    yield "lead", leads(facts)


def first_bids(facts: Facts) -> Figure:
    numbers = range(1, TOP + 1)
    figure, axes = new_axes(4.9)
    shown = {1: (WIN, "1"), 0: (EVEN, "="), -1: (LOSS, "2")}
    cells(axes, numbers, numbers, lambda row, column: shown[facts["first"][row][column]])
    axes.set_ylabel("Player 1 bids first")
    axes.set_xlabel("Player 2 bids first")
    legend(figure, {"Player 1 wins": WIN, "draw": EVEN, "Player 2 wins": LOSS})
    return figure


def leads(facts: Facts) -> Figure:
    lower, bids = range(1, TOP), range(1, TOP)

    def cell(row: int, column: int) -> tuple[str, str]:
        low, bid = lower[row], bids[column]
        if low == bid:
            return NOTHING, ""
        return (WIN, "✓") if bid in facts["safe"][str(low)] else (LOSS, "")

    figure, axes = new_axes(4.6)
    cells(axes, [f"{TOP}/{n}" for n in lower], bids, cell)
    axes.set_ylabel("the first round")
    axes.set_xlabel("Player 1's next bid")
    legend(figure, {"keeps the win": WIN, "may lose it": LOSS}, 2)
    return figure
