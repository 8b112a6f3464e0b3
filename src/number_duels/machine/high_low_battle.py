"""Machine rules of High-Low Battle: hands as bits, Player 1's lead, and whom ties favor."""

# ruff: noqa: ARG001 -- the rules of all games have the same parameters

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import comb
from typing import NamedTuple

from number_duels.core.game import Seat
from number_duels.games import high_low_battle
from number_duels.games.high_low_battle import HighLowBattle, lower_before
from number_duels.machine.operations import Number, select, sign, size
from number_duels.machine.rules import (
    FIRST_CODE,
    ONGOING,
    Codes,
    Integers,
    PackedGame,
    Rows,
    Rules,
    Words,
    integers,
    options_of_bits,
)

GAME_CLASS = HighLowBattle
KNOWN_SETTINGS = {
    "cards": range(1, 14),
    "rounds": range(1, 14),
    "level": ("sudden-death", "draw"),
}


class Settings(NamedTuple):
    cards: int
    rounds: int
    level_draws: int
    bases: Integers
    #: How many hands are possible after each number of rounds, and these hands as bits.
    hands: Integers
    sets: Integers
    ranks: Integers


class State(NamedTuple):
    """`lower` is 1 if a tie favors Player 1, -1 if it favors Player 2, and 0 otherwise."""

    one: Number
    two: Number
    lead: Number
    lower: Number


def begin(settings: Settings) -> State:
    full = (1 << settings.cards) - 1
    return State(full, full, 0, 0)


def load(rows: Rows, index: int) -> State:
    return State(rows[index, 0], rows[index, 1], rows[index, 2], rows[index, 3])


def mover(state: State) -> Number:
    # Both seats decide, so there is no single mover.
    return 0


def hand(settings: Settings, state: State, seat: Number) -> Number:
    return select(seat == 0, state.one, state.two)


def play(settings: Settings, state: State, one: Number, two: Number) -> State:
    higher = sign(one - two)
    tied = state.lower * (1 - higher * higher)
    lead = state.lead + higher + 2 * tied
    return State(state.one & ~(1 << one), state.two & ~(1 << two), lead, tied - higher)


def result(settings: Settings, state: State) -> Number:
    played = settings.cards - size(state.one)
    may_go_on = (state.one != 0) & (settings.level_draws == 0)
    level = (state.lead == 0) & may_go_on
    return select((played < settings.rounds) | level, ONGOING, sign(state.lead))


def observe(settings: Settings, state: State, seat: Number) -> Words:
    sign = 1 - 2 * seat
    own, other = hand(settings, state, seat), hand(settings, state, 1 - seat)
    return own, other, state.lead * sign, state.lower * sign


def code(settings: Settings, state: State) -> Number:
    played = settings.cards - size(state.one)
    leads = select(played < settings.rounds, 4 * played + 1, 1)
    hand_one = settings.ranks[state.one] * (3 * leads * settings.hands[played])
    base = settings.bases[played] + hand_one + leads + leads // 2
    return base + settings.ranks[state.two] * (3 * leads) + state.lower * leads + state.lead


def decode(settings: Settings, code: Number, _: Number) -> State:
    import numpy as np

    played = np.searchsorted(settings.bases, code, "right") - 1
    leads = np.where(played < settings.rounds, 4 * played + 1, 1)
    rest, lead = np.divmod(code - settings.bases[played], leads)
    hands, lower = np.divmod(rest, 3)
    one, two = (settings.sets[played, n] for n in np.divmod(hands, settings.hands[played]))
    return State(one, two, lead - leads // 2, lower - 1)


def count(settings: Settings) -> int:
    # The last codes have empty hands and a level score.
    return int(settings.bases[-1]) + 3


def layers(settings: Settings) -> Iterator[tuple[Rows, Rows]]:
    import numpy as np

    for played in range(settings.cards):
        block = 3 * (4 * played + 1 if played < settings.rounds else 1)
        pairs = np.arange(int(settings.hands[played]) ** 2)
        yield settings.bases[played] + block * pairs, np.arange(block)


def mirror(state: State) -> State:
    return State(state.two, state.one, -state.lead, -state.lower)


def counts(settings: Settings) -> tuple[int, int, int, int]:
    return settings.cards, settings.cards, 1, 1


OPTIONS = options_of_bits(hand, counts)
RULES = Rules(
    begin,
    load,
    mover,
    OPTIONS,
    play,
    result,
    observe,
    counts,
    widths=(1, 1, 0, 0),
    both=True,
    codes=Codes(code, decode, count, layers, mirror),
)


def pack(state: high_low_battle.State) -> State:
    one, two = (sum(1 << n - 1 for n in cards) for cards in state.hands)
    before = lower_before(state)
    lower = 0 if before is None else 1 if before is Seat.ONE else -1
    return State(one, two, state.scores[0] - state.scores[1], lower)


def numbering(game: HighLowBattle) -> tuple[Integers, ...]:
    rounds = range(game.cards + 1)
    counts = [comb(game.cards, played) for played in rounds]
    leads = [4 * played + 1 if played < game.rounds else 1 for played in rounds]
    sizes = [3 * lead * count**2 for lead, count in zip(leads, counts, strict=True)]
    sets: list[list[int]] = [[] for _ in rounds]
    ranks = []
    for bits in range(1 << game.cards):
        same_size = sets[game.cards - bits.bit_count()]
        ranks.append(len(same_size))
        same_size.append(bits)
    bases = [*accumulate(sizes[:-1], initial=FIRST_CODE)]
    padded = [row + [0] * (max(counts) - len(row)) for row in sets]
    return integers(bases), integers(counts), integers(padded), integers(ranks)


def packed(game: HighLowBattle) -> PackedGame:
    hands, lead = (0, (1 << game.cards) - 1), 2 * game.cards
    settings = Settings(game.cards, game.rounds, int(game.level == "draw"), *numbering(game))
    bounds = (hands, hands, (-lead, lead), (-1, 1))
    return PackedGame(RULES, settings, pack, bounds, game.cards)
