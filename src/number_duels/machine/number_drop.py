"""Machine rules of Number Drop: both grids as bits, with the mover's grid first."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from number_duels.core.game import Seat
from number_duels.games import number_drop
from number_duels.games.number_drop import NumberDrop
from number_duels.machine.operations import Number, member, select, size
from number_duels.machine.rules import (
    FIRST_CODE,
    ONGOING,
    Codes,
    Integers,
    Options,
    PackedGame,
    Rows,
    Rules,
    Words,
    integers,
    sets_of_size,
)

GAME_CLASS = NumberDrop
KNOWN_SETTINGS = {"first": (1, 2), "side": range(1, 6)}


class Settings(NamedTuple):
    first: int
    cells: int
    #: How many actions use a pair. The others use the last number.
    pairs: int
    used: Integers
    struck: Integers
    #: The indexes of the two numbers of each pair. The row is how many numbers are left.
    smaller: Integers
    larger: Integers


class State(NamedTuple):
    """The numbers that the mover (`own`) and the `other` seat have left, as bits."""

    own: Number
    other: Number
    mover: Number


def begin(settings: Settings) -> State:
    full = (1 << settings.cells) - 1
    return State(full, full, settings.first)


def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2])


def mover(state: State) -> Number:
    return state.mover


def grid(settings: Settings, state: State, seat: Number) -> Number:
    return state.own


def choices(settings: Settings, state: State, seat: Number) -> Number:
    left = size(state.own)
    return select(left > 1, left * (left - 1), 1)


def choose(settings: Settings, state: State, seat: Number, choice: Number) -> Number:
    """Return the legal action with the index `choice`.

    Action 2n adds the n-th pair of numbers, and action 2n + 1 subtracts it. Actions with a single
    number come last.
    """
    left = size(state.own)
    small = member(state.own, settings.smaller[left, choice >> 1], settings.cells)
    large = member(state.own, settings.larger[left, choice >> 1], settings.cells)
    before = small * (2 * settings.cells - small - 1) // 2 + large - small - 1
    return select(left == 1, settings.pairs + small, 2 * before + (choice & 1))


def is_open(settings: Settings, state: State, seat: Number, action: Number) -> Number:
    used = settings.used[action]
    alone = (action < settings.pairs) | (state.own == used)
    return alone & (state.own & used == used)


def play(settings: Settings, state: State, action: Number, _: Number) -> State:
    own = state.own & ~settings.used[action]
    return State(state.other & ~settings.struck[action], own, 1 - state.mover)


def result(settings: Settings, state: State) -> Number:
    # If both grids are empty, the seat that moved last wins.
    sign = 1 - 2 * state.mover
    return select(state.own == 0, -sign, select(state.other != 0, ONGOING, sign))


def observe(settings: Settings, state: State, seat: Number) -> Words:
    moves = seat == state.mover
    own, other = (
        select(moves, state.own, state.other),
        select(moves, state.other, state.own),
    )
    return own, other, select(moves, 1, 0)


def code(settings: Settings, state: State) -> Number:
    return FIRST_CODE + (state.own << settings.cells) + state.other


def decode(settings: Settings, code: Number, mover: Number) -> State:
    full = (1 << settings.cells) - 1
    return State((code - FIRST_CODE) >> settings.cells, (code - FIRST_CODE) & full, mover)


def count(settings: Settings) -> int:
    return FIRST_CODE + (1 << 2 * settings.cells)


def layers(settings: Settings) -> Iterator[tuple[Rows, Rows]]:
    cells = range(1, settings.cells + 1)
    sets = [sets_of_size(settings.cells, left) for left in (0, *cells)]
    for own, other in sorted(product(cells, cells), key=sum, reverse=True):
        yield FIRST_CODE + (sets[own] << settings.cells), sets[other]


def counts(settings: Settings) -> tuple[int, int, int]:
    return settings.cells, settings.cells, 1


OPTIONS = Options(choices, choose, is_open, grid)
RULES = Rules(
    begin,
    load,
    mover,
    OPTIONS,
    play,
    result,
    observe,
    counts,
    widths=(1, 1, 0),
    codes=Codes(code, decode, count, layers),
    tables=True,
)


def pack(state: number_drop.State) -> State:
    one, two = (sum(1 << n - 1 for n in state.left(seat)) for seat in Seat)
    own, other = (one, two) if state.mover is Seat.ONE else (two, one)
    return State(own, other, int(state.mover))


def packed(game: NumberDrop) -> PackedGame:
    cells, attacks = game.side**2, game.all_moves()
    most = max(1, cells * (cells - 1) // 2)
    pairs = [[*combinations(range(left), 2)] for left in range(cells + 1)]
    padded = [row + [(0, 0)] * (most - len(row)) for row in pairs]
    full = (1 << cells) - 1
    settings = Settings(
        first=game.first - 1,
        cells=cells,
        pairs=sum(attack.operation is not None for attack in attacks),
        used=integers([1 << a.larger - 1 | (1 << a.smaller) >> 1 for a in attacks]),
        # A result larger than all numbers strikes nothing.
        struck=integers([full & 1 << attack.result - 1 for attack in attacks]),
        smaller=integers([[small for small, _ in row] for row in padded], "int8"),
        larger=integers([[large for _, large in row] for row in padded], "int8"),
    )
    return PackedGame(RULES, settings, pack, ((0, full), (0, full), (0, 1)), len(attacks))
