"""High-Low Battle, packed: both hands as bits, Player 1's lead, and who was lower before."""

# ruff: noqa: ARG001, PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

from typing import NamedTuple

from number_duels.adapters.batch.compiled.bitsets import member, size
from number_duels.adapters.batch.compiled.driver import (
    ONGOING,
    BatchKernel,
    Ints,
    Marks,
    Rows,
    Rules,
)
from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.core.game import Seat
from number_duels.games import high_low_battle
from number_duels.games.high_low_battle import HighLowBattle, lower_before

GAME_CLASS = HighLowBattle


class Settings(NamedTuple):
    cards: int
    rounds: int
    level_draws: int


class State(NamedTuple):
    """Both hands, Player 1's lead, and who was lower before: 1 Player 1, -1 Player 2, 0 nobody."""

    one: int
    two: int
    lead: int
    lower: int


@inlined
def begin(settings: Settings) -> State:
    """Two full hands and no points."""
    hand = (1 << settings.cards) - 1
    return State(hand, hand, 0, 0)


@inlined
def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2], rows[index, 3])


@inlined
def mover(state: State) -> int:
    """Both play a card; the first seat stands for them."""
    return 0


@inlined
def hand(state: State, seat: int) -> int:
    return state.two if seat else state.one


@inlined
def choices(settings: Settings, state: State, seat: int) -> int:
    """Every card of the hand; both hands have equally many."""
    return size(state.one)


@inlined
def choose(settings: Settings, state: State, seat: int, choice: int) -> int:
    """The cards in order."""
    return member(hand(state, seat), choice)


@inlined
def legal(settings: Settings, state: State, seat: int, action: int) -> bool:
    """Whether the card is in the hand."""
    return 0 <= action < settings.cards and hand(state, seat) >> action & 1 != 0


@inlined
def play(settings: Settings, state: State, one: int, two: int) -> State:
    """The higher card earns 1 point; a tie earns 2 for the one who was lower before."""
    higher = (one > two) - (one < two)
    lead = state.lead + (higher if higher else 2 * state.lower)
    lower = -higher if higher else state.lower
    return State(state.one & ~(1 << one), state.two & ~(1 << two), lead, lower)


@inlined
def result(settings: Settings, state: State) -> int:
    """Level scores go on while cards are left."""
    if settings.cards - size(state.one) < settings.rounds:
        return ONGOING
    if state.lead == 0 and state.one and not settings.level_draws:
        return ONGOING
    return (state.lead > 0) - (state.lead < 0)


@inlined
def observe(settings: Settings, state: State, seat: int, out: Ints, index: int, place: int) -> None:
    """Both hands, the lead, and who was lower before."""
    own, other, sign = hand(state, seat), hand(state, 1 - seat), 1 - 2 * seat
    for n in range(settings.cards):
        out[index, place, n] = own >> n & 1
        out[index, place, settings.cards + n] = other >> n & 1
    out[index, place, 2 * settings.cards] = state.lead * sign
    out[index, place, 2 * settings.cards + 1] = state.lower * sign


@inlined
def mark(settings: Settings, state: State, seat: int, out: Marks, index: int, place: int) -> None:
    """Every card of the hand."""
    own = hand(state, seat)
    for n in range(settings.cards):
        out[index, place, n] = own >> n & 1 != 0


RULES = Rules(begin, load, mover, choices, choose, legal, play, result, observe, mark, both=True)


def pack(state: high_low_battle.State) -> State:
    one, two = (sum(1 << n - 1 for n in cards) for cards in state.hands)
    before = lower_before(state)
    lower = 0 if before is None else 1 if before is Seat.ONE else -1
    return State(one, two, state.scores[0] - state.scores[1], lower)


def kernel(game: HighLowBattle) -> BatchKernel:
    return BatchKernel(
        RULES,
        Settings(game.cards, game.rounds, int(game.level == "draw")),
        pack,
        len(State._fields),
    )
