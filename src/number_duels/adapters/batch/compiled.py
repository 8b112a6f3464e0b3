"""Compile the machine rules of a game with Numba, for batch steps and random playouts."""

# ruff: noqa: ARG001, PLR0917 -- compiled functions share signatures and take no keywords

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BEGIN, NOBODY, SHOW, STEP, BatchArrays, Order
from number_duels.adapters.batch.lookup import Lookup
from number_duels.adapters.batch.operations import inlined
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
from number_duels.machine import rules as packed_rules
from number_duels.machine.rules import ONGOING, PackedGame, Rows, Rules, State
from number_duels.solvers import numba_cache

Function = TypeVar("Function", bound=Callable[..., object])
#: Returns a seat's action for a table, the settings, a state, the seat and a random number.
Chooser: TypeAlias = Callable[..., int]

for shared in (mix, stream_start, next_stream, drawn_seat, pick_lower, pick_upper):
    inlined(shared)


def compiled(function: Function) -> Function:
    """Compile a function and cache it on disk. It runs without the global interpreter lock."""
    # Nothing is allocated, and reference counting would take half of the time.
    return numba_cache.compiled(function, nogil=True, error_model="numpy", _nrt=False)


OTHER = "The code was compiled for another game."


class Known(NamedTuple):
    """Settings and sizes of a game that are compiled in as constants."""

    settings: tuple[int, ...]
    length: int
    actions: int


def make_settings_check(known: Known | None) -> Callable[..., bool]:
    numbers = known.settings if known else ()
    count = len(numbers)

    @inlined
    def any_settings(settings: tuple[object, ...]) -> bool:
        return True

    @inlined
    def known_settings(settings: tuple[object, ...]) -> bool:
        return settings[:count] == numbers

    return known_settings if known else any_settings


def make_shape_check(rules: Rules, width: int, known: Known | None) -> Callable[..., bool]:
    # When the compiler knows the shapes, array access is faster.
    of_any_size, seats = known is None, 2 if rules.both else 1
    _, length, action_count = known or Known((), 0, 0)

    @inlined
    def has_shape(arrays: BatchArrays, actions: Rows) -> bool:
        return bool(
            arrays.rows.shape[1] == width
            and actions.shape[1] == seats
            and arrays.observations.shape[1] == seats
            and arrays.masks.shape[1] == seats
            and arrays.rewards.shape[1] == 2
            and arrays.illegal.shape[1] == 2
            and arrays.finals.shape[1] == 2
            and (of_any_size or arrays.observations.shape[2] == length)
            and (of_any_size or arrays.masks.shape[2] == action_count)
            and (of_any_size or arrays.finals.shape[2] == length)
        )

    return has_shape


def make_show(rules: Rules) -> Callable[..., None]:
    observe, counts = rules.observe, rules.counts
    write = nothing_yet
    for n, width in enumerate(rules.widths):
        write = make_write(write, n, width)

    @inlined
    def show(
        settings: object,
        state: State,
        seat: int,
        out: npt.NDArray[np.int16],
        index: int,
        place: int,
    ) -> None:
        write(observe(settings, state, seat), counts(settings), out, index, place)

    return show


@inlined
def nothing_yet(
    seen: tuple[int, ...],
    counts: tuple[int, ...],
    out: npt.NDArray[np.int16],
    index: int,
    place: int,
) -> np.uintp:
    return np.uintp(0)


def make_write(before: Callable[..., np.uintp], n: int, width: int) -> Callable[..., np.uintp]:
    # Each word has its own function, so that its width is a constant in compiled code.
    mask = (1 << width) - 1 if width else -1

    @inlined
    def write(
        seen: tuple[int, ...],
        counts: tuple[int, ...],
        out: npt.NDArray[np.int16],
        index: int,
        place: int,
    ) -> np.uintp:
        begin, word = before(seen, counts, out, index, place), seen[n]
        for part in range(counts[n]):
            out[index, place, begin + np.uintp(part)] = word >> (width * part) & mask
        return begin + np.uintp(counts[n])

    return write


