"""Random games in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.compiled.jit import compiled, inlined
from number_duels.adapters.batch.compiled.known import OTHER, Known, make_settings_check
from number_duels.adapters.batch.compiled.turns import first_stream, make_choices, make_deal
from number_duels.adapters.batch.splitmix64 import Word, mix, next_stream, pick_lower, pick_upper
from number_duels.adapters.packed.rules import ONGOING, Rules, State

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
