"""Number Drop, packed: both grids as bits, the mover's first.

Where the numbers lie makes no difference to play, so nothing is dealt here.
"""

# ruff: noqa: ARG001, PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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
from number_duels.games import number_drop
from number_duels.games.number_drop import NumberDrop

GAME_CLASS = NumberDrop


class Settings(NamedTuple):
    """The settings, and what every action uses and strikes, as bits."""

    first: int
    cells: int
    #: How many actions take a pair; the others take the last number.
    pairs: int
    used: npt.NDArray[np.int32]
    struck: npt.NDArray[np.int64]
    #: The n-th pair of as many numbers as are left: the smaller and the larger one's place.
    smaller: npt.NDArray[np.int8]
    larger: npt.NDArray[np.int8]


class State(NamedTuple):
    """The numbers left to the mover and to the other, and who moves."""

    own: int
    other: int
    mover: int


@inlined
def begin(settings: Settings) -> State:
    """Two whole grids."""
    grid = (1 << settings.cells) - 1
    return State(grid, grid, settings.first)


@inlined
def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2])


@inlined
def mover(state: State) -> int:
    return state.mover


@inlined
def choices(settings: Settings, state: State, seat: int) -> int:
    """Every pair with either operation; or the last number."""
    left = size(state.own)
    return left * (left - 1) if left > 1 else 1


@inlined
def choose(settings: Settings, state: State, seat: int, choice: int) -> int:
    """The pairs in order, to add is even and to subtract is odd; then the single numbers."""
    left = size(state.own)
    if left == 1:
        return settings.pairs + member(state.own, 0)
    small = member(state.own, int(settings.smaller[left, choice >> 1]))
    large = member(state.own, int(settings.larger[left, choice >> 1]))
    before = small * (2 * settings.cells - small - 1) // 2 + large - small - 1
    return 2 * before + (choice & 1)


@inlined
def legal(settings: Settings, state: State, seat: int, action: int) -> bool:
    """Whether its numbers are left, and a single one is the last."""
    if action < 0 or action >= len(settings.used):
        return False
    used = int(settings.used[action])
    return state.own == used if action >= settings.pairs else state.own & used == used


@inlined
def play(settings: Settings, state: State, action: int, _: int) -> State:
    """The used numbers go, and the result goes from the other grid; the turn passes."""
    own, other = (
        state.own & ~int(settings.used[action]),
        state.other & ~int(settings.struck[action]),
    )
    return State(other, own, 1 - state.mover)


@inlined
def result(settings: Settings, state: State) -> int:
    """An empty grid has lost; if both are empty, the one whose turn it was has won."""
    if state.own == 0:
        return 2 * state.mover - 1
    return ONGOING if state.other else 1 - 2 * state.mover


@inlined
def observe(settings: Settings, state: State, seat: int, out: Ints, index: int, place: int) -> None:
    """The numbers left on both grids, and whose turn it is."""
    moves = seat == state.mover
    own, other = (state.own, state.other) if moves else (state.other, state.own)
    for n in range(settings.cells):
        out[index, place, n] = own >> n & 1
        out[index, place, settings.cells + n] = other >> n & 1
    out[index, place, 2 * settings.cells] = moves


@inlined
def mark(settings: Settings, state: State, seat: int, out: Marks, index: int, place: int) -> None:
    """Every pair that is left, or the last number."""
    own = np.int32(state.own)
    for action in range(settings.pairs):
        out[index, place, action] = own & settings.used[action] == settings.used[action]
    for action in range(settings.pairs, len(settings.used)):
        out[index, place, action] = own == settings.used[action]


RULES = Rules(begin, load, mover, choices, choose, legal, play, result, observe, mark)


def pack(state: number_drop.State) -> State:
    one, two = (sum(1 << n - 1 for n in state.left(seat)) for seat in Seat)
    own, other = (one, two) if state.mover is Seat.ONE else (two, one)
    return State(own, other, int(state.mover))


def kernel(game: NumberDrop) -> BatchKernel:
    cells, attacks = game.side**2, game.all_moves()
    smaller, larger = np.zeros((2, cells + 1, max(1, cells * (cells - 1) // 2)), np.int8)
    for left in range(2, cells + 1):
        for n, pair in enumerate(combinations(range(left), 2)):
            smaller[left, n], larger[left, n] = pair
    settings = Settings(
        first=game.first - 1,
        cells=cells,
        pairs=sum(attack.operation is not None for attack in attacks),
        used=np.array([1 << a.larger - 1 | (1 << a.smaller) >> 1 for a in attacks], np.int32),
        struck=np.array([1 << attack.result - 1 for attack in attacks], np.int64),
        smaller=smaller,
        larger=larger,
    )
    return BatchKernel(RULES, settings, pack, len(State._fields))
