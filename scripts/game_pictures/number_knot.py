"""Number Knot: which second moves lose, and for which life totals the first player wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from matplotlib.figure import Figure

import number_duels as nd
from game_pictures.drawing import EVEN, LOSS, NOTHING, WIN, cells, legend, new_axes
from number_duels.games.number_knot import NumberKnot

GAME = NumberKnot()
MOVES = tuple(f"{action}{n}" for action in "SA" for n in range(1, GAME.numbers + 1))
LIVES, NUMBERS = range(2, 15), range(1, 11)
ENDS = ("draw", "higher-life")


class Facts(TypedDict):
    """What Player 2 gets by the first two moves; what the first gets by life and numbers."""

    second: dict[str, dict[str, int]]
    settings: dict[str, list[list[int]]]


def measured() -> Facts:
    """Two moves deep, and every small setting: a row for each life total."""
    solution, start = nd.solve(GAME), GAME.start()
    assert solution.value(start) == 0
    second = {}
    for move in solution.values(start, nd.Seat.ONE):
        after = GAME.resolve(start, {nd.Seat.ONE: move})
        replies = solution.values(after, nd.Seat.TWO).items()
        second[str(move)] = {str(reply): round(value) for reply, value in replies}
    return {
        "second": second,
        "settings": {
            end: [[worth(life, numbers, end) for numbers in NUMBERS] for life in LIVES]
            for end in ENDS
        },
    }


def worth(life: int, numbers: int, end: str) -> int:
    game = NumberKnot(life=life, numbers=numbers, exhausted=end)
    return round(nd.solve(game).value(game.start()))


def drawings(facts: Facts) -> Iterator[tuple[str, Figure]]:
    """Which answers lose, and who wins with other settings."""
    yield "second", second_moves(facts)
    yield "settings", settings(facts)


def second_moves(facts: Facts) -> Figure:
    figure, axes = new_axes(5.3)
    shown = {0: (EVEN, ""), -1: (LOSS, "")}

    def cell(row: int, column: int) -> tuple[str, str]:
        value = facts["second"][MOVES[row]].get(MOVES[column])
        return (NOTHING, "") if value is None else shown[value]

    cells(axes, MOVES, MOVES, cell)
    axes.tick_params(labelsize=8)
    axes.set_ylabel("Player 1's first move")
    axes.set_xlabel("Player 2's answer")
    legend(figure, {"keeps the draw": EVEN, "loses": LOSS}, 2)
    return figure


def settings(facts: Facts) -> Figure:
    figure, axes = new_axes(4.6)
    usual = LIVES.index(GAME.life), NUMBERS.index(GAME.numbers)
    table = facts["settings"]["draw"]

    def cell(row: int, column: int) -> tuple[str, str]:
        return WIN if table[row][column] else EVEN, "●" if (row, column) == usual else ""

    cells(axes, LIVES, NUMBERS, cell)
    axes.set_xlabel("numbers on the line")
    axes.set_ylabel("life")
    legend(figure, {"the first player wins": WIN, "draw": EVEN}, 2)
    return figure
