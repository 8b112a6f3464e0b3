"""What drives packed rules: thousands of games a step, and random playouts.

The drivers know no game. A kernel's rules are plain functions over a packed state; they are
handed to the drivers here and compiled together with them. Functions that the loops call get
numbers and single arrays, never `Tables`: Numba would count references to all of them each time.
"""

# ruff: noqa: ARG001, PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import States, Tables
from number_duels.adapters.batch.compiled.jit import EDITION, compiled, rule
from number_duels.adapters.batch.compiled.rng import GOLDEN, lower, mix, opening, upper

Rows: TypeAlias = npt.NDArray[np.int64]
State: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = npt.NDArray[np.int16]
Marks: TypeAlias = npt.NDArray[np.bool_]
Step: TypeAlias = Callable[[object, Tables, np.uint64, npt.NDArray[np.int64], int, bool], None]
Playouts: TypeAlias = Callable[[object, np.uint64, int], tuple[int, int, int, int]]

#: The result of a game that is not over; results are 1, 0 and -1, for Player 1.
GOING = 2


@rule
def no_cards(rules: object, state: State, number: np.uint64) -> State:
    """Nature has no part in this game."""
    return state


@dataclass(frozen=True)
class Rulebook:
    """The packed rules of a game; an action is numbered as `all_moves` lists the moves."""

    #: The first state, and a state from its row.
    begin: Callable[..., State]
    load: Callable[..., State]
    #: Who decides, how many choices a seat has, the action of the n-th, and whether one is legal.
    mover: Callable[..., int]
    choices: Callable[..., int]
    choose: Callable[..., int]
    legal: Callable[..., bool]
    #: The state after legal actions; where one seat decides the second action means nothing.
    play: Callable[..., State]
    #: Player 1's result, or `GOING`.
    result: Callable[..., int]
    #: What a seat sees and may do, written into a place of a row.
    observe: Callable[..., None]
    mark: Callable[..., None]
    #: The state after a card is drawn, by the upper half of the turn's number.
    deal: Callable[..., State] = no_cards
    #: Whether both seats decide at once.
    both: bool = False

    @cached_property
    def step(self) -> Step:
        """One turn of every game, or the beginning of every game."""
        return stepping(self)

    @cached_property
    def playouts(self) -> Playouts:
        """Whole games by random moves."""
        return playing_out(self)


class Kernel(NamedTuple):
    """The packed rules of a game, its settings, and the way from readable states to packed ones."""

    book: Rulebook
    rules: tuple[object, ...]
    pack: Callable[..., State]
    #: How many numbers a packed state has.
    width: int


def stepping(book: Rulebook) -> Step:
    """The compiled step of a game."""
    load, both, mover, observe, mark = book.load, book.both, book.mover, book.observe, book.mark
    answered = answering(book)
    opened, acted, close = opening_with(book), acting(book, answered), closing(book)
    edition = EDITION

    def step(
        rules: object, tables: Tables, seed: np.uint64, actions: Rows, rival: int, fresh: bool
    ) -> None:
        """Play a turn of every game, or begin them all."""
        edition  # noqa: B018 -- see where it is made
        rows, streams, played, movers, observations, masks, rewards, done, illegal, finals = tables
        for index in range(len(rows)):
            state, stream, faults, end = load(rows, index), streams[index], 0, GOING
            if not fresh:
                one, two = actions[index, 0], actions[index, 1 if both else 0]
                state, stream, faults, end = acted(rules, state, stream, one, two, rival)
            over = faults != 0 or end != GOING
            done[index] = over
            rewards[index, 0] = rewards[index, 1] = 0
            illegal[index, 0] = illegal[index, 1] = False
            if over:
                close(rules, state, faults, end, index, rewards, illegal, finals)
                played[index] += 1
            if over or fresh:
                state, stream = opened(rules, seed, index, played[index])
                state, stream, end = answered(rules, state, stream, rival)
            save(state, rows, index)
            streams[index] = stream
            for place in range(2 if both else 1):
                seat = place if both else mover(state) if rival < 0 else 1 - rival
                observe(rules, state, seat, observations, index, place)
                mark(rules, state, seat, masks, index, place)
            movers[index] = 0 if both else mover(state) if rival < 0 else 1 - rival
            if end != GOING:  # over before a first turn: nothing is open, and the next step tells
                masks[index] = False

    return compiled(step)


@rule
def save(state: State, rows: States, index: int) -> None:
    """A state into its row."""
    for place in range(len(state)):
        rows[index, place] = state[place]


def opening_with(book: Rulebook) -> Callable[..., tuple[State, np.uint64]]:
    """How a game begins: it has a stream, and its first card is drawn."""
    begin, deal = book.begin, book.deal

    @rule
    def opened(rules: object, seed: np.uint64, index: int, played: int) -> tuple[State, np.uint64]:
        stream = opening(seed, index, played)
        return deal(rules, begin(rules), mix(stream)), stream

    return opened


