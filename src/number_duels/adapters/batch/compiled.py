"""Packed rules compiled by Numba: thousands of games a step, and random playouts.

This code knows no game. A game's rules are plain functions over a packed state. Closures hand them
to the loops here, since Numba compiles a function together with all that it encloses.
"""

# ruff: noqa: ARG001, PLR0917 -- compiled functions are called alike, and by place

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BEGIN, NOBODY, SHOW, STEP, BatchArrays, Order, States
from number_duels.adapters.batch.lookup import Lookup
from number_duels.adapters.batch.operations import inlined, store_word
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
from number_duels.machine.rules import ONGOING, Options, PackedGame, Rows, Rules, State
from number_duels.solvers import numba_cache

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """A compiled function, kept on disk for the next process; other threads run meanwhile."""
    # Without counting references, which would take half of the time: nothing is allocated.
    return numba_cache.compiled(function, nogil=True, error_model="numpy", _nrt=False)


# ---- what code may take for granted: asked once, before all games ----------------

Ints: TypeAlias = npt.NDArray[np.int16]
Marks: TypeAlias = npt.NDArray[np.bool_]

#: What never happens; without a word it could not be noticed if it did.
OTHER = "This was compiled for another game."


class Known(NamedTuple):
    """What code is compiled for, where it is not compiled for any settings of a game."""

    #: In their places; None: a table.
    settings: tuple[int | None, ...]
    #: How many numbers an observation has, and how many actions there are.
    length: int
    actions: int


def make_shape_check(width: int, seats: int, known: Known | None) -> Callable[..., bool]:
    """Whether arrays measure what they should; not to know it costs a product at every access."""
    of_any_size = known is None
    _, length, action_count = known or Known((), 0, 0)

    @inlined
    def has_shape(
        rows: Rows,
        actions: Rows,
        observations: Ints,
        masks: Marks,
        rewards: npt.NDArray[np.float32],
        illegal: Marks,
        finals: Ints,
    ) -> bool:
        return bool(
            rows.shape[1] == width
            and actions.shape[1] == seats
            and observations.shape[1] == seats
            and masks.shape[1] == seats
            and rewards.shape[1] == 2
            and illegal.shape[1] == 2
            and finals.shape[1] == 2
            and (of_any_size or observations.shape[2] == length)
            and (of_any_size or masks.shape[2] == action_count)
            and (of_any_size or finals.shape[2] == length)
        )

    return has_shape


def make_settings_check(known: Known | None) -> Callable[..., bool]:
    """Whether a game is set as is known; tables among the settings are not compared."""
    found: Callable[..., bool] = nothing_known
    for place, value in enumerate(known.settings if known else ()):
        if value is not None:
            found = make_setting_check(found, place, value)
    return found


@inlined
def nothing_known(_: object) -> bool:
    return True


def make_setting_check(before: Callable[..., bool], place: int, value: int) -> Callable[..., bool]:
    """Whether one setting more is as known. A function for each: Numba must see each place."""

    @inlined
    def has_settings(settings: tuple[object, ...]) -> bool:
        return before(settings) and settings[place] == value

    return has_settings


# ---- how observations and masks are written --------------------------------------

Bytes: TypeAlias = npt.NDArray[np.uint8]


def make_show(rules: Rules) -> Callable[..., None]:
    """How the words that a seat sees are spread over a place of a row."""
    observe, counts = rules.observe, rules.counts
    write = nothing_yet
    for n, width in enumerate(rules.widths):
        write = make_write(write, n, width)

    @inlined
    def show(settings: object, state: State, seat: int, out: Ints, index: int, place: int) -> None:
        write(observe(settings, state, seat), counts(settings), out, index, place)

    return show


@inlined
def nothing_yet(
    seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
) -> np.uintp:
    """How many numbers of an observation are written: none."""
    return np.uintp(0)


