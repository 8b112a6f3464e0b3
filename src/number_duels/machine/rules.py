"""Types for machine rules."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from number_duels.machine.operations import Number, member, size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

State: TypeAlias = tuple[Number, ...]
Words: TypeAlias = tuple[Number, ...]
Rows: TypeAlias = "NDArray[np.int64]"
Integers: TypeAlias = "NDArray[np.int8 | np.int32]"

#: The result of a game that is not over. Other results are Player 1's: 1, 0 or -1.
ONGOING = 2
#: The first code of a state that is not over. Lower codes are results.
FIRST_CODE = 3


def no_cards(settings: object, state: State, ticket: Number) -> State:
    return state


def no_deck(settings: object, state: State) -> Number:
    return 1


class Options(NamedTuple):
    """Functions for the legal actions of a seat.

    `choices` counts them, `choose` returns one by its index, and `open` checks an action.
    """

    choices: Callable[..., Number]
    choose: Callable[..., Number]
    open: Callable[..., Number]
    #: Returns the set, as bits, that determines the legal actions. None if there is no such set.
    bits: Callable[..., Number] | None = None
    #: Each of its bits allows 1 << `doubling` actions. None if an action can need several bits.
    doubling: int | None = None


def options_of_bits(
    bits: Callable[..., Number], counts: Callable[..., tuple[int, ...]], doubling: int = 0
) -> Options:
    """Return the options of a game in which each set bit of a word allows 1 << `doubling` actions.

    The word must come first in a seat's view, because `counts(settings)[0]` is its number of bits.
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
    """Functions that number all states that are not over, for tables with one entry per state."""

    #: `code` returns a state's code. `decode` returns the state with a code and a mover.
    code: Callable[..., Number]
    decode: Callable[..., State]
    #: How many codes there are, including those of finished games.
    size: Callable[..., int]
    #: The layers of codes, from the start to the end of the game. A layer has two arrays. Adding
    #: each number of the first to each of the second gives its codes. All its states have equally
    #: many options. Their next states end the game or are in later layers.
    layers: Callable[..., Iterator[tuple[Rows, Rows]]]
    #: The state with the seats swapped, if both seats choose at once.
    mirror: Callable[..., State] | None = None


def integers(numbers: Sequence[object], kind: str = "int32") -> Integers:
    """Return nested lists of integers as an array. Return them unchanged if NumPy is missing.

    `Codes.code` can use either.
    """
    try:
        import numpy as np
    except ModuleNotFoundError:
        return cast("Integers", numbers)
    return np.array(numbers, kind)


def sets_of_size(numbers: int, size: int) -> Rows:
    """Return all sets of `size` numbers as bits, in ascending order.

    >>> sets_of_size(3, 2).tolist()
    [3, 5, 6]
    """
    import numpy as np

    every = np.arange(1 << numbers)
    found: Rows = every[np.bitwise_count(every) == size]
    return found


class Rules(NamedTuple):
    """Pure functions that run with NumPy, Numba or JAX."""

    #: `begin` returns the first state. `load` makes a state from a row of numbers.
    begin: Callable[..., State]
    load: Callable[..., State]
    mover: Callable[..., Number]
    options: Options
    #: The state after legal actions. If one seat decides, the second action is ignored.
    play: Callable[..., State]
    result: Callable[..., Number]
    #: `observe` returns a seat's view as words. `counts` returns how many numbers each word has.
    observe: Callable[..., Words]
    counts: Callable[..., tuple[int, ...]]
    #: The bits per number in each word, or 0 if the word is the number.
    widths: tuple[int, ...]
    #: `deck` returns how many cards are left. `deal` returns the state after drawing one.
    deck: Callable[..., Number] = no_deck
    deal: Callable[..., State] = no_cards
    #: The numbering of states, or None if there are too many for a table.
    codes: Codes | None = None
    #: Whether both seats decide at once, whether cards are drawn, whether a turn needs tables.
    both: bool = False
    cards: bool = False
    tables: bool = False


class PackedGame(NamedTuple):
    """A game's machine rules and settings. `pack` converts a state of the game."""

    rules: Rules
    settings: tuple[object, ...]
    pack: Callable[..., State]
    bounds: tuple[tuple[int, int], ...]
    actions: int
