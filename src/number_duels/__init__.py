"""Number Duels: five two-player number games, playable, solvable and measurable."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import number_duels.games  # noqa: F401  # `nd.games` is the folder, and can be called
from number_duels.adapters.registration import register_when_imported
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
    SomeGame,
)
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.core.notation import Step
from number_duels.core.player import Forfeit, Outage, Player, Situation
from number_duels.core.record import Person, Record
from number_duels.core.runner import play_match
from number_duels.core.states import states
from number_duels.games import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from number_duels.games import names as games
    from number_duels.games.high_low_battle import HighLowBattle
    from number_duels.games.number_bid import NumberBid
    from number_duels.games.number_drop import NumberDrop
    from number_duels.games.number_knot import NumberKnot
    from number_duels.games.number_stack_showdown import NumberStackShowdown
    from number_duels.review import review
    from number_duels.solvers import Solution
    from number_duels.solvers.best_response import Response
    from number_duels.solvers.locked_policy import LockedPolicy
    from number_duels.solvers.locked_solution import LockedSolution
    from number_duels.solvers.locks import Lock
    from number_duels.solvers.payoff_matrix import PayoffMatrix
    from number_duels.solvers.policies import Policy

__all__ = [
    "HIDDEN",
    "AnyGame",
    "Chance",
    "Decision",
    "Forfeit",
    "Game",
    "HighLowBattle",
    "History",
    "IllegalMove",
    "Lock",
    "LockedPolicy",
    "LockedSolution",
    "Match",
    "NumberBid",
    "NumberDrop",
    "NumberKnot",
    "NumberStackShowdown",
    "Outage",
    "Outcome",
    "PayoffMatrix",
    "Person",
    "Player",
    "Policy",
    "Record",
    "Response",
    "Seat",
    "Situation",
    "Solution",
    "SomeGame",
    "Step",
    "best_response",
    "games",
    "load",
    "locked_policy",
    "play_match",
    "player",
    "review",
    "solve",
    "solve_locked",
    "states",
]

__version__ = "0.1.0"

#: Names that are loaded when they are first asked for: a plain game needs none of them.
_LAZY = {
    "HighLowBattle": "games.high_low_battle",
    "NumberBid": "games.number_bid",
    "NumberDrop": "games.number_drop",
    "NumberKnot": "games.number_knot",
    "NumberStackShowdown": "games.number_stack_showdown",
    "Lock": "solvers.locks",
    "LockedPolicy": "solvers.locked_policy",
    "LockedSolution": "solvers.locked_solution",
    "PayoffMatrix": "solvers.payoff_matrix",
    "Policy": "solvers.policies",
    "Response": "solvers.best_response",
    "Solution": "solvers.solution",
}


def __getattr__(name: str) -> object:
    if name == "review":  # a folder that can be called, as `games` is
        return import_module("number_duels.review")
    if name in _LAZY:
        return getattr(import_module(f"number_duels.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def solve(
    game: Game[S, M, E],
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> Solution[S, M, E]:
    """Solve a game exactly, or open its solution if it was solved before.

    `progress` is called with the fraction done, now and then. Without `cache` nothing is read
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


def locked_policy(
    game: Game[S, M, E],
    locks: Iterable[Lock | str],
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> LockedPolicy[S, M, E]:
    """Play perfectly but for what is locked: a policy that `best_response` answers exactly.

    >>> game = load("number-bid", numbers=4)
    >>> policy = locked_policy(game, ["2 never 4"], cache=False)
    >>> best_response(game, policy, cache=False).gains[Seat.ONE]
    1.0
    """
    from number_duels.solvers.locked_policy import locked_policy as lock

    return lock(game, locks, progress=progress, cache=cache)


def solve_locked(
    game: Game[S, M, E],
    locks: Iterable[Lock | str],
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> LockedSolution[S, M, E]:
    """Solve a game in which a part of somebody's play is fixed: both ways, exactly.

    >>> game = load("high-low-battle", cards=4, rounds=2)
    >>> locked = solve_locked(game, ["2 never 1"], cache=False)
    >>> round(locked.reply_value(game.start(), Seat.ONE), 3)
    0.333
    >>> round(locked.value(game.start()), 3)
    0.167
    """
    from number_duels.solvers.locked_solution import solve_locked as solve_with

    return solve_with(game, locks, progress=progress, cache=cache)


def player(who: str, game: SomeGame, *, progress: Callable[[float], None] | None = None) -> Player:
    """The player that a word names, ready for a game: `random`, `level:3`, `perfect`, `bot:…`.

    >>> game = load("number-bid")
    >>> match = Match(game, seed=7)
    >>> play_match(match, {Seat.ONE: player("random", game), Seat.TWO: player("random", game)})
    Outcome(winner=Seat.TWO, reason='Player 2 has the higher total score.')
    """
    from number_duels.players.registry import player as make_player

    return make_player(who, game, progress)


register_when_imported()