def answering(book: Rulebook) -> Callable[..., tuple[State, np.uint64, int]]:
    """How the rival moves at random, for as long as it alone is to move."""
    both, mover, choices, choose = book.both, book.mover, book.choices, book.choose
    play, result, deal = book.play, book.result, book.deal

    @rule
    def answered(
        rules: object, state: State, stream: np.uint64, rival: int
    ) -> tuple[State, np.uint64, int]:
        end = GOING
        while end == GOING and not both and mover(state) == rival:
            choice = lower(mix(stream), choices(rules, state, rival))
            state = play(rules, state, choose(rules, state, rival, choice), 0)
            end = result(rules, state)
            if end == GOING:
                stream += GOLDEN
                state = deal(rules, state, mix(stream))
        return state, stream, end

    return answered


def acting(
    book: Rulebook, answered: Callable[..., tuple[State, np.uint64, int]]
) -> Callable[..., tuple[State, np.uint64, int, int]]:
    """What actions make of a game, up to the next turn: who was at fault, and the result."""
    both, mover, choices, choose = book.both, book.mover, book.choices, book.choose
    play, result, deal, legal = book.play, book.result, book.deal, book.legal

    @rule
    def acted(
        rules: object, state: State, stream: np.uint64, one: int, two: int, rival: int
    ) -> tuple[State, np.uint64, int, int]:
        if both:
            if rival >= 0:
                choice = lower(mix(stream), choices(rules, state, rival))
                chosen = choose(rules, state, rival, choice)
                one, two = (chosen, two) if rival == 0 else (one, chosen)
            faults = (not legal(rules, state, 0, one)) + 2 * (not legal(rules, state, 1, two))
        else:
            if rival >= 0 and result(rules, state) != GOING:
                return state, stream, 0, result(rules, state)
            faults = (not legal(rules, state, mover(state), one)) << mover(state)
        if faults:
            return state, stream, faults, GOING
        state = play(rules, state, one, two)
        end = result(rules, state)
        if end == GOING:
            stream += GOLDEN
            state, stream, end = answered(rules, deal(rules, state, mix(stream)), stream, rival)
        return state, stream, 0, end

    return acted


def closing(book: Rulebook) -> Callable[..., None]:
    """How the end of a game is written down."""
    observe = book.observe

    @rule
    def close(
        rules: object,
        state: State,
        faults: int,
        end: int,
        index: int,
        rewards: npt.NDArray[np.float32],
        illegal: Marks,
        finals: Numbers,
    ) -> None:
        for seat in range(2):
            fault = faults >> seat & 1 != 0
            illegal[index, seat] = fault
            rewards[index, seat] = end * (1 - 2 * seat)
            if faults:
                rewards[index, seat] = -1 if fault else 1
            observe(rules, state, seat, finals, index, seat)

    return close


def playing_out(book: Rulebook) -> Playouts:
    """Whole games by random moves, with nothing written down but how they end."""
    begin, turn = book.begin, turning(book)
    edition = EDITION

    def playouts(rules: object, seed: np.uint64, count: int) -> tuple[int, int, int, int]:
        """How many games were won, drawn and lost by Player 1, and how many turns they had."""
        edition  # noqa: B018 -- see where it is made
        won, lost, turns, middle = 0, 0, 0, count // 2
        # Two games side by side: the processor works on one while it waits for the other.
        here, there = 0, middle
        state, stream = begin(rules), opening(seed, here, 0)
        other, beside = begin(rules), opening(seed, there, 0)
        while here < middle or there < count:
            if here < middle:
                state, stream, end = turn(rules, state, stream)
                turns += 1
                if end != GOING:
                    won, lost, here = won + (end > 0), lost + (end < 0), here + 1
                    state, stream = begin(rules), opening(seed, here, 0)
            if there < count:
                other, beside, end = turn(rules, other, beside)
                turns += 1
                if end != GOING:
                    won, lost, there = won + (end > 0), lost + (end < 0), there + 1
                    other, beside = begin(rules), opening(seed, there, 0)
        return won, count - won - lost, lost, turns

    return compiled(playouts)


def turning(book: Rulebook) -> Callable[..., tuple[State, np.uint64, int]]:
    """One turn by random moves, with the result."""
    deal, mover, both = book.deal, book.mover, book.both
    choices, choose, play, result = book.choices, book.choose, book.play, book.result

    @rule
    def turn(rules: object, state: State, stream: np.uint64) -> tuple[State, np.uint64, int]:
        number = mix(stream)
        state = deal(rules, state, number)
        seat = 1 if both else mover(state)
        two = choose(rules, state, seat, lower(number, choices(rules, state, seat)))
        one = two
        if both:
            one = choose(rules, state, 0, upper(number, choices(rules, state, 0)))
        state = play(rules, state, one, two)
        return state, stream + GOLDEN, result(rules, state)

    return turn