def make_legal(rules: Rules) -> Callable[..., bool]:
    is_open = rules.options.open

    @inlined
    def legal(settings: object, state: State, seat: int, action: int, actions: int) -> bool:
        return 0 <= action < actions and is_open(settings, state, seat, action)

    return legal


def make_deal(rules: Rules) -> Callable[..., State]:
    """Return a function that draws a card with the upper 32 bits of a random number."""
    deck, deal = rules.deck, rules.deal

    @inlined
    def dealt(settings: object, state: State, number: Word) -> State:
        return deal(settings, state, pick_upper(number, deck(settings, state)))

    return dealt


def make_chooser(rules: Rules, lookup: Lookup | None) -> Chooser:
    """Return a function that chooses an action with the lower 32 bits of a random number."""
    choices, choose = rules.options.choices, rules.options.choose

    @inlined
    def random_choice(_: None, settings: object, state: State, seat: int, number: Word) -> int:
        choice: int = pick_lower(number, choices(settings, state, seat))
        action: int = choose(settings, state, seat, choice)
        return action

    if lookup is None:
        return random_choice
    look_up = inlined(lookup.choose)

    @inlined
    def table_choice(table: object, settings: object, state: State, seat: int, number: Word) -> int:
        return look_up(table, settings, state, seat, np.int64(number & UINT32_MASK))

    return table_choice


@inlined
def first_stream(seed: np.uint64, index: np.uintp | int, played: int) -> Word:
    # Numba must see unsigned words, or it computes with floats.
    return stream_start(seed, np.uint64(index), np.uint64(played))  # type: ignore[arg-type]


def make_answer(rules: Rules, lookup: Lookup | None) -> Callable[..., tuple[State, Word, int]]:
    both, mover, chosen = rules.both, rules.mover, make_chooser(rules, lookup)
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
    rules: Rules, lookup: Lookup | None, answered: Callable[..., tuple[State, Word, int]]
) -> Callable[..., tuple[State, Word, int, int]]:
    both, mover, chosen = rules.both, rules.mover, make_chooser(rules, lookup)
    play, result, deal, legal = rules.play, rules.result, make_deal(rules), make_legal(rules)
    # If both choose, `compile_picks` has filled in the rival's action.
    picked = lookup is not None

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
    show = make_show(rules)

    @inlined
    def close(
        settings: object,
        state: State,
        over: bool,
        faults: int,
        end: int,
        arrays: BatchArrays,
        index: int,
    ) -> None:
        rewards, illegal = arrays.rewards, arrays.illegal
        arrays.done[index] = over
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
            show(settings, state, seat, arrays.finals, index, seat)

    return close


def make_present(rules: Rules) -> Callable[..., None]:
    both, show, is_open = rules.both, make_show(rules), rules.options.open

    @inlined
    def present(
        settings: object, state: State, seat: int, closed: bool, arrays: BatchArrays, index: int
    ) -> None:
        masks = arrays.masks
        arrays.movers[index] = 0 if both else seat
        for place in range(2 if both else 1):
            who = place if both else seat
            show(settings, state, who, arrays.observations, index, np.uintp(place))
            for action in range(masks.shape[2]):
                masks[index, place, action] = is_open(settings, state, who, action)
        if closed:
            masks[index] = False

    return present


#: Takes settings, arrays, seed, actions, a table, the order, and a range of games.
Step: TypeAlias = Callable[[object, BatchArrays, np.uint64, Rows, object, Order, int, int], None]


