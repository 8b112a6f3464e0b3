"""Number Stack Showdown looked up in its solution: by the cards laid, and how they are split."""

# ruff: noqa: PLR0917 -- compiled functions are called by place

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
    VALUE_SCALE,
    Choices,
    Integers,
    SolvedDeck,
    Values,
)

LOW_WORD_BITS = CARD_BITS * CARDS_IN_LOW


class SplitTable(NamedTuple):
    """What is known of every split of every set of cards between the stacks.

    The splits of a set lie side by side, by the total of who moved first, as in the solution. Where
    they begin is added up: sets are numbered by their higher and by their lower cards.
    """

    #: What a card adds to the number of the higher, and to that of the lower cards.
    places: Integers
    #: Where the splits of all sets with some higher cards begin; and after that, by the total of
    #: the higher cards, those of the set with some lower cards.
    starts: Integers
    after: NDArray[np.int32]
    #: What each split is worth to who moved first.
    values: Values
    #: A bit for each card that perfect play puts on the stack of who moved first.
    choices: Choices
    #: The last half by which a card is kept: where perfect play gives it, and where it keeps it.
    lasts: Integers


def choice_table(policy: KnownPolicy) -> SplitTable | None:
    """Perfect play, with or without errors; no other policy is a table of this game."""
    if not isinstance(policy, PerfectPolicy):
        return None
    kernel, solved = opened(policy.solution)
    kept = policy.solution.open_choices()
    # Copied: memory of one's own has larger pages, and is looked up in faster.
    choices = (
        kernel.perfect_choices(solved) if kept is None else np.frombuffer(kept, np.uint16).copy()
    )
    lasts = [last_kept(policy.error_rate, perfect) for perfect in (0.0, 1.0)]
    return SplitTable(*numbering(kernel), solved.values, choices, np.array(lasts))


def figure_table(solution: AnySolution) -> SplitTable:
    """The values of the solution as they are."""
    kernel, solved = opened(solution)
    nothing = np.zeros(0, np.uint16), np.zeros(0, np.int64)
    return SplitTable(*numbering(kernel), solved.values, *nothing)


def numbering(kernel: Kernel) -> tuple[Integers, Integers, NDArray[np.int32]]:
    """How the splits of a set are found: `places`, `starts` and `after` of its table.

    One table for all sets would be too large to stay near the processor.
    """
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
    """The tables of the kernel; small games, which are solved without it, are solved by it now."""
    method = solution.tables.method
    if isinstance(method, Kernel):
        return method, solution.tables.read(method.solved)
    kernel = Kernel(solution.game)  # type: ignore[arg-type]  # found by the name of this game
    return kernel, kernel.solved(kernel.solve(silent).sections)


def last_kept(error_rate: float, perfect: float) -> int:
    """The last half by which a card is kept that perfect play keeps, or not; -1: none."""
    keep, give = ((1 - error_rate) * odds + error_rate / 2 for odds in (perfect, 1 - perfect))
    return int(last_halves(np.array([keep]), np.array([keep + give]))[0]) if keep else -1


def origin(table: SplitTable, settings: Settings, state: State) -> int:
    """Where the split would lie of which who moved first has nothing, whatever card is in hand."""
    higher, lower, high_total, laid = 0, 0, 0, state.low | state.high << LOW_WORD_BITS
    for n in range(settings.highest):
        count = laid >> (CARD_BITS * n) & CARD_MASK
        higher += count * table.places[0, n]
        lower += count * table.places[1, n]
        high_total += count * (n + 1) if table.places[0, n] else 0
    lowest = max(0, state.own + state.other - settings.target + 1)
    return int(table.starts[higher] + table.after[high_total, lower] - lowest)


def first_total(settings: Settings, state: State) -> Number:
    """What who moved first has."""
    return select(state.mover == settings.first, state.own, state.other)


def worth(table: SplitTable, settings: Settings, state: State, begin: int) -> float:
    """What a state without a card in hand is worth to Player 1, its origin being known."""
    end = result(settings, state)
    if end != ONGOING:
        return float(end)
    found = table.values[begin + first_total(settings, state)] / VALUE_SCALE
    return float(found if settings.first == 0 else 0.0 - found)


def choose(table: SplitTable, settings: Settings, state: State, seat: int, half: int) -> int:
    """To keep is 0, to give is 1."""
    if not may_keep(settings, state):
        return 1
    if not may_give(settings, state):
        return 0
    place = origin(table, settings, state) + first_total(settings, state)
    to_first = int(table.choices[place]) >> (state.card - 1) & 1
    keeps = to_first if seat == settings.first else 1 - to_first
    return 0 if half <= table.lasts[keeps] else 1


def value(table: SplitTable, settings: Settings, state: State) -> float:
    """The better of what may follow: the same cards on the table, split in one way or another."""
    kept, given = play(settings, state, 0, 0), play(settings, state, 1, 0)
    # Sets that end the game either way have no number.
    going = result(settings, kept) == ONGOING or result(settings, given) == ONGOING
    begin = origin(table, settings, kept) if going else 0
    if not may_keep(settings, state):
        return worth(table, settings, given, begin)
    if not may_give(settings, state):
        return worth(table, settings, kept, begin)
    keeping, giving = (
        worth(table, settings, kept, begin),
        worth(table, settings, given, begin),
    )
    return max(keeping, giving) if state.mover == 0 else min(keeping, giving)


def loss(
    table: SplitTable, settings: Settings, state: State, seat: int, action: int, before: float
) -> float:
    """How much worse it is than the other choice, if that is open."""
    after = play(settings, state, action, 0)
    begin = origin(table, settings, after) if result(settings, after) == ONGOING else 0
    now = worth(table, settings, after, begin)
    return (1 - 2 * seat) * (before - now) + 0.0


@cache
def make_lookup(rules: Rules) -> Lookup:  # noqa: ARG001 -- as for every game
    return Lookup(choose, value, loss)
