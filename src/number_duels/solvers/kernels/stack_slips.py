"""The compiled part that plays Number Stack Showdown out between players who slip."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.solvers.kernels.number_stack_showdown import WHOLE
from number_duels.solvers.kernels.stacks import Deck, Starts, Values, Whole, compiled

Results: TypeAlias = NDArray[np.float64]
#: Values that differ by no more than this are equally good, as in `Solution`.
SAME = 2


class Book(NamedTuple):
    """The solved game: the deck, and the value of every set and split."""

    deck: Deck
    starts: Starts
    values: Values


class Split(NamedTuple):
    """A set of cards on the table, the first mover's share of it, and whose turn it is."""

    number: int
    total: int
    mine: int
    mover: int


@compiled
def play_out(book: Book, slips: Results) -> Results:
    """The first mover's expected result for each row of slips: how often each seat slips.

    A slip is a random option; otherwise play is perfect, and among moves of
    equal value the one is chosen that `Solution.strategy` chooses.
    """
    deck, starts = book.deck, book.starts
    results = np.zeros((len(book.values), len(slips)))
    counts = np.zeros(len(deck.digits), np.int64)
    for number in range(len(starts) - 1, -1, -1):
        total, laid = 0, 0
        for card in range(len(counts)):
            counts[card] = number // deck.places[card] % deck.digits[card]
            total += counts[card] * (card + 1)
            laid += counts[card]
        if laid == len(counts) * deck.copies:
            continue
        least = max(0, total - deck.target + 1)
        for mine in range(least, min(total, deck.target - 1) + 1):
            here = results[starts[number] + mine - least]
            add_cards(book, slips, results, counts, Split(number, total, mine, laid % 2), here)
    return np.asarray(results[0])


@compiled
def add_cards(  # noqa: PLR0917  # a compiled function is called by position
    book: Book, slips: Results, results: Results, counts: Whole, split: Split, here: Results
) -> None:
    """Add up what one split is worth over the cards that may come next."""
    left = len(counts) * book.deck.copies - counts.sum()
    for card in range(len(counts)):
        if counts[card] == book.deck.copies:
            continue
        weight = (book.deck.copies - counts[card]) / left
        kept, given = following(book.deck, split, card)
        keeping, giving = choices(book.deck, split, card)
        better, worse = (kept, given) if keeping else (given, kept)
        if keeping and giving:
            counts[card] += 1
            if not prefers(book, counts, kept, given):
                better, worse = given, kept
            counts[card] -= 1
        for row in range(len(slips)):
            slip = slips[row, split.mover] / 2 if keeping and giving else 0.0
            good = result(book, results, better, row)
            bad = result(book, results, worse, row) if slip else 0.0
            here[row] += weight * ((1 - slip) * good + slip * bad)


@compiled
def following(deck: Deck, split: Split, card: int) -> tuple[Split, Split]:
    """The split after the card is kept, and after it is given."""
    number, total = split.number + deck.places[card], split.total + card + 1
    taken = Split(number, total, split.mine + card + 1, 1 - split.mover)
    left = Split(number, total, split.mine, 1 - split.mover)
    return (taken, left) if split.mover == 0 else (left, taken)


@compiled
def choices(deck: Deck, split: Split, card: int) -> tuple[bool, bool]:
    """Whether the card may be kept, and whether it may be given."""
    own = split.mine if split.mover == 0 else split.total - split.mine
    keep_over = own + card + 1 > deck.target
    give_over = split.total - own + card + 1 > deck.target
    if keep_over and give_over:
        return True, False
    if deck.overflow:
        return True, True
    return not keep_over, not give_over


@compiled
def ended(deck: Deck, split: Split) -> int:
    """The first mover's result if a stack is finished; 0 if none is."""
    theirs = split.total - split.mine
    if split.mine == deck.target or theirs > deck.target:
        return 1
    if theirs == deck.target or split.mine > deck.target:
        return -1
    return 0


@compiled
def place(book: Book, split: Split) -> int:
    """Where a split lies in the tables."""
    start = int(book.starts[split.number])
    return start + split.mine - max(0, split.total - book.deck.target + 1)


@compiled
def result(book: Book, results: Results, split: Split, row: int) -> float:
    """The first mover's expected result at a split, or at the end."""
    end = ended(book.deck, split)
    return float(end) if end else float(results[place(book, split), row])


@compiled
def value(book: Book, split: Split) -> int:
    """The first mover's value at a split, or at the end, in whole numbers."""
    end = ended(book.deck, split)
    return end * WHOLE if end else int(book.values[place(book, split)])


@compiled
def prefers(book: Book, counts: Whole, kept: Split, given: Split) -> bool:
    """Whether perfect play keeps: by value, then by how easily the opponent goes wrong."""
    sign = 1 if kept.mover == 1 else -1
    lead = sign * (value(book, kept) - value(book, given))
    if abs(lead) > SAME:
        return lead > 0
    hopes = pitfalls(book, counts, kept) - pitfalls(book, counts, given)
    if abs(hopes) > 5e-10:
        return hopes > 0
    return sign * ended(book.deck, kept) >= sign * ended(book.deck, given)


@compiled
def pitfalls(book: Book, counts: Whole, split: Split) -> float:
    """The share of the mover's options that lose value, averaged over the next card."""
    deck = book.deck
    left = len(counts) * deck.copies - counts.sum()
    share = 0.0
    if ended(deck, split) or left == 0:
        return share
    for card in range(len(counts)):
        keeping, giving = choices(deck, split, card)
        if counts[card] < deck.copies and keeping and giving:
            kept, given = following(deck, split, card)
            if abs(value(book, kept) - value(book, given)) > SAME:
                share += (deck.copies - counts[card]) / left / 2
    return share
