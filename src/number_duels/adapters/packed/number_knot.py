"""Number Knot, packed: the line as bits, and both lives, the mover's first."""

# ruff: noqa: ARG001 -- every game's rules are called alike, and by place

from __future__ import annotations

from typing import NamedTuple

from number_duels.adapters.packed.operations import Number, select
from number_duels.adapters.packed.rules import (
    ONGOING,
    PackedGame,
    Rows,
    Rules,
    Words,
    options_of_bits,
)
from number_duels.games import number_knot
from number_duels.games.number_knot import NumberKnot
from number_duels.solvers.layered import ENDS

GAME_CLASS = NumberKnot


class Settings(NamedTuple):
    first: int
    life: int
    numbers: int
    higher_life: int
    #: How many lives the solver's codes have room for.
    lives: int


class State(NamedTuple):
    """The line, the life of who moves and of the other, and who moves."""

    line: Number
    own: Number
    other: Number
    mover: Number


def begin(settings: Settings) -> State:
    """The whole line and two full lives."""
    return State((1 << settings.numbers) - 1, settings.life, settings.life, settings.first)


def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2], rows[index, 3])


def mover(state: State) -> Number:
    return state.mover


def line(settings: Settings, state: State, seat: Number) -> Number:
    """Every number of the line; to add is even, to subtract is odd."""
    return state.line


def play(settings: Settings, state: State, action: Number, _: Number) -> State:
    """The number leaves the line and changes one life; the turn passes."""
    place, subtracts = action >> 1, action & 1
    own = state.own + (place + 1) * (1 - subtracts)
    other = state.other - (place + 1) * subtracts
    return State(state.line & ~(1 << place), other, own, 1 - state.mover)


def result(settings: Settings, state: State) -> Number:
    """After a turn only who moves next can be down."""
    sign = 1 - 2 * state.mover
    lead = select(state.own > state.other, 1, 0) - select(state.own < state.other, 1, 0)
    exhausted = sign * lead * settings.higher_life
    return select(state.own <= 0, -sign, select(state.line != 0, ONGOING, exhausted))


def observe(settings: Settings, state: State, seat: Number) -> Words:
    """The line, both lives, and whose turn it is."""
    moves = seat == state.mover
    own, other = (
        select(moves, state.own, state.other),
        select(moves, state.other, state.own),
    )
    return state.line, own, other, select(moves, 1, 0)


def code(settings: Settings, state: State) -> Number:
    """The solver's number of an unfinished state."""
    return ENDS + (state.line * settings.lives + state.own) * settings.lives + state.other


def decode(settings: Settings, code: Number, mover: Number) -> State:
    """The state that has a code."""
    rest, other = (code - ENDS) // settings.lives, (code - ENDS) % settings.lives
    return State(rest // settings.lives, rest % settings.lives, other, mover)


def counts(settings: Settings) -> tuple[int, int, int, int]:
    return settings.numbers, 1, 1, 1


OPTIONS = options_of_bits(line, counts, doubling=1)
RULES = Rules(
    begin,
    load,
    mover,
    OPTIONS,
    play,
    result,
    observe,
    counts,
    widths=(1, 0, 0, 0),
    codes=(code, decode),
)


def pack(state: number_knot.State) -> State:
    line = sum(1 << n - 1 for n in state.line)
    return State(line, state.life[state.mover], state.life[state.mover.other], int(state.mover))


def packed(game: NumberKnot) -> PackedGame:
    most = game.life + game.numbers * (game.numbers + 1) // 2
    higher_life = int(game.exhausted == "higher-life")
    settings = Settings(game.first - 1, game.life, game.numbers, higher_life, most + 1)
    life = 1 - game.numbers, most
    bounds = ((0, (1 << game.numbers) - 1), life, life, (0, 1))
    return PackedGame(RULES, settings, pack, bounds, 2 * game.numbers)
