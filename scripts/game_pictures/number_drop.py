"""Number Drop: the one opening that wins, what refutes the others, and who wins by counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Never, TypeAlias, TypedDict

from matplotlib.figure import Figure

import number_duels as nd
from game_pictures.drawing import EVEN, LOSS, NOTHING, WIN, cells, legend, new_axes, shade
from number_duels.games.number_drop import Attack, NumberDrop, State
from number_duels.solvers import Solution

GAME = NumberDrop()
NUMBERS = range(1, GAME.side**2 + 1)
WINNER = "8-3"
Solved: TypeAlias = Solution[State, Attack, Never]


class Opening(TypedDict):
    """A first move: the answer of perfect play, and how many answers win, of how many."""

    answer: str
    wins: int
    of: int


class Facts(TypedDict):
    """All openings; by the mover's and the other's count how many positions the mover wins."""

    openings: dict[str, Opening]
    counts: dict[str, list[int]]
    #: How many moves of Player 1 win after 8-3 and each answer.
    after: dict[str, int]
    #: What a grid of 2 x 2 is worth to Player 1.
    small: float


def measured() -> Facts:
    """Two moves deep, and every position by what is left."""
    solution, start = nd.solve(GAME), GAME.start()
    openings: dict[str, Opening] = {}
    for move in solution.values(start, nd.Seat.ONE):
        state = GAME.resolve(start, {nd.Seat.ONE: move})
        worth = solution.values(state, nd.Seat.TWO)
        odds = solution.strategy(state, nd.Seat.TWO)
        openings[str(move)] = {
            "answer": str(max(odds, key=odds.__getitem__)),
            "wins": sum(value == 1 for value in worth.values()),
            "of": len(worth),
        }
    small = NumberDrop(side=2)
    return {
        "openings": openings,
        "counts": by_counts(solution),
        "after": answers(solution),
        "small": nd.solve(small).value(small.start()),
    }


def by_counts(solution: Solved) -> dict[str, list[int]]:
    """How many positions the mover wins, and how many there are, by both counts."""
    won, all_of = Counter[str](), Counter[str]()
    for _, state in nd.states(GAME):
        if isinstance(GAME.turn(state), nd.Outcome):
            continue
        mover = state.mover
        counts = f"{len(state.left(mover))} {len(state.left(mover.other))}"
        all_of[counts] += 1
        won[counts] += solution.value(state) == (1 if mover is nd.Seat.ONE else -1)
    return {counts: [won[counts], all_of[counts]] for counts in sorted(all_of)}


def answers(solution: Solved) -> dict[str, int]:
    state = GAME.resolve(GAME.start(), {nd.Seat.ONE: GAME.parse(WINNER)})
    found = {}
    for reply in solution.values(state, nd.Seat.TWO):
        after = GAME.resolve(state, {nd.Seat.TWO: reply})
        found[str(reply)] = sum(
            value == 1 for value in solution.values(after, nd.Seat.ONE).values()
        )
    return found


def drawings(facts: Facts) -> Iterator[tuple[str, Figure]]:
    """What refutes each opening; who wins by how many numbers are left."""
    yield "openings", refuted(facts)
    yield "counts", left(facts)


def refuted(facts: Facts) -> Figure:
    figure, axes = new_axes(5.0)

    def cell(row: int, column: int) -> tuple[str, str]:
        one, two = NUMBERS[row], NUMBERS[column]
        if one == two:
            return NOTHING, ""
        sign = "+" if one < two else "-"
        opening = facts["openings"][f"{max(one, two)}{sign}{min(one, two)}"]
        if not opening["wins"]:
            return WIN, "wins"
        share = opening["wins"] / opening["of"]
        return shade(0.5 - min(0.5, 0.1 + share), LOSS, EVEN), str(opening["wins"])

    cells(axes, NUMBERS, NUMBERS, cell)
    axes.set_title("added (above the diagonal)", fontsize=11)
    axes.set_xlabel("subtracted (below the diagonal)")
    legend(figure, {"wins": WIN, "loses: so many answers win": LOSS}, 2)
    return figure


def left(facts: Facts) -> Figure:
    figure, axes = new_axes(4.9)

    def cell(row: int, column: int) -> tuple[str, str]:
        found = facts["counts"].get(f"{NUMBERS[row]} {NUMBERS[column]}")
        if not found:
            return NOTHING, ""
        share = found[0] / found[1]
        # 100 and 0 say that there is no exception.
        return shade(share), str(round(100 * share) if share in (0, 1) else clipped(100 * share))

    cells(axes, NUMBERS, NUMBERS, cell)
    axes.set_ylabel("numbers left to the player to move")
    axes.set_xlabel("numbers left to the opponent")
    legend(figure, {"mostly won": WIN, "mostly lost": LOSS}, 2)
    return figure


def clipped(percent: float) -> int:
    return min(99, max(1, round(percent)))