@cache
def compile_step(
    rules: Rules, width: int, known: Known | None, lookup: Lookup | None, plain: bool
) -> Step:
    """Return a compiled function that plays one step of many games.

    Without `lookup`, the rival chooses at random. If `plain` is true, there are no rivals, and new
    games replace finished ones in the same step.
    """
    load, begin, both, mover = rules.load, rules.begin, rules.both, rules.mover
    deal, close, present = make_deal(rules), make_close(rules), make_present(rules)
    answered = make_answer(rules, lookup)
    acted = make_act(rules, lookup, answered)
    has_settings = make_settings_check(known)
    has_shape = make_shape_check(rules, width, known)

    def step(
        settings: object,
        arrays: BatchArrays,
        seed: np.uint64,
        actions: Rows,
        table: object,
        order: Order,
        first: int,
        last: int,
    ) -> None:
        rows, streams, rivals, done = arrays.rows, arrays.streams, arrays.rivals, arrays.done
        mode, next_step = order.mode, order.next_step
        if not has_settings(settings) or not has_shape(arrays, actions):
            raise ValueError(OTHER)
        for number in range(first, last):
            # An unsigned index saves a check for negative indexes at every access.
            index = np.uintp(number)
            rival = NOBODY if plain else int(rivals[index])
            state, stream = load(rows, index), streams[index]
            faults, end, actor = 0, ONGOING, mover(state)
            waited = not plain and mode == STEP and next_step and done[index]
            if mode == STEP and not waited:
                pair = actions[index, 0], actions[index, 1 if both else 0]
                state, stream, faults, end = acted(
                    table, settings, state, stream, pair, rival, arrays.masks.shape[2]
                )
            over = faults != 0 or end != ONGOING
            close(settings, state, over, faults, end, arrays, index)
            begins = mode == BEGIN or waited or (over and (plain or not next_step))
            if begins:
                arrays.played[index] += mode == STEP
                stream = first_stream(seed, index, arrays.played[index])
                state = deal(settings, begin(settings), mix(stream))
                if not plain and order.draw_seats:
                    rival = drawn_seat(stream)
                    rivals[index] = rival
            if not plain and (begins or mode == SHOW):
                state, stream, end = answered(table, settings, state, stream, rival)
            for column in range(width):
                rows[index, column] = state[column]
            streams[index] = stream
            ended = over and not begins
            seat = 1 - rival if rival >= 0 else actor if ended else mover(state)
            # After the end, which may come before the first turn, nothing is legal.
            closed = ended or (not plain and end != ONGOING)
            present(settings, state, seat, closed, arrays, index)

    return compiled(step)


# Tables are read in separate passes, in which the processor reads ahead for the next games.

#: A pass over a range of games. It takes the arguments of a step without the seed.
Pass: TypeAlias = Callable[[object, BatchArrays, Rows, object, Order, int, int], None]


@cache
def compile_picks(rules: Rules, lookup: Lookup) -> Pass:
    """Return a compiled function that fills in the rival's actions in a simultaneous game."""
    load, chosen = rules.load, make_chooser(rules, lookup)

    def pick(
        settings: object,
        arrays: BatchArrays,
        actions: Rows,
        table: object,
        order: Order,
        first: int,
        last: int,
    ) -> None:
        rows, streams, rivals, done = arrays.rows, arrays.streams, arrays.rivals, arrays.done
        for index in range(first, last):
            rival = rivals[index]
            if order.mode == STEP and rival >= 0 and not (order.next_step and done[index]):
                state, number = load(rows, index), mix(streams[index])
                actions[index, rival] = chosen(table, settings, state, rival, number)

    return compiled(pick)


@cache
def compile_grades(rules: Rules, lookup: Lookup) -> Pass:
    load, both, mover, result = rules.load, rules.both, rules.mover, rules.result
    legal, lost = make_legal(rules), inlined(lookup.loss)

    def grade(
        settings: object,
        arrays: BatchArrays,
        actions: Rows,
        table: object,
        order: Order,
        first: int,
        last: int,
    ) -> None:
        rows, rivals, values, losses = arrays.rows, arrays.rivals, arrays.values, arrays.losses
        for index in range(first, last):
            state, before = load(rows, index), values[index]
            decided = order.mode == STEP and not (order.next_step and arrays.done[index])
            for place in range(2 if both else 1):
                seat, action = place if both else mover(state), actions[index, place]
                losses[index, place] = 0
                if decided and seat != rivals[index] and result(settings, state) == ONGOING:
                    if legal(settings, state, seat, action, arrays.masks.shape[2]):
                        losses[index, place] = lost(table, settings, state, seat, action, before)
                    else:  # the value of the position, plus 1 for the lost game
                        losses[index, place] = 1 + before * (1 - 2 * seat)

    return compiled(grade)


