"""Number Duels: five two-player number games, playable, solvable and measurable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from number_duels.core.game import (
    HIDDEN,
    AnyGame,
    Chance,
    Decision,
    E,
    Game,
    IllegalMove,
    M,
    Outcome,
    S,
    Seat,
)
from number_duels.core.match import Match
from number_duels.core.player import Player, Situation
from number_duels.core.record import Person, Record
from number_duels.games import load
from number_duels.games import names as games

if TYPE_CHECKING:
    from collections.abc import Callable

    from number_duels.solvers import Solution
    from number_duels.solvers.best_response import Response
    from number_duels.solvers.policies import Policy

__all__ = [
    "HIDDEN",
    "AnyGame",
    "Chance",
    "Decision",
    "Game",
    "IllegalMove",
    "Match",
    "Outcome",
    "Person",
    "Player",
    "Record",
    "Seat",
    "Situation",
    "best_response",
    "games",
    "load",
    "solve",
]

__version__ = "0.1.0"


def solve(
    game: Game[S, M, E],
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> Solution[S, M, E]:
    """Solve a game exactly, or open its solution if it was solved before.

    `progress` is told the fraction done, now and then. Without `cache` nothing is read
    from disk or kept there. A game that cannot be solved is refused with a ValueError.

    >>> game = load("number-knot", numbers=3, life=3)
    >>> solve(game, cache=False).value(game.start())
    1.0
    """
    # The solver is loaded when it is first asked for: a plain game never needs it.
    from number_duels.solvers import solve as solve_now

    return solve_now(game, progress=progress, cache=cache)


def best_response(
    game: Game[S, M, E],
    policy: Policy[S, M],
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> Response[S, M, E]:
    """Find the best answer to a policy, exactly: what it brings, and how it is played.

    A policy gives the probability of every option: `policy(state, seat)`; it may depend on the
    key of the state alone. One that gives something else is refused with a ValueError.

    >>> game = load("number-bid", numbers=4)
    >>> def lowest(state, seat):
    ...     return {game.turn(state).options[seat][0]: 1.0}
    >>> best_response(game, lowest, cache=False).exploitability
    1.0
    """
    from number_duels.solvers.best_response import best_response as respond

    return respond(game, policy, progress=progress, cache=cache)
