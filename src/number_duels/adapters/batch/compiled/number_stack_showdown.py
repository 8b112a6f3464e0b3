"""Number Stack Showdown, packed: both totals, what has been laid, and the card in hand."""

# ruff: noqa: ARG001, PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from number_duels.adapters.batch.compiled.bitsets import size
from number_duels.adapters.batch.compiled.driver import (
    ONGOING,
    BatchKernel,
    Ints,
    Marks,
    Rows,
    Rules,
)
from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.adapters.batch.splitmix64 import Word, pick_upper
from number_duels.games import number_stack_showdown
from number_duels.games.number_stack_showdown import Card, NumberStackShowdown

GAME_CLASS = NumberStackShowdown
#: How many of each card have been laid is kept in this many bits: at most 8 of 13 cards.
CARD_BITS, CARD_MASK = 4, 15
#: For eight small numbers in one word.
LOW_HALVES, HIGH_BITS = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x8080808080808080)
EVERY_BYTE, BYTE = np.uint64(0x0101010101010101), np.uint64(0xFF)


class Settings(NamedTuple):
    """The settings, and the whole deck: as many of each card as there are."""

    first: int
    target: int
    highest: int
    copies: int
    overflow: int
    deck: int


class State(NamedTuple):
    """The totals of who moves and of the other, the cards laid, and the deck.

    `laid` has the count of each card, the lowest card's first; `left` is how many cards the deck
    has; `card` is the card in hand, or 0.
    """

    own: int
    other: int
    laid: int
    left: int
    card: int
    mover: int


@inlined
def begin(settings: Settings) -> State:
    """Two empty stacks, before the first card."""
    return State(0, 0, 0, settings.highest * settings.copies, 0, settings.first)


@inlined
def load(rows: Rows, index: int) -> State:
    return State(
        rows[index, 0],
        rows[index, 1],
        rows[index, 2],
        rows[index, 3],
        rows[index, 4],
        rows[index, 5],
    )


@inlined
def mover(state: State) -> int:
    return state.mover


@inlined
def deal(settings: Settings, state: State, number: Word) -> State:
    """Every card of the deck is as likely; the lowest lie first.

    All is done on eight bytes at once: how many are left of two neighbouring cards, how many of
    these and all lower ones, and beside which of these sums the ticket is not smaller.
    """
    ticket = pick_upper(number, state.left)
    deck = settings.deck - state.laid
    odd = np.uint64(deck) & LOW_HALVES
    sums = (odd + (np.uint64(deck >> CARD_BITS) & LOW_HALVES)) * EVERY_BYTE
    passed = (np.uint64(ticket) * EVERY_BYTE | HIGH_BITS) - sums
    pair = size(int(np.int64((passed & HIGH_BITS) >> np.uint64(7))))
    ticket -= int(np.int64(((sums << np.uint64(8)) >> np.uint64(8 * pair)) & BYTE))
    first = int(np.int64((odd >> np.uint64(8 * pair)) & BYTE))
    card = 2 * pair + 1 + (ticket >= first)
    return State(state.own, state.other, state.laid, state.left - 1, card, state.mover)


@inlined
def may_keep(settings: Settings, state: State) -> bool:
    """Not if that alone takes a stack over, where this is forbidden."""
    keeping, giving = state.own + state.card, state.other + state.card
    return settings.overflow != 0 or keeping <= settings.target or giving > settings.target


@inlined
def may_give(settings: Settings, state: State) -> bool:
    """Not if that takes a stack over, where this is forbidden or keeping does, too."""
    keeping, giving = state.own + state.card, state.other + state.card
    return giving <= settings.target or (settings.overflow != 0 and keeping <= settings.target)


@inlined
def choices(settings: Settings, state: State, seat: int) -> int:
    """To keep and to give, if both are open."""
    return may_keep(settings, state) + may_give(settings, state)


@inlined
def choose(settings: Settings, state: State, seat: int, choice: int) -> int:
    """To keep is 0, to give is 1."""
    return choice if may_keep(settings, state) else 1


@inlined
def legal(settings: Settings, state: State, seat: int, action: int) -> bool:
    """Whether it is open with the card in hand."""
    if action == 0:
        return may_keep(settings, state)
    return action == 1 and may_give(settings, state)


@inlined
def play(settings: Settings, state: State, gives: int, _: int) -> State:
    """The card lies on the chosen stack, and the turn passes."""
    own, other = state.own + state.card * (1 - gives), state.other + state.card * gives
    laid = state.laid + (1 << (CARD_BITS * (state.card - 1)))
    return State(other, own, laid, state.left, 0, 1 - state.mover)


@inlined
def result(settings: Settings, state: State) -> int:
    """A stack at the target has won, one over it has lost; an empty deck is a draw."""
    sign = 1 - 2 * state.mover
    if state.own >= settings.target:
        return sign if state.own == settings.target else -sign
    if state.other >= settings.target:
        return -sign if state.other == settings.target else sign
    return ONGOING if state.left or state.card else 0


@inlined
def observe(settings: Settings, state: State, seat: int, out: Ints, index: int, place: int) -> None:
    """Both totals, what has been laid, whose turn it is, and the card in one's own hand."""
    moves = seat == state.mover
    out[index, place, 0] = state.own if moves else state.other
    out[index, place, 1] = state.other if moves else state.own
    turn = 2 + settings.highest
    out[index, place, turn] = moves
    out[index, place, turn + 1] = state.card != 0
    held = state.card if moves else 0
    for n in range(settings.highest):
        out[index, place, 2 + n] = state.laid >> (CARD_BITS * n) & CARD_MASK
        out[index, place, turn + 2 + n] = held == n + 1


@inlined
def mark(settings: Settings, state: State, seat: int, out: Marks, index: int, place: int) -> None:
    """Keep and give."""
    out[index, place, 0] = may_keep(settings, state)
    out[index, place, 1] = may_give(settings, state)


RULES = Rules(begin, load, mover, choices, choose, legal, play, result, observe, mark, deal=deal)


def kernel(game: NumberStackShowdown) -> BatchKernel:

    def pack(state: number_stack_showdown.State) -> State:
        laid = sum(1 << CARD_BITS * (card - 1) for stack in state.stacks for card in stack)
        card = state.card.number if isinstance(state.card, Card) else 0
        left = sum(game.deck(state))
        own, other = state.total(state.mover), state.total(state.mover.other)
        return State(own, other, laid, left, card, int(state.mover))

    overflow = int(game.overflow == "allowed")
    deck = sum(game.copies << CARD_BITS * n for n in range(game.highest))
    settings = Settings(game.first - 1, game.target, game.highest, game.copies, overflow, deck)
    return BatchKernel(RULES, settings, pack, len(State._fields))
