"""Compiled functions that play Number Stack Showdown with random errors.

A choice is one bit per split and card: 1 if the card goes to the first mover's stack.
"""

from __future__ import annotations

import numpy as np

from number_duels.solvers.kernels.number_stack_showdown.data import (
    Choices,
    Deck,
    Draw,
    Floats,
    Integers,
    SolvedDeck,
    Values,
)
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE
from number_duels.solvers.matrix_games import TIE, tie_break_key
from number_duels.solvers.numba_cache import compiled

SCALED_VALUE_TOLERANCE = 2
#: An error rate with a special meaning: this seat plays the best response to the other.
BEST_RESPONSE = -1.0

compiled_key = compiled(tie_break_key)


@compiled
def add_losing_shares(solved: SolvedDeck, losing_shares: Floats) -> None:
    """Compute, for each split, the average share of options that lose value."""
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(len(solved.starts)):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        here = losing_shares[solved.starts[number] :]
        for card in range(len(counts)):
            draw = drawn(deck, counts, total, laid, card)
            if draw.weight > 0.0 and least <= most:
                after = solved.values[following(solved, number, card) :]
                for mine in range(least, most + 1):
                    if both_open(deck, draw, mine):
                        own = entry_after(deck, after, draw, mine, True, VALUE_SCALE)
                        other = entry_after(deck, after, draw, mine, False, VALUE_SCALE)
                        if abs(own - other) > SCALED_VALUE_TOLERANCE:
                            here[mine - least] += draw.weight / 2


@compiled
def choose(solved: SolvedDeck, losing_shares: Floats, choices: Choices) -> None:
    """Fill `choices` with the choices of `Solution.strategy`.

    If both stacks have the same value, the tie-break key decides. If it is equal, too, the mover
    keeps the card.
    """
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(len(solved.starts)):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        for card in range(len(counts)):
            draw = drawn(deck, counts, total, laid, card)
            if draw.weight > 0.0 and least <= most:
                start = following(solved, number, card)
                for mine in range(least, most + 1):
                    if both_open(deck, draw, mine) and prefers_own(
                        deck, solved.values[start:], losing_shares[start:], draw, mine
                    ):
                        choices[solved.starts[number] + mine - least] |= np.uint16(1 << card)


@compiled
def prefers_own(deck: Deck, values: Values, losing_shares: Floats, draw: Draw, mine: int) -> bool:
    sign = 1 if draw.first_moves else -1
    own = entry_after(deck, values, draw, mine, True, VALUE_SCALE)
    lead = sign * (own - entry_after(deck, values, draw, mine, False, VALUE_SCALE))
    if abs(lead) > SCALED_VALUE_TOLERANCE:
        return lead > 0
    gap = compiled_key(
        entry_after(deck, losing_shares, draw, mine, True, 0), sign * ended(deck, draw, mine, True)
    ) - compiled_key(
        entry_after(deck, losing_shares, draw, mine, False, 0),
        sign * ended(deck, draw, mine, False),
    )
    return gap > TIE or (abs(gap) <= TIE and draw.first_moves)


@compiled
def play_out(  # noqa: PLR0917  # a compiled function is called by position
    solved: SolvedDeck, choices: Choices, error_rates: Floats, results: Floats, begin: int, end: int
) -> None:
    """Compute the first mover's result for every split of the sets from `end - 1` down to `begin`.

    `error_rates` has the share of random moves for each seat. `BEST_RESPONSE` stands for a seat
    that plays the best response.
    """
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(end - 1, begin - 1, -1):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        start = solved.starts[number]
        for card in range(len(counts)):
            draw = drawn(deck, counts, total, laid, card)
            if draw.weight > 0.0 and least <= most:
                after = results[following(solved, number, card) :]
                here = results[start : start + most - least + 1]
                error_rate = error_rates[0] if draw.first_moves else error_rates[1]
                if error_rate < 0:
                    add_best(deck, after, draw, here)
                else:
                    add_with_errors(deck, after, draw, choices[start:], error_rate, here)


