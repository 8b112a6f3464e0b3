"""What the tests of the solvers share."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from number_duels.core.game import E, Game, M, Outcome, S
from number_duels.solvers.induction import successors


def every_state(game: Game[S, M, E]) -> Iterator[S]:
    """One state for each key that can be reached and is not an end, by the rules alone."""
    seen: set[Hashable] = set()
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        key, turn = game.key(state), game.turn(state)
        if key in seen or isinstance(turn, Outcome):
            continue
        seen.add(key)
        yield state
        waiting += successors(game, state, turn)


def silent(fraction: float) -> None:
    """Progress that nobody looks at."""
