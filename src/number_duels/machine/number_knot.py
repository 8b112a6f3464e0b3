"""Machine rules of Number Knot: the number line as bits, and both life totals, mover first."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from number_duels.games import number_knot
from number_duels.games.number_knot import NumberKnot
from number_duels.machine.operations import Number, select, sign
from number_duels.machine.rules import (
    FIRST_CODE,
    ONGOING,
    Codes,
    PackedGame,
    Rows,
    Rules,
    Words,
    options_of_bits,
    sets_of_size,
)

GAME_CLASS = NumberKnot
KNOWN_SETTINGS = {
    "first": (1, 2),
    "life": range(1, 100),
    "numbers": range(1, 16),
    "exhausted": ("draw", "higher-life"),
}


class Settings(NamedTuple):
    first: int
    life: int
    numbers: int
    higher_life: int
    #: How many different life totals the codes have room for.
    lives: int


class State(NamedTuple):
    line: Number
    own: Number
    other: Number
    mover: Number


def begin(settings: Settings) -> State:
    return State((1 << settings.numbers) - 1, settings.life, settings.life, settings.first)


def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2], rows[index, 3])


def mover(state: State) -> Number:
    return state.mover


def line(settings: Settings, state: State, seat: Number) -> Number:
    # Even actions add a number, and odd actions subtract it.
    return state.line


def play(settings: Settings, state: State, action: Number, _: Number) -> State:
    place = action >> 1
    subtracted = (place + 1) * (action & 1)
    own = state.own + (place + 1) - subtracted
    return State(state.line & ~(1 << place), state.other - subtracted, own, 1 - state.mover)


def result(settings: Settings, state: State) -> Number:
    # Only the mover can have run out of life.
    own_win = 1 - 2 * state.mover
    exhausted = sign(state.own - state.other) * (own_win * settings.higher_life)
    return select(state.own <= 0, -own_win, select(state.line != 0, ONGOING, exhausted))


def observe(settings: Settings, state: State, seat: Number) -> Words:
    moves = seat == state.mover
    own, other = (
        select(moves, state.own, state.other),
        select(moves, state.other, state.own),
    )
    return state.line, own, other, select(moves, 1, 0)


def code(settings: Settings, state: State) -> Number:
    return FIRST_CODE + (state.line * settings.lives + state.own) * settings.lives + state.other


def decode(settings: Settings, code: Number, mover: Number) -> State:
    rest, other = (code - FIRST_CODE) // settings.lives, (code - FIRST_CODE) % settings.lives
    return State(rest // settings.lives, rest % settings.lives, other, mover)


def count(settings: Settings) -> int:
    return FIRST_CODE + (settings.lives**2 << settings.numbers)


def layers(settings: Settings) -> Iterator[tuple[Rows, Rows]]:
    import numpy as np

    lives = settings.lives**2
    for left in range(settings.numbers, 0, -1):
        yield FIRST_CODE + sets_of_size(settings.numbers, left) * lives, np.arange(lives)


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
    codes=Codes(code, decode, count, layers),
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