def make_write(before: Callable[..., np.uintp], n: int, width: int) -> Callable[..., np.uintp]:
    """How the n-th word is written after those before it.

    A function for each, so that no loop has to find out at every step what kind of word it has.
    """
    mask = (1 << width) - 1

    @inlined
    def write_one(
        seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
    ) -> np.uintp:
        begin = before(seen, counts, out, index, place)
        out[index, place, begin] = seen[n]
        return begin + np.uintp(1)

    @inlined
    def write_spread(
        seen: tuple[int, ...], counts: tuple[int, ...], out: Ints, index: int, place: int
    ) -> np.uintp:
        begin, word = before(seen, counts, out, index, place), seen[n]
        for part in range(counts[n]):
            out[index, place, begin + np.uintp(part)] = word >> (width * part) & mask
        return begin + np.uintp(counts[n])

    return write_spread if width else write_one


def make_mark(rules: Rules) -> Callable[..., None]:
    """How what is open to a seat is written into a place of a row."""
    is_open, bits, doubling = rules.options.open, rules.options.bits, rules.options.doubling

    @inlined
    def mark(settings: object, state: State, seat: int, out: Bytes, index: int, place: int) -> None:
        for action in range(out.shape[2]):
            out[index, place, action] = is_open(settings, state, seat, action)

    if bits is None or doubling is None:
        return mark
    return make_mark_of_bits(bits, doubling)


def make_mark_of_bits(bits: Callable[..., int], doubling: int) -> Callable[..., None]:
    """Write what is open where each bit of a word stands for one action or two: four bits at once.

    A product moves them as far apart as their actions are, as no sum in it has a carry.
    """
    times, four = 1 << doubling, range(4)
    apart = 8 * times
    spread = np.uint64(sum(1 << n * (apart - 1) for n in four))
    lowest = np.uint64(sum(1 << n * apart for n in four))
    repeat = np.uint64(sum(1 << 8 * n for n in range(times)))
    word_of = {1: np.uint32, 2: np.uint64}[times]

    @inlined
    def mark(settings: object, state: State, seat: int, out: Bytes, index: int, place: int) -> None:
        word = np.uint64(bits(settings, state, seat))
        actions = out.shape[2]
        begin = (index * np.uintp(out.shape[1]) + place) * np.uintp(actions)
        fours = actions // (4 * times)
        for n in range(fours):
            part = (word >> np.uint64(4 * n)) & np.uint64(15)
            marks = ((part * spread) & lowest) * repeat
            store_word(out, begin + np.uintp(4 * times * n), word_of(marks))
        for action in range(4 * times * fours, actions):
            is_open = (word >> np.uint64(action >> doubling)) & np.uint64(1)
            out[index, place, np.uintp(action)] = is_open

    return mark


# ---- the parts of a turn ---------------------------------------------------------

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


def make_legal(rules: Rules) -> Callable[..., bool]:
    """Whether a number is an action that is open to a seat."""
    is_open = rules.options.open

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
    choices, choose = rules.options.choices, rules.options.choose

    @inlined
    def chosen(_: None, settings: object, state: State, seat: int, number: Word) -> int:
        choice: int = pick_lower(number, choices(settings, state, seat))
        action: int = choose(settings, state, seat, choice)
        return action

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


# ---- a step of many games --------------------------------------------------------

Step: TypeAlias = Callable[[object, BatchArrays, np.uint64, Rows, object, Order], None]