@cache
def compile_values(rules: Rules, lookup: Lookup) -> Pass:
    load, result, value_of = rules.load, rules.result, inlined(lookup.value)

    def value(
        settings: object,
        arrays: BatchArrays,
        _: Rows,
        table: object,
        order: Order,
        first: int,
        last: int,
    ) -> None:
        rows, done, rewards, values = arrays.rows, arrays.done, arrays.rewards, arrays.values
        for index in range(first, last):
            state = load(rows, index)
            end = result(settings, state)
            if order.next_step and done[index]:
                values[index] = rewards[index, 0]
            elif end != ONGOING:
                values[index] = end
            else:
                values[index] = value_of(table, settings, state)

    return compiled(value)


Counts: TypeAlias = npt.NDArray[np.int64]
Playouts: TypeAlias = Callable[[object, np.uint64, int, int, Counts], None]


@cache
def compile_playouts(rules: Rules, known: Known | None) -> Playouts:
    begin, play, result = rules.begin, rules.play, rules.result
    deal, mover, both = make_deal(rules), rules.mover, rules.both
    choices, choose = rules.options.choices, rules.options.choose
    has_settings = make_settings_check(known)

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

    def playouts(settings: object, seed: np.uint64, here: int, last: int, counts: Counts) -> None:
        """Play the games from `here` to `last - 1`. Count them by result and number of turns."""
        if not has_settings(settings):
            raise ValueError(OTHER)
        # The processor works on one of two games while it waits for the other.
        middle = here + (last - here) // 2
        there, turns, others = middle, 0, 0
        state, stream = begin(settings), first_stream(seed, here, 0)
        other, beside = begin(settings), first_stream(seed, there, 0)
        while here < middle or there < last:
            if here < middle:
                state, stream, end = turn(settings, state, stream)
                turns += 1
                if end != ONGOING:
                    counts[1 - end, turns] += 1
                    here, turns = here + 1, 0
                    state, stream = begin(settings), first_stream(seed, here, 0)
            if there < last:
                other, beside, end = turn(settings, other, beside)
                others += 1
                if end != ONGOING:
                    counts[1 - end, others] += 1
                    there, others = there + 1, 0
                    other, beside = begin(settings), first_stream(seed, there, 0)

    return compiled(playouts)


@dataclass(frozen=True)
class BatchKernel:
    packed: PackedGame
    #: Constants that the code is compiled for, or None if it works for any settings.
    known: Known | None

    def step(self, lookup: Lookup | None, plain: bool) -> Step:
        width = len(self.packed.bounds)
        return compile_step(self.packed.rules, width, self.known, lookup, plain)

    def playouts(self) -> Playouts:
        return compile_playouts(self.packed.rules, self.known)


def make_kernel(packed: PackedGame, *, usual: bool) -> BatchKernel:
    # Settings that are constants make playouts 1.5 times as fast.
    register_functions(packed_rules.__name__)
    register_functions(packed.rules.begin.__module__)
    options = packed.rules.options
    for function in (options.choices, options.choose, options.open):
        inlined(function)
    settings, known = packed.settings, None
    if usual:
        # Arrays come last, so these are the settings before them.
        numbers = tuple(value for value in settings if isinstance(value, int))
        known = Known(numbers, sum(packed.rules.counts(settings)), packed.actions)
    return BatchKernel(packed, known)


@cache
def register_functions(module_name: str) -> None:
    for value in vars(sys.modules[module_name]).values():
        if isinstance(value, FunctionType) and value.__module__ == module_name:
            inlined(value)
