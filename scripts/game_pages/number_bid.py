"""Number Bid: why 10 is the only safe first bid, and what a lead allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from matplotlib.figure import Figure

import number_duels as nd
from game_pages.drawing import EVEN, LOSS, NOTHING, WIN, cells, legend, new_axes
from number_duels.core.history import History
from number_duels.games.number_bid import NumberBid

LAWS = (
    "the highest number is a safe bid",
    "whoever is ahead wins",
    "level: the highest number draws, every other loses",
    "a lower bid wins if the lead is larger than it and the highest together",
)
GAME = NumberBid()
SHORT = "bid"
ANALYZE, NOT_RUN = "bid", ""
WORKED_SEED, WORKED_TURNS = 6, (0, 2)
WORKED_MOVES = "10/2 1/8 9/7 3/3 4/4 5/5 6/6"
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


def words(facts: Facts) -> dict[str, str]:
    """The prose says that the higher bid wins the game; and what each lead allows."""
    for own, row in enumerate(facts["first"]):
        assert row == [(own > other) - (own < other) for other in range(TOP)]
    worst = [min(row) for row in facts["first"]]
    assert worst == [-1] * (TOP - 1) + [0]
    for low, safe in facts["safe"].items():
        highest = TOP - 1 if int(low) < TOP - 1 else TOP - 2
        left = [n for n in range(1, TOP) if n != int(low)]
        assert safe == [n for n in left if n == highest or TOP + int(low) > n + highest]
    assert facts["safe"]["9"] == list(range(1, 9))
    return {"top": str(TOP), "safe_after_5": ", ".join(map(str, facts["safe"]["5"]))}


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