@cache
def compile_step(
    rules: Rules, width: int, known: Known | None, lookup: Lookup | None, plain: bool
) -> Step:
    """The compiled step of a game, whose rival chooses by a table or at random.

    A plain one has no rivals, and a game that has ended is followed by a new one in the same step.
    """
    chosen = make_table_choice(lookup.choose) if lookup else make_random_choice(rules)
    answered = make_answer(rules, chosen)
    # Where both choose, a table was asked before, and the rival's action is among the actions.
    acted = make_act(rules, chosen, answered, picked=lookup is not None)
    opened, close, present = make_begin(rules), make_close(rules), make_present(rules)
    load, both, mover = rules.load, rules.both, rules.mover
    has_shape = make_shape_check(width, 2 if both else 1, known)
    has_settings = make_settings_check(known)

    def step(
        settings: object,
        arrays: BatchArrays,
        seed: np.uint64,
        actions: Rows,
        table: object,
        order: Order,
    ) -> None:
        """Play a turn of every game, begin them all, or show them as they are."""
        rows, streams, played, rivals = arrays.rows, arrays.streams, arrays.played, arrays.rivals
        observations, masks, finals = arrays.observations, arrays.masks, arrays.finals
        movers, rewards = arrays.movers, arrays.rewards
        done, illegal = arrays.done, arrays.illegal
        first, last, mode, next_step, draw_seats = order
        if not has_settings(settings):
            raise ValueError(OTHER)
        if not has_shape(rows, actions, observations, masks, rewards, illegal, finals):
            raise ValueError(OTHER)
        marks = masks.view(np.uint8)
        for number in range(first, last):
            # Without a sign: whether to count from the end would be asked at every access.
            index = np.uintp(number)
            rival = NOBODY if plain else int(rivals[index])
            state, stream = load(rows, index), streams[index]
            faults, end, actor = 0, ONGOING, mover(state)
            waited = not plain and mode == STEP and next_step and done[index]
            if mode == STEP and not waited:
                pair = actions[index, 0], actions[index, 1 if both else 0]
                state, stream, faults, end = acted(
                    table, settings, state, stream, pair, rival, masks.shape[2]
                )
            over = faults != 0 or end != ONGOING
            close(settings, state, over, faults, end, index, rewards, done, illegal, finals)
            begins = mode == BEGIN or waited or (over and (plain or not next_step))
            if begins:
                played[index] += mode == STEP
                state, stream = opened(settings, seed, index, played[index])
                if not plain and draw_seats:
                    rival = drawn_seat(stream)
                    rivals[index] = rival
            if not plain and (begins or mode == SHOW):
                state, stream, end = answered(table, settings, state, stream, rival)
            save(state, stream, rows, streams, index)
            ended = over and not begins
            seat = 1 - rival if rival >= 0 else actor if ended else mover(state)
            # Nothing is open after the end, which may have been before a first turn.
            closed = ended or (not plain and end != ONGOING)
            present(settings, state, seat, closed, movers, observations, marks, index)

    return compiled(step)


# ---- tables, in passes of their own ----------------------------------------------
# In a loop that does nothing else the processor looks up the next games while it waits for one.

#: A pass over some games: with the settings, all arrays, the actions, a table, and the order.
Pass: TypeAlias = Callable[[object, BatchArrays, Rows, object, Order], None]


@cache
def compile_picks(rules: Rules, lookup: Lookup) -> Pass:
    """What the rival chooses, put among the actions: where both choose it is known before."""
    load, chosen = rules.load, make_table_choice(lookup.choose)

    def pick(
        settings: object, arrays: BatchArrays, actions: Rows, table: object, order: Order
    ) -> None:
        rows, streams, rivals, done = arrays.rows, arrays.streams, arrays.rivals, arrays.done
        first, last, mode, next_step, _ = order
        for index in range(first, last):
            rival = rivals[index]
            if mode == STEP and rival >= 0 and not (next_step and done[index]):
                state, number = load(rows, index), mix(streams[index])
                actions[index, rival] = chosen(table, settings, state, rival, number)

    return compiled(pick)


@cache
def compile_grades(rules: Rules, lookup: Lookup) -> Pass:
    """What the choices that are about to be played lose, those of the rival apart."""
    load, both, mover, result = rules.load, rules.both, rules.mover, rules.result
    legal, lost = make_legal(rules), inlined(lookup.loss)

    def grade(
        settings: object, arrays: BatchArrays, actions: Rows, table: object, order: Order
    ) -> None:
        rows, rivals, values, losses = arrays.rows, arrays.rivals, arrays.values, arrays.losses
        first, last, mode, next_step, _ = order
        for index in range(first, last):
            state, before = load(rows, index), values[index]
            decided = mode == STEP and not (next_step and arrays.done[index])
            for place in range(2 if both else 1):
                seat, action = place if both else mover(state), actions[index, place]
                losses[index, place] = 0
                # A game may be over before a first turn.
                if decided and seat != rivals[index] and result(settings, state) == ONGOING:
                    if legal(settings, state, seat, action, arrays.masks.shape[2]):
                        losses[index, place] = lost(table, settings, state, seat, action, before)
                    else:  # what it had, and the game is lost
                        losses[index, place] = 1 + before * (1 - 2 * seat)

    return compiled(grade)


