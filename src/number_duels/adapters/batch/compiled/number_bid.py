"""Number Bid, packed: the pool as bits, and Player 1's lead."""

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
from number_duels.games import number_bid
from number_duels.games.number_bid import NumberBid

GAME_CLASS = NumberBid


class Settings(NamedTuple):
    numbers: int


class State(NamedTuple):
    """The pool and Player 1's lead."""

    pool: int
    lead: int


@inlined
def begin(settings: Settings) -> State:
    """The full pool and no points."""
    return State((1 << settings.numbers) - 1, 0)


@inlined
def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1])


@inlined
def mover(state: State) -> int:
    """Both bid; the first seat stands for them."""
    return 0


@inlined
def choices(settings: Settings, state: State, seat: int) -> int:
    """Every number of the pool."""
    return size(state.pool)


@inlined
def choose(settings: Settings, state: State, seat: int, choice: int) -> int:
    """The numbers in order."""
    return member(state.pool, choice)


@inlined
def legal(settings: Settings, state: State, seat: int, action: int) -> bool:
    """Whether the number is in the pool."""
    return 0 <= action < settings.numbers and state.pool >> action & 1 != 0


@inlined
def play(settings: Settings, state: State, one: int, two: int) -> State:
    """The higher bid scores the sum of both; the bid numbers leave the pool."""
    higher = (one > two) - (one < two)
    return State(state.pool & ~(1 << one | 1 << two), state.lead + higher * (one + two + 2))


@inlined
def result(settings: Settings, state: State) -> int:
    """Over when the pool is empty: the lead decides."""
    return ONGOING if state.pool else (state.lead > 0) - (state.lead < 0)


@inlined
def observe(settings: Settings, state: State, seat: int, out: Ints, index: int, place: int) -> None:
    """The pool, and the lead."""
    for n in range(settings.numbers):
        out[index, place, n] = state.pool >> n & 1
    out[index, place, settings.numbers] = state.lead * (1 - 2 * seat)


@inlined
def mark(settings: Settings, state: State, seat: int, out: Marks, index: int, place: int) -> None:
    """Every number of the pool."""
    for n in range(settings.numbers):
        out[index, place, n] = state.pool >> n & 1 != 0


RULES = Rules(begin, load, mover, choices, choose, legal, play, result, observe, mark, both=True)


def pack(state: number_bid.State) -> State:
    return State(sum(1 << n - 1 for n in state.pool), state.scores[0] - state.scores[1])


def kernel(game: NumberBid) -> BatchKernel:
    return BatchKernel(RULES, Settings(game.numbers), pack, len(State._fields))
