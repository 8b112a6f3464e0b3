"""Tables for Number Stack Showdown, indexed by the played cards and the stacks they are on."""

# ruff: noqa: PLR0917 -- compiled functions take no keywords

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from number_duels.adapters.batch.lookup import AnySolution, KnownPolicy, Lookup, last_halves
from number_duels.machine.number_stack_showdown import (
    Settings,
    State,
    may_give,
    may_keep,
    play,
    result,
)
from number_duels.machine.operations import (
    CARD_BITS,
    CARD_MASK,
    CARDS_IN_LOW,
    Number,
    select,
)
from number_duels.machine.rules import ONGOING, Rules
from number_duels.solvers import PerfectPolicy
from number_duels.solvers.cache import silent
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from number_duels.solvers.kernels.number_stack_showdown.data import (
    Choices,
    Integers,
    SolvedDeck,
    Values,
)
from number_duels.solvers.kernels.number_stack_showdown_plain import VALUE_SCALE

LOW_WORD_BITS = CARD_BITS * CARDS_IN_LOW


class SplitTable(NamedTuple):
    """Values and perfect choices for every way to split the played cards between the stacks.

    The splits of one set of cards are adjacent, in the order of the first mover's total.
    """

    #: How much each card adds to the index of the higher cards, and to that of the lower cards.
    places: Integers
    #: `starts` has the first index for each set of higher cards. `after` has the offset of each set
    #: of lower cards, by the total of the higher cards.
    starts: Integers
    after: NDArray[np.int32]
    #: The value of each split for the first mover.
    values: Values
    #: A bit for each card that perfect play puts on the first mover's stack.
    choices: Choices
    #: The largest random number that keeps a card, if perfect play gives it and if it keeps it.
    lasts: Integers


def choice_table(policy: KnownPolicy) -> SplitTable | None:
    if not isinstance(policy, PerfectPolicy):
        return None
    kernel, solved = opened(policy.solution)
    kept = policy.solution.open_choices()
    # A copy has larger memory pages than the mapped file, which makes lookups faster.
    choices = (
        kernel.perfect_choices(solved) if kept is None else np.frombuffer(kept, np.uint16).copy()
    )
    lasts = [last_kept(policy.error_rate, perfect) for perfect in (0.0, 1.0)]
    return SplitTable(*numbering(kernel), solved.values, choices, np.array(lasts))


def figure_table(solution: AnySolution) -> SplitTable:
    kernel, solved = opened(solution)
    nothing = np.zeros(0, np.uint16), np.zeros(0, np.int64)
    return SplitTable(*numbering(kernel), solved.values, *nothing)


def numbering(kernel: Kernel) -> tuple[Integers, Integers, NDArray[np.int32]]:
    # An array with one entry per set of cards would be too large for the processor's cache.
    digits, target = kernel.digits, kernel.rules.target
    lower = next(n for n in range(len(digits) + 1) if prod(digits[:n]) ** 2 >= prod(digits))
    places = np.zeros((2, len(digits)), np.int64)
    totals = []
    for row, (begin, end) in enumerate(((lower, len(digits)), (0, lower))):
        sums = np.zeros(1, np.int64)
        for card in range(begin, end):
            places[row, card] = len(sums)
            sums = (np.arange(digits[card])[:, None] * (card + 1) + sums).ravel()
        totals.append(sums)
    higher, low = totals
    total = np.arange(higher.max() + 1)[:, None] + low
    splits = np.minimum(total, target - 1) - np.maximum(0, total - target + 1) + 1
    after = np.cumsum(np.maximum(splits, 0), axis=1)
    starts = np.cumsum(after[higher, -1]) - after[higher, -1]
    after = np.concatenate((np.zeros((len(after), 1), np.int64), after[:, :-1]), axis=1)
    return places, starts, after.astype(np.int32)


def opened(solution: AnySolution) -> tuple[Kernel, SolvedDeck]:
    """Return the kernel and its tables. If another method solved the game, solve it again."""
    method = solution.tables.method
    if isinstance(method, Kernel):
        return method, solution.tables.read(method.solved)
    kernel = Kernel(solution.game)  # type: ignore[arg-type]  # found by the name of this game
    return kernel, kernel.solved(kernel.solve(silent).sections)


def last_kept(error_rate: float, perfect: float) -> int:
    """Return the largest 32-bit random number that keeps the card, or -1 to never keep it."""
    keep, give = ((1 - error_rate) * odds + error_rate / 2 for odds in (perfect, 1 - perfect))
    return int(last_halves(np.array([keep]), np.array([keep + give]))[0]) if keep else -1


def origin(table: SplitTable, settings: Settings, state: State) -> int:
    """Return the index that the played cards would have if the first mover's total were 0."""
    higher, lower, high_total, laid = 0, 0, 0, state.low | state.high << LOW_WORD_BITS
    for n in range(settings.highest):
        count = laid >> (CARD_BITS * n) & CARD_MASK
        higher += count * table.places[0, n]
        lower += count * table.places[1, n]
        high_total += count * (n + 1) if table.places[0, n] else 0
    lowest = max(0, state.own + state.other - settings.target + 1)
    return int(table.starts[higher] + table.after[high_total, lower] - lowest)


def first_total(settings: Settings, state: State) -> Number:
    return select(state.mover == settings.first, state.own, state.other)


def value_before_draw(table: SplitTable, settings: Settings, state: State, begin: int) -> float:
    """Return Player 1's value before a card is drawn. `begin` comes from `origin`."""
    end = result(settings, state)
    if end != ONGOING:
        return float(end)
    found = table.values[begin + first_total(settings, state)] / VALUE_SCALE
    return float(found if settings.first == 0 else 0.0 - found)


def choose(table: SplitTable, settings: Settings, state: State, seat: int, half: int) -> int:
    # 0 keeps the card, 1 gives it to the opponent.
    if not may_keep(settings, state):
        return 1
    if not may_give(settings, state):
        return 0
    place = origin(table, settings, state) + first_total(settings, state)
    to_first = int(table.choices[place]) >> (state.card - 1) & 1
    keeps = to_first if seat == settings.first else 1 - to_first
    return 0 if half <= table.lasts[keeps] else 1


def value(table: SplitTable, settings: Settings, state: State) -> float:
    kept, given = play(settings, state, 0, 0), play(settings, state, 1, 0)
    # If the card ends the game on both stacks, the set has no index.
    going = result(settings, kept) == ONGOING or result(settings, given) == ONGOING
    begin = origin(table, settings, kept) if going else 0
    if not may_keep(settings, state):
        return value_before_draw(table, settings, given, begin)
    if not may_give(settings, state):
        return value_before_draw(table, settings, kept, begin)
    keeping, giving = (
        value_before_draw(table, settings, kept, begin),
        value_before_draw(table, settings, given, begin),
    )
    return max(keeping, giving) if state.mover == 0 else min(keeping, giving)


def loss(
    table: SplitTable, settings: Settings, state: State, seat: int, action: int, before: float
) -> float:
    after = play(settings, state, action, 0)
    begin = origin(table, settings, after) if result(settings, after) == ONGOING else 0
    now = value_before_draw(table, settings, after, begin)
    return (1 - 2 * seat) * (before - now) + 0.0


@cache
def make_lookup(rules: Rules) -> Lookup:  # noqa: ARG001 -- all games share this interface
    return Lookup(choose, value, loss)
