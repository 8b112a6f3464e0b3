"""What drives packed rules: thousands of games a step, and random playouts.

The drivers know no game. A kernel's rules are plain functions over a packed state; they are
handed to the drivers here and compiled together with them. Functions that the loops call get
numbers and single arrays, never all `BatchArrays`: Numba would count references to them each time.
"""

# ruff: noqa: PLR0917 -- the drivers call every kernel's rules alike, and by place

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays, States
from number_duels.adapters.batch.compiled import operations  # noqa: F401 -- compiled code calls them
from number_duels.adapters.batch.compiled.jit import SOURCE_VERSION, compiled, inlined
from number_duels.adapters.batch.splitmix64 import (
    Word,
    mix,
    next_stream,
    pick_lower,
    pick_upper,
    stream_start,
)
from number_duels.adapters.packed import rules as packed_rules
from number_duels.adapters.packed.rules import ONGOING, PackedGame, Rows, Rules, State

Ints: TypeAlias = npt.NDArray[np.int16]
Marks: TypeAlias = npt.NDArray[np.bool_]
Step: TypeAlias = Callable[[object, BatchArrays, np.uint64, npt.NDArray[np.int64], int, bool], None]
Playouts: TypeAlias = Callable[[object, np.uint64, int], tuple[int, int, int, int]]


for shared in (mix, stream_start, next_stream, pick_lower, pick_upper):
    inlined(shared)


@inlined
def first_stream(seed: np.uint64, index: int, played: int) -> Word:
    """Where the stream of a game begins."""
    # Numba must see unsigned words, or it computes with floats.
    return stream_start(seed, np.uint64(index), np.uint64(played))  # type: ignore[arg-type]


@dataclass(frozen=True)
class BatchKernel:
    """The compiled rules of a game, with its settings."""

    packed: PackedGame

    @property
    def settings(self) -> tuple[object, ...]:
        return self.packed.settings

    @property
    def width(self) -> int:
        """How many numbers a packed state has."""
        return len(self.packed.bounds)

    @property
    def step(self) -> Step:
        """One turn of every game, or the beginning of every game."""
        return compile_step(self.packed.rules)

    @property
    def playouts(self) -> Playouts:
        """Whole games by random moves."""
        return compile_playouts(self.packed.rules)


def make_kernel(packed: PackedGame) -> BatchKernel:
    """A kernel; compiled code may call all functions of the rules from now on."""
    register_functions(packed_rules.__name__)
    register_functions(packed.rules.begin.__module__)
    return BatchKernel(packed)


@cache
def register_functions(module_name: str) -> None:
    for value in vars(sys.modules[module_name]).values():
        if isinstance(value, FunctionType) and value.__module__ == module_name:
            inlined(value)


@cache
def compile_step(rules: Rules) -> Step:
    """The compiled step of a game."""
    load, both, mover = rules.load, rules.both, rules.mover
    show, mark = make_show(rules), make_mark(rules)
    answered = make_answer(rules)
    opened, acted, close = make_begin(rules), make_act(rules, answered), make_close(rules)
    source_version = SOURCE_VERSION

    def step(
        settings: object, arrays: BatchArrays, seed: np.uint64, actions: Rows, rival: int, new: bool
    ) -> None:
        """Play a turn of every game, or begin them all."""
        source_version  # noqa: B018 -- see where it is made
        rows, streams, played, movers, observations, masks, rewards, done, illegal, finals = arrays
        for index in range(len(rows)):
            state, stream, faults, end = load(rows, index), streams[index], 0, ONGOING
            if not new:
                one, two = actions[index, 0], actions[index, 1 if both else 0]
                state, stream, faults, end = acted(
                    settings, state, stream, one, two, rival, masks.shape[2]
                )
            over = faults != 0 or end != ONGOING
            done[index] = over
            rewards[index, 0] = rewards[index, 1] = 0
            illegal[index, 0] = illegal[index, 1] = False
            if over:
                close(settings, state, faults, end, index, rewards, illegal, finals)
                played[index] += 1
            if over or new:
                state, stream = opened(settings, seed, index, played[index])
                state, stream, end = answered(settings, state, stream, rival)
            save(state, rows, index)
            streams[index] = stream
            for place in range(2 if both else 1):
                seat = place if both else mover(state) if rival < 0 else 1 - rival
                show(settings, state, seat, observations, index, place)
                mark(settings, state, seat, masks, index, place)
            movers[index] = 0 if both else mover(state) if rival < 0 else 1 - rival
            if (
                end != ONGOING
            ):  # over before a first turn: nothing is open, and the next step ends it
                masks[index] = False

    return compiled(step)


@inlined
def save(state: State, rows: States, index: int) -> None:
    for place in range(len(state)):
        rows[index, place] = state[place]


def make_show(rules: Rules) -> Callable[..., None]:
    """How the words that a seat sees are spread over a place of a row."""
    observe, counts, widths, words = rules.observe, rules.counts, rules.widths, len(rules.widths)

    @inlined
    def show(settings: object, state: State, seat: int, out: Ints, index: int, place: int) -> None:
        seen, lengths, begin = observe(settings, state, seat), counts(settings), 0
        for n in range(words):
            width, word = widths[n], seen[n]
            if width == 0:
                out[index, place, begin] = word
                begin += 1
            else:
                for _ in range(lengths[n]):
                    out[index, place, begin] = word & ((1 << width) - 1)
                    word >>= width
                    begin += 1

    return show


