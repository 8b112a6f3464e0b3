"""The compiled part of the kernel for Number Stack Showdown. Importing it imports Numba."""

from __future__ import annotations

import numpy as np

from number_duels.solvers.kernels.number_stack_showdown.data import (
    Deck,
    Draw,
    Floats,
    Starts,
    Values,
)
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE
from number_duels.solvers.numba_cache import compiled


@compiled
def lay_out(deck: Deck, sets: int) -> tuple[Starts, int, int]:
    """Return the index of each set's first split, the number of splits, and the number of keys."""
    cards = len(deck.digits)
    counts = np.zeros(cards + 1, np.int64)
    # Bit n says whether some of the larger cards add up to n. The two words hold 128 bits.
    low, high = np.zeros(cards + 1, np.uint64), np.zeros(cards + 1, np.uint64)
    low[:] = 1
    starts = np.zeros(sets, np.uint32)
    splits, keys, total = 0, 0, 0
    for number in range(sets):
        least, most = max(0, total - deck.target + 1), min(total, deck.target - 1)
        if least <= most:
            starts[number] = splits
            splits += most - least + 1
            kinds = 0
            for card in range(cards):
                kinds += counts[card] < deck.copies
            if kinds:
                keys += (1 + kinds) * ones_between(low[0], high[0], least, most)
        # Count up to the next set. The smallest card is the last digit.
        card = 0
        while card < cards and counts[card] == deck.digits[card] - 1:
            total -= counts[card] * (card + 1)
            counts[card] = 0
            card += 1
        counts[card] += 1
        total += card + 1
        shift = np.uint64(card + 1)
        high[card] |= high[card] << shift | low[card] >> (np.uint64(64) - shift)
        low[card] |= low[card] << shift
        for smaller in range(card):
            low[smaller], high[smaller] = low[card], high[card]
    return starts, splits, keys


@compiled
def ones_between(low: np.uint64, high: np.uint64, least: int, most: int) -> int:
    found = 0
    for place in range(least, most + 1):
        word = low if place < 64 else high
        found += int(word >> np.uint64(place & 63) & np.uint64(1))
    return found


@compiled
def value_sets(deck: Deck, starts: Starts, values: Values, begin: int, end: int) -> None:
    """Compute the value of every split of the sets from `end - 1` down to `begin`."""
    cards = len(deck.digits)
    counts = (end - 1) // deck.places % deck.digits
    total, laid = 0, 0
    for card in range(cards):
        total += counts[card] * (card + 1)
        laid += counts[card]
    sums = np.zeros(deck.target)
    for number in range(end - 1, begin - 1, -1):
        least, most = max(0, total - deck.target + 1), min(total, deck.target - 1)
        left = cards * deck.copies - laid
        if least <= most and left > 0:
            sums[: most - least + 1] = 0.0
            for card in range(cards):
                if counts[card] < deck.copies:
                    following = values[starts[min(number + deck.places[card], len(starts) - 1)] :]
                    weight = float(deck.copies - counts[card])
                    draw = Draw(total, laid % 2 == 0, card + 1, weight)
                    add_card(deck, following, draw, sums)
            start = starts[number]
            for place in range(most - least + 1):
                values[start + place] = round(sums[place] / left)
        # Count down to the next set. The smallest card is the last digit.
        card = 0
        while card < cards - 1 and counts[card] == 0:
            counts[card] = deck.digits[card] - 1
            total += counts[card] * (card + 1)
            laid += counts[card]
            card += 1
        counts[card] -= 1
        total -= card + 1
        laid -= 1


@compiled
def add_card(deck: Deck, following: Values, draw: Draw, sums: Floats) -> None:
    """Add to `sums` the first player's value of each split, if this card is drawn."""
    total, first_moves, n, weight = draw
    target, win = deck.target, float(VALUE_SCALE)
    least, most = max(0, total - target + 1), min(total, target - 1)
    # The card ends the first player's stack if its total `t` is at least `mine`, and the other
    # stack if `t` is at most `theirs`.
    mine, theirs = target - n, total + n - target
    lowest = max(0, theirs + 1)  # the first of the next splits
    for t in range(least, min(theirs, mine - 1) + 1):
        value = float(following[t + n - lowest])
        if t == theirs and not first_moves:
            value = -win
        elif t < theirs and first_moves and deck.overflow:
            value = win
        sums[t - least] += weight * value
    inner, count = max(least, lowest), min(most, mine - 1) - max(least, lowest) + 1
    if count > 0:
        given = following[inner - lowest : inner - lowest + count]
        kept = following[inner - lowest + n : inner - lowest + n + count]
        add_better(given, kept, first_moves, weight, sums[inner - least : inner - least + count])
    for t in range(max(mine, lowest), most + 1):
        value = float(following[t - lowest])
        if t == mine and first_moves:
            value = win
        elif t > mine and not first_moves and deck.overflow:
            value = -win
        sums[t - least] += weight * value
    for t in range(max(mine, least), min(theirs, most) + 1):
        sums[t - least] += weight * win * last_card(t - mine, theirs - t, first_moves)


@compiled
def add_better(given: Values, kept: Values, first_moves: bool, weight: float, sums: Floats) -> None:
    # Most of the solving time is spent here.
    if first_moves:
        for place in range(len(sums)):
            sums[place] += weight * float(max(given[place], kept[place]))
    else:
        for place in range(len(sums)):
            sums[place] += weight * float(min(given[place], kept[place]))


@compiled
def last_card(over_mine: int, over_theirs: int, first_moves: bool) -> int:
    """Return the first player's result, 1 or -1, for a card that would end both stacks."""
    if over_mine > 0 and over_theirs > 0:
        return -1 if first_moves else 1
    if over_mine == over_theirs:
        return 1 if first_moves else -1
    return 1 if over_mine == 0 else -1