@compiled
def add_best(deck: Deck, after: Floats, draw: Draw, here: Floats) -> None:
    least = max(0, draw.total - deck.target + 1)
    for place in range(len(here)):
        own = entry_after(deck, after, draw, least + place, True, 1)
        other = entry_after(deck, after, draw, least + place, False, 1)
        if both_open(deck, draw, least + place):
            found = max(own, other) if draw.first_moves else min(own, other)
        else:
            found = own if own_forced(deck, draw, least + place) else other
        here[place] += draw.weight * found


@compiled
def add_with_errors(  # noqa: PLR0917  # a compiled function is called by position
    deck: Deck, after: Floats, draw: Draw, choices: Choices, error_rate: float, here: Floats
) -> None:
    least = max(0, draw.total - deck.target + 1)
    for place in range(len(here)):
        own = entry_after(deck, after, draw, least + place, True, 1)
        other = entry_after(deck, after, draw, least + place, False, 1)
        if both_open(deck, draw, least + place):
            chosen = choices[place] >> np.uint16(draw.card - 1) & np.uint16(1)
            share = error_rate / 2 + (1 - error_rate) * float(chosen)
        else:
            share = 1.0 if own_forced(deck, draw, least + place) else 0.0
        here[place] += draw.weight * (other + share * (own - other))


@compiled
def lay(deck: Deck, number: int, counts: Integers) -> tuple[int, int]:
    """Fill in how many of each card a set has. Return the sum and the number of its cards."""
    total, laid = 0, 0
    for card in range(len(counts)):
        counts[card] = number // deck.places[card] % deck.digits[card]
        total += counts[card] * (card + 1)
        laid += counts[card]
    return total, laid


@compiled
def splits(deck: Deck, total: int) -> tuple[int, int]:
    """Return the smallest and the largest total of the first mover's stack."""
    return max(0, total - deck.target + 1), min(total, deck.target - 1)


@compiled
def drawn(deck: Deck, counts: Integers, total: int, laid: int, card: int) -> Draw:
    left = len(counts) * deck.copies - laid
    chance = (deck.copies - counts[card]) / left if left else 0.0
    return Draw(total, laid % 2 == 0, card + 1, chance)


@compiled
def following(solved: SolvedDeck, number: int, card: int) -> int:
    """Return the index of the first split after a card. It has no meaning if the game ends."""
    return int(solved.starts[min(number + solved.deck.places[card], len(solved.starts) - 1)])


@compiled
def ended(deck: Deck, draw: Draw, mine: int, own: bool) -> int:
    """Return the first mover's result if the card ends the game, otherwise 0."""
    total = (mine if own else draw.total - mine) + draw.card
    if total < deck.target:
        return 0
    return 1 if (total == deck.target) == own else -1


@compiled
def entry_after(  # noqa: PLR0917  # a compiled function is called by position
    deck: Deck, after: Floats | Values, draw: Draw, mine: int, own: bool, scale: int
) -> float:
    """Return the number in `after` for the split that this card leads to.

    If the card ends the game, return the result times `scale`.
    """
    end = ended(deck, draw, mine, own)
    if end:
        return float(end * scale)
    least = max(0, draw.total + draw.card - deck.target + 1)
    return float(after[mine + (draw.card if own else 0) - least])


@compiled
def both_open(deck: Deck, draw: Draw, mine: int) -> bool:
    own_over = mine + draw.card > deck.target
    other_over = draw.total - mine + draw.card > deck.target
    if deck.overflow:
        return not (own_over and other_over)
    return not (own_over or other_over)


@compiled
def own_forced(deck: Deck, draw: Draw, mine: int) -> bool:
    if mine + draw.card > deck.target and draw.total - mine + draw.card > deck.target:
        return draw.first_moves
    return mine + draw.card <= deck.target
