"""Where perfect play gives a card away: over every way in which cards can lie on two stacks."""

# ruff: noqa: PLR0917 -- compiled functions are called by place

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from number_duels.solvers import Solution
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from number_duels.solvers.kernels.number_stack_showdown.data import SolvedDeck
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE

Counts = NDArray[np.int64]
Sums = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., object])


class Totals(NamedTuple):
    """By card, own total and the other's total: how many positions, and in how many to give.

    A position is one way in which single cards lie on both stacks. `gain` is the sum
    of how much higher the value of giving is than that of keeping.
    """

    positions: Sums
    given: Sums
    gain: Sums


def compiled(function: Function) -> Function:
    """A function compiled by Numba, with the type that it has in plain Python."""
    return cast("Function", njit(function))


def totals(solution: Solution[State, Choice, Card]) -> Totals:
    """Ask the whole solution, wherever both choices are open and neither ends the game."""
    kernel = solution.tables.method
    assert isinstance(kernel, Kernel)
    rules: NumberStackShowdown = kernel.rules
    shape = rules.highest, rules.target, rules.target
    found = Totals(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    copies = range(rules.copies + 1)
    ways = np.array([[comb(rules.copies, n) * comb(n, k) for k in copies] for n in copies])
    solution.tables.read(lambda sections: add_all(kernel.solved(sections), ways, found))
    return found


@compiled
def add_all(solved: SolvedDeck, ways: Counts, found: Totals) -> None:
    """Go through all sets of cards; the first line of `splits` has the ways to split a set."""
    deck = solved.deck
    cards = len(deck.digits)
    counts = np.zeros(cards, np.int64)
    splits = np.zeros((cards + 1, deck.target))
    splits[:, 0] = 1.0
    total, laid = 0, 0
    for number in range(len(solved.starts)):
        if total <= 2 * (deck.target - 1):
            for card in range(cards):
                if counts[card] < deck.copies:
                    weight = float(deck.copies - counts[card])
                    add_card(solved, number, total, laid % 2 == 0, card, weight, splits[0], found)
        # Count on: the smallest card has the last digit.
        card = 0
        while card < cards and counts[card] == deck.digits[card] - 1:
            total -= counts[card] * (card + 1)
            laid -= counts[card]
            counts[card] = 0
            card += 1
        if card == cards:
            return
        counts[card] += 1
        total += card + 1
        laid += 1
        for changed in range(card, -1, -1):
            split_card(splits, changed, counts[changed], ways)


@compiled
def split_card(splits: Sums, card: int, count: int, ways: Counts) -> None:
    """In how many ways this card and the larger ones give the first stack each total."""
    splits[card] = 0.0
    for mine in range(count + 1):
        shift = mine * (card + 1)
        for total in range(shift, splits.shape[1]):
            splits[card, total] += ways[count, mine] * splits[card + 1, total - shift]


@compiled
def add_card(
    solved: SolvedDeck,
    number: int,
    total: int,
    first_moves: bool,
    card: int,
    weight: float,
    splits: Sums,
    found: Totals,
) -> None:
    """Add every split of a set at which a card, once drawn, can lie on either stack."""
    deck = solved.deck
    n = card + 1
    following = solved.starts[number + deck.places[card]]
    lowest = max(0, total + n - deck.target + 1)
    for first in range(max(0, total - deck.target + 1), min(total, deck.target - 1) + 1):
        second = total - first
        if splits[first] == 0.0 or max(first, second) + n >= deck.target:
            continue
        to_first = solved.values[following + first + n - lowest]
        to_second = solved.values[following + first - lowest]
        # The same for either mover: what one gives lies with the other, and values turn round.
        gain = (float(to_second) - float(to_first)) / VALUE_SCALE
        own, other = (first, second) if first_moves else (second, first)
        positions = weight * splits[first]
        found.positions[card, own, other] += positions
        found.gain[card, own, other] += positions * gain
        if gain > 0.0:
            found.given[card, own, other] += positions
