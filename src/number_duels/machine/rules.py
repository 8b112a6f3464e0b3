"""The parts of a game's packed rules."""

# ruff: noqa: ARG001 -- every game's rules are called alike, and by place

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.machine.operations import Number, member, size

State: TypeAlias = tuple[Number, ...]
#: What a seat sees.
Words: TypeAlias = tuple[Number, ...]
Rows: TypeAlias = npt.NDArray[np.int64]

#: The result of a game that is not over; results are 1, 0 and -1, for Player 1.
ONGOING = 2
#: The codes below this one stand for ends, in the solver's tables.
FIRST_CODE = 3


def no_cards(settings: object, state: State, ticket: Number) -> State:
    """Nature has no part in this game."""
    return state


def no_deck(settings: object, state: State) -> Number:
    return 1


class Options(NamedTuple):
    """What is open to a seat: how many choices, the action of the n-th, and whether an action is.

    An action is numbered as `all_moves` lists the moves; what is no action is never asked about.
    """

    choices: Callable[..., Number]
    choose: Callable[..., Number]
    open: Callable[..., Number]
    #: The set on which all of this depends, as bits, if there is one.
    bits: Callable[..., Number] | None = None
    #: Each of its bits stands for 1 << `doubling` actions; None: for no actions of its own.
    doubling: int | None = None


def options_of_bits(
    bits: Callable[..., Number], counts: Callable[..., tuple[int, ...]], doubling: int = 0
) -> Options:
    """What is open where each bit of a word stands for some actions in a row.

    The word is the first that is seen, so the first of the `counts` says how many bits there are.
    """

    def choices(settings: object, state: State, seat: Number) -> Number:
        return size(bits(settings, state, seat)) << doubling

    def choose(settings: object, state: State, seat: Number, choice: Number) -> Number:
        here = member(bits(settings, state, seat), choice >> doubling, counts(settings)[0])
        return (here << doubling) + (choice & ((1 << doubling) - 1))

    def is_open(settings: object, state: State, seat: Number, action: Number) -> Number:
        return bits(settings, state, seat) >> (action >> doubling) & 1 != 0

    return Options(choices, choose, is_open, bits, doubling)


class Codes(NamedTuple):
    """How unfinished states are numbered, for tables with an entry for each."""

    #: The code of a state, and the state that has a code, given who moves.
    code: Callable[..., Number]
    decode: Callable[..., State]
    #: How many codes there are, with those of the ends.
    size: Callable[..., int]
    #: The codes from the start to the end: sums of each head and each tail, of states with equally
    #: many options. What follows a state is in a later layer, or is an end.
    layers: Callable[..., Iterator[tuple[Rows, Rows]]]
    #: The state with the seats exchanged, where both choose at once.
    mirror: Callable[..., State] | None = None


def sets_of_size(numbers: int, size: int) -> Rows:
    """All sets of a size, as bits, in order.

    >>> sets_of_size(3, 2).tolist()
    [3, 5, 6]
    """
    every = np.arange(1 << numbers)
    found: Rows = every[np.bitwise_count(every) == size]
    return found


class Rules(NamedTuple):
    """Pure functions of numbers without branches, for one machine or another to put together."""

    #: The first state, and a state from a row of numbers.
    begin: Callable[..., State]
    load: Callable[..., State]
    #: Who decides, and what is open.
    mover: Callable[..., Number]
    options: Options
    #: The state after legal actions; where one seat decides the second action means nothing.
    play: Callable[..., State]
    #: Player 1's result, or `ONGOING`.
    result: Callable[..., Number]
    #: What a seat sees, as a few words; and how many numbers of an observation each word is.
    observe: Callable[..., Words]
    counts: Callable[..., tuple[int, ...]]
    #: How many bits of its word such a number has; 0: the word is the number.
    widths: tuple[int, ...]
    #: How many cards may be drawn now, and the state after one of them is.
    deck: Callable[..., Number] = no_deck
    deal: Callable[..., State] = no_cards
    #: None: there are too many states for one table.
    codes: Codes | None = None
    #: Whether both seats decide at once, whether nature moves, and whether a turn needs tables.
    both: bool = False
    cards: bool = False
    tables: bool = False


class PackedGame(NamedTuple):
    """The packed rules of a game, its settings, and the way from readable states to packed ones."""

    rules: Rules
    settings: tuple[object, ...]
    pack: Callable[..., State]
    #: The least and the most that each number of a state can be.
    bounds: tuple[tuple[int, int], ...]
    actions: int
