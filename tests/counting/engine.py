"""A counter for any game: the keys that can be reached from the start."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

import number_duels as nd
from number_duels.core.notation import read


def count(game: nd.AnyGame, moves: str = "") -> tuple[int, int]:
    """How many keys there are, after some turns, at which play goes on and at which it is over."""
    start = game.start()
    for step in read(game, start, moves):
        start = step.after
    seen = {game.key(start)}
    waiting = [start]
    ends = 0
    for state in waiting:
        turn = game.turn(state)
        ends += isinstance(turn, nd.Outcome)
        for child in following(game, state, turn):
            key = game.key(child)
            if key not in seen:
                seen.add(key)
                waiting.append(child)
    return len(seen) - ends, ends


def following(
    game: nd.AnyGame,
    state: Hashable,
    turn: nd.Decision[Hashable] | nd.Chance[Hashable] | nd.Outcome,
) -> Iterator[Hashable]:
    """Every state that may come next; what is an option needs no second check."""
    if isinstance(turn, nd.Decision):
        for moves in product(*turn.options.values()):
            yield game.resolve(state, dict(zip(turn.options, moves, strict=True)))
    elif isinstance(turn, nd.Chance):
        for event in turn.odds:
            yield game.drawn(state, event)
