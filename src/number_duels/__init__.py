"""Number Duels: five number games for two players, with solvers, computer players and an arena."""

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
from number_duels.core.record import Person, Record
from number_duels.games import load

if TYPE_CHECKING:
    from number_duels.arena import arena
    from number_duels.bench import bench
    from number_duels.games import names as games
    from number_duels.games.high_low_battle import HighLowBattle
    from number_duels.games.number_bid import NumberBid
    from number_duels.games.number_drop import NumberDrop
    from number_duels.games.number_knot import NumberKnot
    from number_duels.games.number_stack_showdown import NumberStackShowdown
    from number_duels.library import best_response, exploitability, play_match, player, states
    from number_duels.review import review
    from number_duels.solvers import Solution, solve
    from number_duels.solvers.best_response import Response
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
    "arena",
    "bench",
    "best_response",
    "exploitability",
    "games",
    "load",
    "play_match",
    "player",
    "review",
    "solve",
    "states",
]

__version__ = "0.2.0"

_CALLABLE = ("arena", "bench", "review")
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
    "best_response": "library",
    "exploitability": "library",
    "play_match": "library",
    "player": "library",
    "solve": "solvers.solver",
    "states": "library",
}
#: Names that people look for here. They need libraries that a game does not need.
_ADAPTERS = {
    "Batch": "batch",
    "DuelEnv": "gymnasium",
    "JaxBatch": "jax",
    "Tables": "tables",
    "TextEnv": "text",
    "VectorDuel": "gymnasium_vector",
}


def __getattr__(name: str) -> object:
    if name in _CALLABLE:
        return import_module(f"number_duels.{name}")
    if name in _LAZY:
        return getattr(import_module(f"number_duels.{_LAZY[name]}"), name)
    said = f"module {__name__!r} has no attribute {name!r}"
    if name in _ADAPTERS:
        said += f"; write: from number_duels.adapters.{_ADAPTERS[name]} import {name}"
    raise AttributeError(said)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_when_imported()
