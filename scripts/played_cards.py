"""The compiled part of `equal_players`: sums over a game of Number Stack Showdown.

Its states are splits of sets of cards, as the game's kernel lays them out; sums belong to who
moved first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from number_duels.review.position import TOLERANCE
from number_duels.solvers.cache import Section
from number_duels.solvers.kernels.number_stack_showdown.data import (
    Choices,
    Deck,
    Draw,
    Floats,
    SolvedDeck,
    Values,
)
from number_duels.solvers.kernels.number_stack_showdown.error_play import (
    both_open,
    drawn,
    ended,
    entry_after,
    following,
    lay,
    own_forced,
    splits,
)
from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE
from number_duels.solvers.numba_cache import compiled

#: What is summed up over a game: the result and the mistakes (what the other's gave, less what
#: one's own cost), the product of both, and counts.
RESULT, DRAWS, TURNS, TURNS_SQUARED, EDGE, PRODUCT = range(6)
DECISIONS, MATTERS, OFFERED, WRONG = range(6, 10)
SUMS = 10
#: Differences of scaled values below this are rounding errors.
SCALED_TOLERANCE = TOLERANCE * VALUE_SCALE

Marks = NDArray[np.bool_]


def play_cards(kernel: Kernel, sections: Sequence[Section], error_rate: float) -> Floats:
    """The mean of each sum at the start, between two players who err that often."""
    solved = kernel.solved(sections)
    table = np.zeros((len(solved.values), SUMS))
    sum_up(solved, kernel.perfect_choices(solved), error_rate, table)
    start: Floats = table[0].copy()
    return start


def useful_cards(kernel: Kernel, sections: Sequence[Section]) -> Marks:
    """Of each card, whether keeping and whether giving it is best somewhere where it matters."""
    solved = kernel.solved(sections)
    useful = np.zeros((len(kernel.digits), 2), np.bool_)
    reached = np.zeros(len(solved.values), np.bool_)
    reached[0] = True
    mark_useful(solved, reached, useful)
    return useful


@compiled
def sum_up(solved: SolvedDeck, choices: Choices, error_rate: float, table: Floats) -> None:
    """Fill in all splits, from the fullest set of cards to the empty one."""
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(len(solved.starts) - 1, -1, -1):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        start = int(solved.starts[number])
        for mine in range(least, most + 1):
            here = table[start + mine - least]
            if laid == len(counts) * deck.copies:
                here[DRAWS] = 1.0
            for card in range(len(counts)):
                draw = drawn(deck, counts, total, laid, card)
                if draw.weight > 0.0:
                    then = following(solved, number, card)
                    chosen = choices[start + mine - least] >> np.uint16(card) & np.uint16(1)
                    share = error_rate / 2 + (1 - error_rate) * float(chosen)
                    add_card(deck, solved.values[then:], table[then:], draw, mine, share, here)


@compiled
def add_card(  # noqa: PLR0917  # a compiled function is called by position
    deck: Deck, values: Values, table: Floats, draw: Draw, mine: int, share: float, here: Floats
) -> None:
    """Add what a drawn card brings; the share is how often it goes to the first mover's stack."""
    is_open = both_open(deck, draw, mine)
    cost = lead(deck, values, draw, mine) if is_open else 0.0
    if not is_open:
        share = 1.0 if own_forced(deck, draw, mine) else 0.0
    matters = 1.0 if cost != 0.0 else 0.0
    here[DECISIONS] += draw.weight
    here[MATTERS] += draw.weight * matters
    here[OFFERED] += draw.weight * (2.0 if is_open else 1.0)
    here[WRONG] += draw.weight * matters
    sign = 1.0 if draw.first_moves else -1.0
    for own in (True, False):
        odds = draw.weight * (share if own else 1.0 - share)
        if odds > 0.0:
            # The mover loses the lead if it takes the other stack.
            lost = max(0.0, -sign * cost if own else sign * cost)
            add_end(deck, table, draw, mine, own, odds, -sign * lost, here)


@compiled
def add_end(  # noqa: PLR0917  # a compiled function is called by position
    deck: Deck,
    table: Floats,
    draw: Draw,
    mine: int,
    own: bool,
    odds: float,
    edge: float,
    here: Floats,
) -> None:
    """Add the sums of what follows when the card lies on a stack."""
    result = float(ended(deck, draw, mine, own))
    turns = 0.0
    if result == 0.0:
        least = max(0, draw.total + draw.card - deck.target + 1)
        after = table[mine + (draw.card if own else 0) - least]
        result, turns = after[RESULT], after[TURNS]
        here[DRAWS] += odds * after[DRAWS]
        here[TURNS_SQUARED] += odds * after[TURNS_SQUARED]
        here[EDGE] += odds * after[EDGE]
        here[PRODUCT] += odds * after[PRODUCT]
        for place in range(DECISIONS, SUMS):
            here[place] += odds * after[place]
    here[RESULT] += odds * result
    here[TURNS] += odds * (1.0 + turns)
    here[TURNS_SQUARED] += odds * (1.0 + 2.0 * turns)
    here[EDGE] += odds * edge
    here[PRODUCT] += odds * edge * result


@compiled
def lead(deck: Deck, values: Values, draw: Draw, mine: int) -> float:
    """How much more the first mover has if the card goes to its stack than to the other."""
    own = entry_after(deck, values, draw, mine, True, VALUE_SCALE)
    found = own - entry_after(deck, values, draw, mine, False, VALUE_SCALE)
    return 0.0 if abs(found) < SCALED_TOLERANCE else found / VALUE_SCALE


@compiled
def mark_useful(solved: SolvedDeck, reached: Marks, useful: Marks) -> None:
    """Mark what is best with each card, in the splits that can be reached from the empty one."""
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(len(solved.starts)):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        start = int(solved.starts[number])
        for mine in range(least, most + 1):
            if reached[start + mine - least]:
                for card in range(len(counts)):
                    draw = drawn(deck, counts, total, laid, card)
                    if draw.weight > 0.0:
                        then = following(solved, number, card)
                        reach(deck, reached[then:], draw, mine)
                        if both_open(deck, draw, mine):
                            ahead = lead(deck, solved.values[then:], draw, mine)
                            if ahead != 0.0:
                                keeps = (ahead > 0.0) == draw.first_moves
                                useful[card, 0 if keeps else 1] = True


@compiled
def reach(deck: Deck, after: Marks, draw: Draw, mine: int) -> None:
    """Mark the splits that may follow."""
    least = max(0, draw.total + draw.card - deck.target + 1)
    is_open = both_open(deck, draw, mine)
    for own in (True, False):
        if (is_open or own_forced(deck, draw, mine) == own) and not ended(deck, draw, mine, own):
            after[mine + (draw.card if own else 0) - least] = True
