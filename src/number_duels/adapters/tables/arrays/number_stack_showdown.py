"""Number Stack Showdown looked up in its solution, for many states at once."""

# ruff: noqa: PLR0917 -- called by place, as the lookups of single states are

from __future__ import annotations

from functools import cache

from number_duels.adapters.packed.number_stack_showdown import (
    Settings,
    State,
    may_give,
    may_keep,
    play,
    result,
)
from number_duels.adapters.packed.operations import (
    CARD_BITS,
    CARD_MASK,
    CARDS_IN_LOW,
    Number,
    select,
)
from number_duels.adapters.packed.rules import ONGOING, Rules
from number_duels.adapters.tables.lookup import Lookup
from number_duels.adapters.tables.number_stack_showdown import SplitTable, first_total
from number_duels.solvers.kernels.number_stack_showdown.data import VALUE_SCALE


def prepare(table: SplitTable) -> SplitTable:
    """Halves without their last bit, so that 32 bits hold them and a sign."""
    return table._replace(lasts=table.lasts >> 1)


def origin(table: SplitTable, settings: Settings, state: State) -> Number:
    """Where the split would lie of which who moved first has nothing, whatever card is in hand."""
    higher, lower, high_total = 0, 0, 0
    for n in range(settings.highest):
        word, place = (state.low, n) if n < CARDS_IN_LOW else (state.high, n - CARDS_IN_LOW)
        count = word >> (CARD_BITS * place) & CARD_MASK
        higher = higher + count * table.places[0, n]
        lower = lower + count * table.places[1, n]
        high_total = high_total + count * (n + 1) * (table.places[0, n] != 0)
    lowest = state.own + state.other - settings.target + 1
    start = table.starts[higher] + table.after[high_total, lower]
    return start - select(lowest > 0, lowest, 0)


def worth(table: SplitTable, settings: Settings, state: State, begin: Number) -> Number:
    """What a state without a card in hand is worth to Player 1, its origin being known."""
    end = result(settings, state)
    going = end == ONGOING
    place = select(going, begin + first_total(settings, state), 0)
    sign = 1 - 2 * settings.first
    return select(going, sign * (table.values[place] / VALUE_SCALE), end)


def choose(
    table: SplitTable, settings: Settings, state: State, seat: Number, half: Number
) -> Number:
    """To keep is 0, to give is 1."""
    keeps, gives = may_keep(settings, state), may_give(settings, state)
    place = origin(table, settings, state) + first_total(settings, state)
    to_first = table.choices[select(keeps & gives, place, 0)] >> (state.card - 1) & 1
    kept = select(seat == settings.first, to_first, 1 - to_first)
    mixed = select((half >> 1).astype(state.card.dtype) <= table.lasts[kept], 0, 1)
    return select(keeps & gives, mixed, select(keeps, 0, 1))


def value(table: SplitTable, settings: Settings, state: State) -> Number:
    """The better of what may follow: the same cards on the table, split in one way or another."""
    kept, given = play(settings, state, 0, 0), play(settings, state, 1, 0)
    # Sets that end the game either way have no number.
    going = (result(settings, kept) == ONGOING) | (result(settings, given) == ONGOING)
    laid = type(state)(*(select(going, new, old) for new, old in zip(kept, state, strict=True)))
    begin = origin(table, settings, laid)
    keeping, giving = (
        worth(table, settings, kept, begin),
        worth(table, settings, given, begin),
    )
    better = select((keeping > giving) == (state.mover == 0), keeping, giving)
    one_only = select(may_keep(settings, state), keeping, giving)
    return select(may_keep(settings, state) & may_give(settings, state), better, one_only)


def loss(
    table: SplitTable,
    settings: Settings,
    state: State,
    seat: Number,
    action: Number,
    before: Number,
) -> Number:
    """How much worse it is than the other choice, if that is open."""
    after = play(settings, state, action, action)
    going = result(settings, after) == ONGOING
    laid = type(state)(*(select(going, new, old) for new, old in zip(after, state, strict=True)))
    now = worth(table, settings, after, origin(table, settings, laid))
    return (1 - 2 * seat) * (before - now)


@cache
def make_lookup(rules: Rules) -> Lookup:  # noqa: ARG001 -- as for every game
    return Lookup(choose, value, loss)
