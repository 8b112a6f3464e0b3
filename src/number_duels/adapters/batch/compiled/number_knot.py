"""Number Knot, packed: the line as bits, and both lives, the mover's first."""

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
from number_duels.games import number_knot
from number_duels.games.number_knot import NumberKnot

GAME_CLASS = NumberKnot


class Settings(NamedTuple):
    first: int
    life: int
    numbers: int
    higher_life: int


class State(NamedTuple):
    """The line, the life of who moves and of the other, and who moves."""

    line: int
    own: int
    other: int
    mover: int


@inlined
def begin(settings: Settings) -> State:
    """The whole line and two full lives."""
    return State((1 << settings.numbers) - 1, settings.life, settings.life, settings.first)


@inlined
def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2], rows[index, 3])


@inlined
def mover(state: State) -> int:
    return state.mover


@inlined
def choices(settings: Settings, state: State, seat: int) -> int:
    """Every number of the line, with either action."""
    return 2 * size(state.line)


@inlined
def choose(settings: Settings, state: State, seat: int, choice: int) -> int:
    """To add is even, to subtract is odd."""
    return 2 * member(state.line, choice >> 1) + (choice & 1)


@inlined
def legal(settings: Settings, state: State, seat: int, action: int) -> bool:
    """Whether the number is on the line."""
    return 0 <= action < 2 * settings.numbers and state.line >> (action >> 1) & 1 != 0


@inlined
def play(settings: Settings, state: State, action: int, _: int) -> State:
    """The number leaves the line and changes one life; the turn passes."""
    place, subtracts = action >> 1, action & 1
    own = state.own + (place + 1) * (1 - subtracts)
    other = state.other - (place + 1) * subtracts
    return State(state.line & ~(1 << place), other, own, 1 - state.mover)


@inlined
def result(settings: Settings, state: State) -> int:
    """After a turn only who moves next can be down."""
    if state.own <= 0:
        return 2 * state.mover - 1
    if state.line:
        return ONGOING
    if settings.higher_life and state.own != state.other:
        return 1 - 2 * state.mover if state.own > state.other else 2 * state.mover - 1
    return 0


@inlined
def observe(settings: Settings, state: State, seat: int, out: Ints, index: int, place: int) -> None:
    """The line, both lives, and whose turn it is."""
    for n in range(settings.numbers):
        out[index, place, n] = state.line >> n & 1
    own = seat == state.mover
    out[index, place, settings.numbers] = state.own if own else state.other
    out[index, place, settings.numbers + 1] = state.other if own else state.own
    out[index, place, settings.numbers + 2] = own


@inlined
def mark(settings: Settings, state: State, seat: int, out: Marks, index: int, place: int) -> None:
    """Both actions of every number on the line."""
    for n in range(settings.numbers):
        there = state.line >> n & 1 != 0
        out[index, place, 2 * n] = there
        out[index, place, 2 * n + 1] = there


RULES = Rules(begin, load, mover, choices, choose, legal, play, result, observe, mark)


def pack(state: number_knot.State) -> State:
    line = sum(1 << n - 1 for n in state.line)
    return State(line, state.life[state.mover], state.life[state.mover.other], int(state.mover))


def kernel(game: NumberKnot) -> BatchKernel:
    higher_life = int(game.exhausted == "higher-life")
    return BatchKernel(
        RULES,
        Settings(game.first - 1, game.life, game.numbers, higher_life),
        pack,
        len(State._fields),
    )
