"""The parts of a turn, put together from a game's packed rules for compiled code.

Functions that the loops call get numbers and single arrays, never all `BatchArrays`: Numba would
count references to them each time.
"""

# ruff: noqa: PLR0917 -- compiled functions are called by place

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import States
from number_duels.adapters.batch.compiled.jit import inlined
from number_duels.adapters.batch.compiled.known import Ints, Marks
from number_duels.adapters.batch.compiled.writing import Bytes, make_mark, make_show
from number_duels.adapters.batch.splitmix64 import (
    UINT32_MASK,
    Word,
    drawn_seat,
    mix,
    next_stream,
    pick_lower,
    pick_upper,
    stream_start,
)
from number_duels.adapters.packed.rules import ONGOING, Rules, State

#: The action of a seat, by a table and a random number.
Chooser: TypeAlias = Callable[..., int]

for shared in (mix, stream_start, next_stream, drawn_seat, pick_lower, pick_upper):
    inlined(shared)


@inlined
def first_stream(seed: np.uint64, index: int, played: int) -> Word:
    """Where the stream of a game begins."""
    # Numba must see unsigned words, or it computes with floats.
    return stream_start(seed, np.uint64(index), np.uint64(played))  # type: ignore[arg-type]


@inlined
def save(
    state: State, stream: Word, rows: States, streams: npt.NDArray[np.uint64], index: np.uintp
) -> None:
    for place in range(len(state)):
        rows[index, place] = state[place]
    streams[index] = stream


def make_present(rules: Rules) -> Callable[..., None]:
    """How it is written down who decides, what is seen, and what is open unless all is closed."""
    both, show, mark = rules.both, make_show(rules), make_mark(rules)

    @inlined
    def present(
        settings: object,
        state: State,
        seat: int,
        closed: bool,
        movers: npt.NDArray[np.int8],
        observations: Ints,
        masks: Bytes,
        index: int,
    ) -> None:
        movers[index] = 0 if both else seat
        for place in range(2 if both else 1):
            who = place if both else seat
            show(settings, state, who, observations, index, np.uintp(place))
            mark(settings, state, who, masks, index, np.uintp(place))
        if closed:
            masks[index] = 0

    return present


def make_choices(rules: Rules) -> tuple[Callable[..., int], Callable[..., int]]:
    """How many choices a seat has, and the action of the n-th."""
    return inlined(rules.options.choices), inlined(rules.options.choose)


def make_legal(rules: Rules) -> Callable[..., bool]:
    """Whether a number is an action that is open to a seat."""
    is_open = inlined(rules.options.open)

    @inlined
    def legal(settings: object, state: State, seat: int, action: int, actions: int) -> bool:
        return 0 <= action < actions and is_open(settings, state, seat, action)

    return legal


def make_deal(rules: Rules) -> Callable[..., State]:
    """How a card is drawn, by the upper half of the turn's number."""
    deck, deal = rules.deck, rules.deal

    @inlined
    def dealt(settings: object, state: State, number: Word) -> State:
        return deal(settings, state, pick_upper(number, deck(settings, state)))

    return dealt


def make_begin(rules: Rules) -> Callable[..., tuple[State, Word]]:
    """How a game begins: it has a stream, and its first card is drawn."""
    begin, deal = rules.begin, make_deal(rules)

    @inlined
    def opened(settings: object, seed: np.uint64, index: int, played: int) -> tuple[State, Word]:
        stream = first_stream(seed, index, played)
        return deal(settings, begin(settings), mix(stream)), stream

    return opened


def make_random_choice(rules: Rules) -> Chooser:
    """How a seat chooses at random, by the lower half of the turn's number."""
    choices, choose = make_choices(rules)

    @inlined
    def chosen(_: None, settings: object, state: State, seat: int, number: Word) -> int:
        return choose(settings, state, seat, pick_lower(number, choices(settings, state, seat)))

    return chosen


def make_table_choice(choose: Callable[..., int]) -> Chooser:
    """How a seat chooses by a table, by the lower half of the turn's number."""
    look_up = inlined(choose)

    @inlined
    def chosen(table: object, settings: object, state: State, seat: int, number: Word) -> int:
        return look_up(table, settings, state, seat, np.int64(number & UINT32_MASK))

    return chosen


def make_answer(rules: Rules, chosen: Chooser) -> Callable[..., tuple[State, Word, int]]:
    """How the rival moves, for as long as it alone is to move."""
    both, mover = rules.both, rules.mover
    play, result, deal = rules.play, rules.result, make_deal(rules)

    @inlined
    def answered(
        table: object, settings: object, state: State, stream: Word, rival: int
    ) -> tuple[State, Word, int]:
        end = ONGOING
        while end == ONGOING and not both and mover(state) == rival:
            action = chosen(table, settings, state, rival, mix(stream))
            state = play(settings, state, action, 0)
            end = result(settings, state)
            if end == ONGOING:
                stream = next_stream(stream)
                state = deal(settings, state, mix(stream))
        return state, stream, end

    return answered


def make_act(
    rules: Rules,
    chosen: Chooser,
    answered: Callable[..., tuple[State, Word, int]],
    picked: bool,
) -> Callable[..., tuple[State, Word, int, int]]:
    """What actions make of a game, up to the next turn: who was at fault, and the result."""
    both, mover = rules.both, rules.mover
    play, result, deal, legal = rules.play, rules.result, make_deal(rules), make_legal(rules)

    @inlined
    def acted(
        table: object,
        settings: object,
        state: State,
        stream: Word,
        pair: tuple[int, int],
        rival: int,
        actions: int,
    ) -> tuple[State, Word, int, int]:
        one, two = pair
        if both:
            if rival >= 0 and not picked:
                action = chosen(table, settings, state, rival, mix(stream))
                one, two = (action, two) if rival == 0 else (one, action)
            faults = (not legal(settings, state, 0, one, actions)) + 2 * (
                not legal(settings, state, 1, two, actions)
            )
        else:
            if rival >= 0 and result(settings, state) != ONGOING:
                return state, stream, 0, result(settings, state)
            faults = (not legal(settings, state, mover(state), one, actions)) << mover(state)
        if faults:
            return state, stream, faults, ONGOING
        state = play(settings, state, one, two)
        end = result(settings, state)
        if end == ONGOING:
            stream = next_stream(stream)
            state, stream, end = answered(
                table, settings, deal(settings, state, mix(stream)), stream, rival
            )
        return state, stream, 0, end

    return acted


def make_close(rules: Rules) -> Callable[..., None]:
    """How it is written down whether a game has ended, and how."""
    show = make_show(rules)

    @inlined
    def close(
        settings: object,
        state: State,
        over: bool,
        faults: int,
        end: int,
        index: int,
        rewards: npt.NDArray[np.float32],
        done: Marks,
        illegal: Marks,
        finals: Ints,
    ) -> None:
        done[index] = over
        rewards[index, 0] = rewards[index, 1] = 0
        illegal[index, 0] = illegal[index, 1] = False
        if not over:
            return
        for seat in range(2):
            fault = faults >> seat & 1 != 0
            illegal[index, seat] = fault
            rewards[index, seat] = end * (1 - 2 * seat)
            if faults:
                rewards[index, seat] = -1 if fault else 1
            show(settings, state, seat, finals, index, seat)

    return close