def make_mark(rules: Rules) -> Callable[..., None]:
    """How what is open to a seat is written into a place of a row."""
    is_open = inlined(rules.options.open)

    @inlined
    def mark(settings: object, state: State, seat: int, out: Marks, index: int, place: int) -> None:
        for action in range(out.shape[2]):
            out[index, place, action] = is_open(settings, state, seat, action)

    return mark


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


def make_answer(rules: Rules) -> Callable[..., tuple[State, Word, int]]:
    """How the rival moves at random, for as long as it alone is to move."""
    both, mover, (choices, choose) = rules.both, rules.mover, make_choices(rules)
    play, result, deal = rules.play, rules.result, make_deal(rules)

    @inlined
    def answered(
        settings: object, state: State, stream: Word, rival: int
    ) -> tuple[State, Word, int]:
        end = ONGOING
        while end == ONGOING and not both and mover(state) == rival:
            choice = pick_lower(mix(stream), choices(settings, state, rival))
            state = play(settings, state, choose(settings, state, rival, choice), 0)
            end = result(settings, state)
            if end == ONGOING:
                stream = next_stream(stream)
                state = deal(settings, state, mix(stream))
        return state, stream, end

    return answered


def make_act(
    rules: Rules, answered: Callable[..., tuple[State, Word, int]]
) -> Callable[..., tuple[State, Word, int, int]]:
    """What actions make of a game, up to the next turn: who was at fault, and the result."""
    both, mover, (choices, choose) = rules.both, rules.mover, make_choices(rules)
    play, result, deal, legal = rules.play, rules.result, make_deal(rules), make_legal(rules)

    @inlined
    def acted(
        settings: object,
        state: State,
        stream: Word,
        one: int,
        two: int,
        rival: int,
        actions: int,
    ) -> tuple[State, Word, int, int]:
        if both:
            if rival >= 0:
                choice = pick_lower(mix(stream), choices(settings, state, rival))
                chosen = choose(settings, state, rival, choice)
                one, two = (chosen, two) if rival == 0 else (one, chosen)
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
                settings, deal(settings, state, mix(stream)), stream, rival
            )
        return state, stream, 0, end

    return acted


def make_close(rules: Rules) -> Callable[..., None]:
    """How the end of a game is written down."""
    show = make_show(rules)

    @inlined
    def close(
        settings: object,
        state: State,
        faults: int,
        end: int,
        index: int,
        rewards: npt.NDArray[np.float32],
        illegal: Marks,
        finals: Ints,
    ) -> None:
        for seat in range(2):
            fault = faults >> seat & 1 != 0
            illegal[index, seat] = fault
            rewards[index, seat] = end * (1 - 2 * seat)
            if faults:
                rewards[index, seat] = -1 if fault else 1
            show(settings, state, seat, finals, index, seat)

    return close


@cache
def compile_playouts(rules: Rules) -> Playouts:
    """Whole games by random moves, with nothing written down but how they end."""
    begin, turn = rules.begin, make_random_turn(rules)
    source_version = SOURCE_VERSION

    def playouts(settings: object, seed: np.uint64, count: int) -> tuple[int, int, int, int]:
        """How many games were won, drawn and lost by Player 1, and how many turns they had."""
        source_version  # noqa: B018 -- see where it is made
        won, lost, turns, middle = 0, 0, 0, count // 2
        # Two games side by side: the processor works on one while it waits for the other.
        here, there = 0, middle
        state, stream = begin(settings), first_stream(seed, here, 0)
        other, beside = begin(settings), first_stream(seed, there, 0)
        while here < middle or there < count:
            if here < middle:
                state, stream, end = turn(settings, state, stream)
                turns += 1
                if end != ONGOING:
                    won, lost, here = won + (end > 0), lost + (end < 0), here + 1
                    state, stream = begin(settings), first_stream(seed, here, 0)
            if there < count:
                other, beside, end = turn(settings, other, beside)
                turns += 1
                if end != ONGOING:
                    won, lost, there = won + (end > 0), lost + (end < 0), there + 1
                    other, beside = begin(settings), first_stream(seed, there, 0)
        return won, count - won - lost, lost, turns

    return compiled(playouts)


def make_random_turn(rules: Rules) -> Callable[..., tuple[State, Word, int]]:
    """One turn by random moves, with the result."""
    deal, mover, both = make_deal(rules), rules.mover, rules.both
    (choices, choose), play, result = make_choices(rules), rules.play, rules.result

    @inlined
    def turn(settings: object, state: State, stream: Word) -> tuple[State, Word, int]:
        number = mix(stream)
        state = deal(settings, state, number)
        seat = 1 if both else mover(state)
        two = choose(settings, state, seat, pick_lower(number, choices(settings, state, seat)))
        one = two
        if both:
            one = choose(settings, state, 0, pick_upper(number, choices(settings, state, 0)))
        state = play(settings, state, one, two)
        return state, next_stream(stream), result(settings, state)

    return turn
