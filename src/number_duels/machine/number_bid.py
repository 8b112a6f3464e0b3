"""Machine rules of Number Bid: the pool as bits, and Player 1's lead."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from number_duels.games import number_bid
from number_duels.games.number_bid import NumberBid
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

GAME_CLASS = NumberBid
KNOWN_SETTINGS = {"numbers": range(2, 21)}


class Settings(NamedTuple):
    numbers: int
    points: int


class State(NamedTuple):
    pool: Number
    lead: Number


def begin(settings: Settings) -> State:
    return State((1 << settings.numbers) - 1, 0)


def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1])


def mover(state: State) -> Number:
    # Both seats decide, so there is no single mover.
    return 0


def pool(settings: Settings, state: State, seat: Number) -> Number:
    return state.pool


def play(settings: Settings, state: State, one: Number, two: Number) -> State:
    lead = state.lead + sign(one - two) * (one + two + 2)
    return State(state.pool & ~(1 << one | 1 << two), lead)


def result(settings: Settings, state: State) -> Number:
    return select(state.pool != 0, ONGOING, sign(state.lead))


def observe(settings: Settings, state: State, seat: Number) -> Words:
    return state.pool, state.lead * (1 - 2 * seat)


def code(settings: Settings, state: State) -> Number:
    return FIRST_CODE + state.pool * (2 * settings.points + 1) + state.lead + settings.points


def decode(settings: Settings, code: Number, _: Number) -> State:
    leads = 2 * settings.points + 1
    return State((code - FIRST_CODE) // leads, (code - FIRST_CODE) % leads - settings.points)


def count(settings: Settings) -> int:
    return FIRST_CODE + (2 * settings.points + 1 << settings.numbers)


def layers(settings: Settings) -> Iterator[tuple[Rows, Rows]]:
    import numpy as np

    leads = 2 * settings.points + 1
    for left in range(settings.numbers, 0, -1):
        yield FIRST_CODE + sets_of_size(settings.numbers, left) * leads, np.arange(leads)


def mirror(state: State) -> State:
    return State(state.pool, -state.lead)


def counts(settings: Settings) -> tuple[int, int]:
    return settings.numbers, 1


OPTIONS = options_of_bits(pool, counts)
RULES = Rules(
    begin,
    load,
    mover,
    OPTIONS,
    play,
    result,
    observe,
    counts,
    widths=(1, 0),
    both=True,
    codes=Codes(code, decode, count, layers, mirror),
)


def pack(state: number_bid.State) -> State:
    return State(sum(1 << n - 1 for n in state.pool), state.scores[0] - state.scores[1])


def packed(game: NumberBid) -> PackedGame:
    points = game.numbers * (game.numbers + 1) // 2
    bounds = ((0, (1 << game.numbers) - 1), (-points, points))
    return PackedGame(RULES, Settings(game.numbers, points), pack, bounds, game.numbers)
