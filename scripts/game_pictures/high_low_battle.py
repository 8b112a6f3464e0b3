"""High-Low Battle: the mixture of 5 to 9, what beats what, and how many cards are mixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from matplotlib.figure import Figure

import number_duels as nd
from game_pictures.drawing import INK, LOSS, NOTHING, WIN, cells, legend, new_axes, shade
from number_duels.games.high_low_battle import HighLowBattle

GAME = HighLowBattle()
CARDS = range(1, GAME.cards + 1)
#: Games of this many rounds are compared.
ROUNDS = range(1, 7)


class Facts(TypedDict):
    """In games of 100: won after each pair of first cards, the mixture, what each card costs."""

    first: list[list[int]]
    mixture: list[float]
    cost: list[float]
    by_rounds: dict[str, list[int]]


def measured() -> Facts:
    """The first round, and the first mixture of longer and shorter games."""
    solution = nd.solve(GAME)
    start = GAME.start()
    values = solution.values(start, nd.Seat.ONE)
    return {
        "first": [[won(v) for v in row] for row in solution.matrix(start).values],
        "mixture": [round(100 * p, 1) for p in mixture(GAME)],
        "cost": [round(-50 * value, 1) + 0.0 for value in values.values()],
        "by_rounds": {
            str(rounds): [round(100 * p) for p in mixture(HighLowBattle(rounds=rounds))]
            for rounds in ROUNDS
        },
    }


def won(value: float) -> int:
    """Games won of 100; there are hardly any draws."""
    return round(50 + 50 * value)


def mixture(game: HighLowBattle) -> list[float]:
    return list(nd.solve(game).strategy(game.start(), nd.Seat.ONE).values())


def drawings(facts: Facts) -> Iterator[tuple[str, Figure]]:
    """How often each card is played, who wins after two first cards, and other lengths."""
    yield "mixture", mixture_bars(facts)
    yield "first", first_cards(facts)
    yield "rounds", lengths(facts)


def mixture_bars(facts: Facts) -> Figure:
    figure, axes = new_axes(3.0)
    axes.bar(CARDS, facts["mixture"], color=WIN)
    costs = [-cost for cost in facts["cost"]]
    axes.bar(CARDS, costs, color=LOSS)
    for card, share, cost in zip(CARDS, facts["mixture"], costs, strict=True):
        if share:
            axes.text(card, share + 0.5, f"{share:.0f}%", ha="center", va="bottom")
        else:
            axes.text(card, cost - 0.7, f"{-cost:.0f}", ha="center", va="top")
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_ylim(-8, 33)
    axes.set_xticks(CARDS)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.set_xlabel("the first card")
    legend(figure, {"how often it is played": WIN, "games of 100 that it costs": LOSS}, 2)
    return figure


def first_cards(facts: Facts) -> Figure:
    figure, axes = new_axes(4.8)

    def cell(row: int, column: int) -> tuple[str, str]:
        share = facts["first"][row][column]
        return shade((share - 20) / 60), str(share)

    cells(axes, CARDS, CARDS, cell)
    axes.set_ylabel("your first card")
    axes.set_xlabel("theirs")
    legend(figure, {"you win more than half": WIN, "you win less": LOSS}, 2)
    return figure


def lengths(facts: Facts) -> Figure:
    figure, axes = new_axes(3.4)
    table = list(facts["by_rounds"].values())

    def cell(row: int, column: int) -> tuple[str, str]:
        share = table[row][column]
        return (WIN, f"{share}") if share else (NOTHING, "·")

    cells(axes, list(facts["by_rounds"]), CARDS, cell)
    axes.set_ylabel("rounds")
    axes.set_xlabel("the first card, and how often it is played (%)")
    return figure
