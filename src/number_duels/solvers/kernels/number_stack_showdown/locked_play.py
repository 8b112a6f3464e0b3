"""Compiled functions that play Number Stack Showdown with locks on how often to keep a card."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from number_duels.solvers.kernels.number_stack_showdown.data import (
    Choices,
    Deck,
    Draw,
    Floats,
    Integers,
    SolvedDeck,
)
from number_duels.solvers.kernels.number_stack_showdown.error_play import (
    both_open,
    drawn,
    entry_after,
    following,
    lay,
    own_forced,
    splits,
)
from number_duels.solvers.numba_cache import compiled

#: Special values of `keeps`: the seat plays as well as the locks allow, or perfectly.
BEST, PERFECT = -1.0, -2.0


class LockedPlay(NamedTuple):
    """How both seats play in general, and in single locked positions (spots)."""

    choices: Choices
    #: How often each seat keeps a card, first mover first: a share, `BEST` or `PERFECT`.
    keeps: Floats
    #: For each spot: its split, its card, and how often the mover keeps the card there.
    spot_splits: Integers
    spot_cards: Integers
    spot_keeps: Floats


@compiled
def play_locked(
    solved: SolvedDeck, play: LockedPlay, results: Floats, begin: int, end: int
) -> None:
    deck, counts = solved.deck, np.zeros(len(solved.deck.digits), np.int64)
    for number in range(end - 1, begin - 1, -1):
        total, laid = lay(deck, number, counts)
        least, most = splits(deck, total)
        start = int(solved.starts[number])
        for card in range(len(counts)):
            draw = drawn(deck, counts, total, laid, card)
            if draw.weight > 0.0 and least <= most:
                after = results[following(solved, number, card) :]
                here = results[start : start + most - least + 1]
                add_draw(deck, after, draw, play, start, here)


@compiled
def add_draw(  # noqa: PLR0917  # a compiled function is called by position
    deck: Deck, after: Floats, draw: Draw, play: LockedPlay, start: int, here: Floats
) -> None:
    least = max(0, draw.total - deck.target + 1)
    everywhere = play.keeps[0] if draw.first_moves else play.keeps[1]
    has_spots = False
    for split in play.spot_splits:
        has_spots = has_spots or start <= split < start + len(here)
    for place in range(len(here)):
        own = entry_after(deck, after, draw, least + place, True, 1)
        other = entry_after(deck, after, draw, least + place, False, 1)
        if both_open(deck, draw, least + place):
            keeps = everywhere
            if has_spots:
                keeps = keeps_at(play, start + place, draw.card, everywhere)
            share = own_share(play.choices, start + place, draw, keeps, own - other)
        else:
            share = 1.0 if own_forced(deck, draw, least + place) else 0.0
        here[place] += draw.weight * (other + share * (own - other))


@compiled
def keeps_at(play: LockedPlay, split: int, card: int, everywhere: float) -> float:
    """Return how often the mover keeps a card at a split. Without a lock, it is `everywhere`."""
    for spot in range(len(play.spot_splits)):
        if play.spot_splits[spot] == split and play.spot_cards[spot] == card:
            return float(play.spot_keeps[spot])
    return everywhere


@compiled
def own_share(choices: Choices, split: int, draw: Draw, keeps: float, lead: float) -> float:
    """Return how often a card goes to the first mover's stack."""
    if keeps == PERFECT:
        return float(choices[split] >> np.uint16(draw.card - 1) & np.uint16(1))
    if keeps == BEST:
        return 1.0 if (lead > 0.0) == draw.first_moves else 0.0
    return keeps if draw.first_moves else 1.0 - keeps