@cache
def compile_values(rules: Rules, lookup: Lookup) -> Pass:
    """What the positions that are shown are worth to Player 1; of ended games, their result."""
    load, result, worth = rules.load, rules.result, inlined(lookup.value)

    def value(settings: object, arrays: BatchArrays, _: Rows, table: object, order: Order) -> None:
        rows, done, rewards, values = arrays.rows, arrays.done, arrays.rewards, arrays.values
        first, last, next_step = order[0], order[1], order[3]
        for index in range(first, last):
            state = load(rows, index)
            end = result(settings, state)
            if next_step and done[index]:
                values[index] = rewards[index, 0]
            elif end != ONGOING:
                values[index] = end
            else:
                values[index] = worth(table, settings, state)

    return compiled(value)


# ---- whole games -----------------------------------------------------------------

Counts: TypeAlias = npt.NDArray[np.int64]
Playouts: TypeAlias = Callable[[object, np.uint64, int, int, Counts], None]


@cache
def compile_playouts(rules: Rules, known: Known | None) -> Playouts:
    """Whole games by random moves, with nothing written down but how they end."""
    begin, turn, has_settings = rules.begin, make_random_turn(rules), make_settings_check(known)

    def playouts(settings: object, seed: np.uint64, here: int, last: int, counts: Counts) -> None:
        """Count the games from one to another, by Player 1's result and how many turns they had."""
        if not has_settings(settings):
            raise ValueError(OTHER)
        # Two games side by side: the processor works on one while it waits for the other.
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


def make_random_turn(rules: Rules) -> Callable[..., tuple[State, Word, int]]:
    """One turn by random moves, with the result."""
    deal, mover, both = make_deal(rules), rules.mover, rules.both
    choices, choose = rules.options.choices, rules.options.choose
    play, result = rules.play, rules.result

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


# ---- kernels ---------------------------------------------------------------------


@dataclass(frozen=True)
class BatchKernel:
    """The compiled rules of a game, with its settings."""

    packed: PackedGame
    #: What its code is compiled for; None: for any settings.
    known: Known | None

    @property
    def settings(self) -> tuple[object, ...]:
        return self.packed.settings

    @property
    def width(self) -> int:
        """How many numbers a packed state has."""
        return len(self.packed.bounds)

    def step(self, lookup: Lookup | None, plain: bool) -> Step:
        """One turn of every game, or their beginning; the rival's by a table, or at random."""
        return compile_step(self.packed.rules, self.width, self.known, lookup, plain)

    @property
    def playouts(self) -> Playouts:
        """Whole games by random moves."""
        return compile_playouts(self.packed.rules, self.known)


def make_kernel(packed: PackedGame, *, usual: bool) -> BatchKernel:
    """Return a kernel; compiled code may call all functions of the rules from now on.

    Code for the usual settings is compiled for them alone, which makes playouts half as fast again.
    """
    register_functions(packed_rules.__name__)
    register_functions(packed.rules.begin.__module__)
    register_options(packed.rules.options)
    settings, known = packed.settings, None
    if usual:
        numbers = tuple(value if isinstance(value, int) else None for value in settings)
        known = Known(numbers, sum(packed.rules.counts(settings)), packed.actions)
    return BatchKernel(packed, known)


@cache
def register_functions(module_name: str) -> None:
    """Let compiled code call all functions of a module."""
    for value in vars(sys.modules[module_name]).values():
        if isinstance(value, FunctionType) and value.__module__ == module_name:
            inlined(value)


@cache
def register_options(options: Options) -> None:
    """Let compiled code call what `options_of_bits` has made."""
    for function in (options.choices, options.choose, options.open):
        if isinstance(function, FunctionType) and function.__closure__:
            inlined(function)
