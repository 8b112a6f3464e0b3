"""Number Duels: five two-player number games, playable, solvable and measurable."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import number_duels.games  # noqa: F401  # makes the package `nd.games` callable
from number_duels.adapters.registration import register_when_imported
from number_duels.core.game import (
    HIDDEN,
    AnyGame,
    Chance,
    Decision,
    Game,
    IllegalMove,
    Outcome,
    Seat,
    SomeGame,
)
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.core.notation import Step
from number_duels.core.player import Forfeit, Outage, Player, Situation
from number_duels.core.reachable_states import states
from number_duels.core.record import Person, Record
from number_duels.core.runner import play_match
from number_duels.games import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from number_duels.games import names as games
    from number_duels.games.high_low_battle import HighLowBattle
    from number_duels.games.number_bid import NumberBid
    from number_duels.games.number_drop import NumberDrop
    from number_duels.games.number_knot import NumberKnot
    from number_duels.games.number_stack_showdown import NumberStackShowdown
    from number_duels.review import review
    from number_duels.solvers import Solution, solve
    from number_duels.solvers.best_response import Response, best_response
    from number_duels.solvers.matrix_games import PayoffMatrix
    from number_duels.solvers.policies import Policy
    from number_duels.solvers.strategy_locks import Lock

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
    "play_match",
    "player",
    "review",
    "solve",
    "states",
]

__version__ = "0.1.0"

#: Names that are imported on first use, because playing a game needs none of them.
_LAZY = {
    "HighLowBattle": "games.high_low_battle",
    "NumberBid": "games.number_bid",
    "NumberDrop": "games.number_drop",
    "NumberKnot": "games.number_knot",
    "NumberStackShowdown": "games.number_stack_showdown",
    "Lock": "solvers.strategy_locks",
    "PayoffMatrix": "solvers.matrix_games",
    "Policy": "solvers.policies",
    "Response": "solvers.best_response",
    "Solution": "solvers.solution",
    "best_response": "solvers.best_response",
    "solve": "solvers.solver",
}


def __getattr__(name: str) -> object:
    if name == "review":  # a callable package, like `games`
        return import_module("number_duels.review")
    if name in _LAZY:
        return getattr(import_module(f"number_duels.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def player(who: str, game: SomeGame, *, progress: Callable[[float], None] | None = None) -> Player:
    """Return a player by name, ready for a game: `random`, `level:3`, `perfect` or `bot:…`.

    `progress` is called with the fraction done while the player prepares.

    >>> game = load("number-bid")
    >>> match = Match(game, seed=7)
    >>> play_match(match, {Seat.ONE: player("random", game), Seat.TWO: player("random", game)})
    Outcome(winner=Seat.TWO, reason='Player 2 has the higher total score.')
    """
    from number_duels.players.registry import player as make_player

    return make_player(who, game, progress)


register_when_imported()
