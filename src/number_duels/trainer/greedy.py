"""What looks best at first sight: the moves that a player who sees no further would make."""

from __future__ import annotations

from math import fsum

from number_duels.core.board import Grid, Meter, Part
from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat

#: More than any board can show: winning at once looks best.
WON = 1_000.0
TIE = 1e-9


def greedy_moves(game: Game[S, M, E], state: S, seat: Seat) -> tuple[M, ...]:
    """The moves after which the board looks best, whatever the other chooses at the same time.

    >>> from number_duels import load
    >>> game = load("number-bid")
    >>> [str(move) for move in greedy_moves(game, game.start(), Seat.ONE)]
    ['10']
    """
    turn = game.turn(state)
    assert isinstance(turn, Decision)
    replies = [{seat.other: move} for move in turn.options.get(seat.other, ())] or [{}]
    looks = {
        move: fsum(
            look(game, game.resolve(state, {seat: move, **reply}), seat) for reply in replies
        )
        for move in turn.options[seat]
    }
    best = max(looks.values())
    return tuple(move for move, found in looks.items() if found > best - TIE)


def look(game: Game[S, M, E], state: S, seat: Seat) -> float:
    """How good a board looks to a seat that does not think ahead."""
    turn = game.turn(state)
    if isinstance(turn, Outcome):
        return 0.0 if turn.winner is None else WON if turn.winner is seat else -WON
    return fsum(
        figure(part) * (1 if part.owner == seat else -1)
        for part in game.board(game.view(state, seat))
        if part.owner is not None
    )


def figure(part: Part) -> float:
    """What a part shows that more of seems better: points, life, numbers left in a grid."""
    if isinstance(part, Meter):
        return part.value
    if isinstance(part, Grid):
        return sum(number is not None for row in part.rows for number in row)
    return 0.0
