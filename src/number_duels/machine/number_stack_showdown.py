"""Machine rules of Number Stack Showdown: totals, counts of played cards, and the card in hand."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from typing import NamedTuple

from number_duels.games import number_stack_showdown
from number_duels.games.number_stack_showdown import Card, NumberStackShowdown
from number_duels.machine.operations import (
    CARD_BITS,
    CARDS_IN_LOW,
    Number,
    drawn_card,
    select,
)
from number_duels.machine.rules import ONGOING, Options, PackedGame, Rows, Rules, Words

GAME_CLASS = NumberStackShowdown
KNOWN_SETTINGS = {
    "first": (1, 2),
    "target": range(1, 101),
    "highest": range(1, 14),
    "copies": range(1, 9),
    "overflow": ("forbidden", "allowed"),
}


class Settings(NamedTuple):
    """`deck_low` and `deck_high` are the packed card counts of a full deck."""

    first: int
    target: int
    highest: int
    copies: int
    overflow: int
    deck_low: int
    deck_high: int


class State(NamedTuple):
    """The totals of the mover (`own`) and of the `other` seat.

    `low` and `high` are the packed counts of the cards on the stacks. `left` is the number of cards
    in the deck. `card` is the card in hand, or 0.
    """

    own: Number
    other: Number
    low: Number
    high: Number
    left: Number
    card: Number
    mover: Number


def begin(settings: Settings) -> State:
    return State(0, 0, 0, 0, settings.highest * settings.copies, 0, settings.first)


def load(rows: Rows, index: int) -> State:
    return State(
        rows[index, 0],
        rows[index, 1],
        rows[index, 2],
        rows[index, 3],
        rows[index, 4],
        rows[index, 5],
        rows[index, 6],
    )


def mover(state: State) -> Number:
    return state.mover


def deck(settings: Settings, state: State) -> Number:
    return state.left


def deal(settings: Settings, state: State, ticket: Number) -> State:
    """Draw the card at index `ticket` of the sorted deck."""
    low, high = settings.deck_low - state.low, settings.deck_high - state.high
    card = drawn_card(low, high, ticket, settings.highest)
    return State(state.own, state.other, state.low, state.high, state.left - 1, card, state.mover)


def may_keep(settings: Settings, state: State) -> Number:
    keeping, giving = state.own + state.card, state.other + state.card
    return (settings.overflow != 0) | (keeping <= settings.target) | (giving > settings.target)


def may_give(settings: Settings, state: State) -> Number:
    keeping, giving = state.own + state.card, state.other + state.card
    return (giving <= settings.target) | (settings.overflow != 0) & (keeping <= settings.target)


def choices(settings: Settings, state: State, seat: Number) -> Number:
    return select(may_keep(settings, state), 1, 0) + select(may_give(settings, state), 1, 0)


def choose(settings: Settings, state: State, seat: Number, choice: Number) -> Number:
    # Action 0 keeps the card, and action 1 gives it away.
    return select(may_keep(settings, state), choice, 1)


def is_open(settings: Settings, state: State, seat: Number, action: Number) -> Number:
    keeps, gives = may_keep(settings, state), may_give(settings, state)
    return (action == 0) & keeps | (action != 0) & gives


def play(settings: Settings, state: State, gives: Number, _: Number) -> State:
    own, other = state.own + state.card * (1 - gives), state.other + state.card * gives
    is_low = state.card <= CARDS_IN_LOW
    place = state.card - select(is_low, 1, CARDS_IN_LOW + 1)
    one = 1 << (CARD_BITS * place)
    low, high = state.low + select(is_low, one, 0), state.high + select(is_low, 0, one)
    return State(other, own, low, high, state.left, 0, 1 - state.mover)


def result(settings: Settings, state: State) -> Number:
    sign, target = 1 - 2 * state.mover, settings.target
    by_own = select(state.own == target, sign, -sign)
    by_other = select(state.other == target, -sign, sign)
    going = select((state.left != 0) | (state.card != 0), ONGOING, 0)
    return select(state.own >= target, by_own, select(state.other >= target, by_other, going))


def observe(settings: Settings, state: State, seat: int) -> Words:
    moves = seat == state.mover
    own, other = (
        select(moves, state.own, state.other),
        select(moves, state.other, state.own),
    )
    held = select(moves, 1 << state.card, 1) >> 1
    drawn = select(state.card != 0, 1, 0)
    return own, other, state.low, state.high, select(moves, 1, 0), drawn, held


def counts(settings: Settings) -> tuple[int, int, int, int, int, int, int]:
    in_low = min(settings.highest, CARDS_IN_LOW)
    return 1, 1, in_low, settings.highest - in_low, 1, 1, settings.highest


OPTIONS = Options(choices, choose, is_open)
RULES = Rules(
    begin,
    load,
    mover,
    OPTIONS,
    play,
    result,
    observe,
    counts,
    widths=(0, 0, CARD_BITS, CARD_BITS, 0, 0, 1),
    deck=deck,
    deal=deal,
    cards=True,
)


def words(laid: dict[int, int]) -> tuple[int, int]:
    low = sum(c << CARD_BITS * (n - 1) for n, c in laid.items() if n <= CARDS_IN_LOW)
    high = sum(c << CARD_BITS * (n - 1 - CARDS_IN_LOW) for n, c in laid.items() if n > CARDS_IN_LOW)
    return low, high


def packed(game: NumberStackShowdown) -> PackedGame:
    every = range(1, game.highest + 1)

    def pack(state: number_stack_showdown.State) -> State:
        laid = state.stacks[0] + state.stacks[1]
        low, high = words({n: laid.count(n) for n in every})
        card = state.card.number if isinstance(state.card, Card) else 0
        own, other = state.total(state.mover), state.total(state.mover.other)
        return State(own, other, low, high, sum(game.deck(state)), card, int(state.mover))

    overflow = int(game.overflow == "allowed")
    low, high = words(dict.fromkeys(every, game.copies))
    settings = Settings(game.first - 1, game.target, game.highest, game.copies, overflow, low, high)
    total, left = (0, game.target + game.highest - 1), (0, game.highest * game.copies)
    bounds = (total, total, (0, low), (0, high), left, (0, game.highest), (0, 1))
    return PackedGame(RULES, settings, pack, bounds, len(game.all_moves()))
