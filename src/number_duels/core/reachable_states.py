"""The states that a game can reach from its start."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from number_duels.core.turn import Chance, Decision, E, M, Outcome, S, Seat

if TYPE_CHECKING:
    from number_duels.core.game import Game


def states(game: Game[S, M, E]) -> Iterator[tuple[Hashable, S]]:
    """Yield every reachable state with its key, in breadth-first order, one state per key.

    >>> from number_duels import load
    >>> dict(states(load("number-knot", numbers=1, life=1)))[(), (1, 0), 1]
    State(line=(), life=(1, 0), mover=Seat.TWO)
    """
    start = game.start()
    seen = {game.key(start)}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        yield game.key(state), state
        turn = game.turn(state)
        for following in () if isinstance(turn, Outcome) else successors(game, state, turn):
            key = game.key(following)
            if key not in seen:
                seen.add(key)
                waiting.append(following)


def successors(game: Game[S, M, E], state: S, turn: Decision[M] | Chance[E]) -> Iterator[S]:
    """Yield every possible next state. If both seats choose, Player 2's moves vary fastest."""
    if isinstance(turn, Chance):
        yield from (game.drawn(state, event) for event in turn.odds)
        return
    seats = sorted(turn.options)
    for moves in product(*(turn.options[seat] for seat in seats)):
        yield game.resolve(state, dict(zip(seats, moves, strict=True)))


def likely_successors(
    game: Game[S, M, E],
    state: S,
    turn: Decision[M] | Chance[E],
    strategy: Callable[[Seat], Mapping[M, float]],
) -> Iterator[tuple[float, S]]:
    """Yield every possible next state, with its probability if both seats play `strategy`."""
    if isinstance(turn, Chance):
        yield from ((float(odds), game.drawn(state, event)) for event, odds in turn.odds.items())
        return
    seats = sorted(turn.options)
    for choice in product(*(strategy(seat).items() for seat in seats)):
        if chance := prod(odds for _, odds in choice):
            moves = {seat: move for seat, (move, _) in zip(seats, choice, strict=True)}
            yield chance, game.resolve(state, moves)
