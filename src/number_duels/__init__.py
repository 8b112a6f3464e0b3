"""Number Duels: five two-player number games, playable, solvable and measurable."""

from number_duels.core.game import (
    HIDDEN,
    AnyGame,
    Chance,
    Decision,
    Game,
    IllegalMove,
    Outcome,
    Seat,
)
from number_duels.core.match import Match
from number_duels.core.player import Player, Situation
from number_duels.core.record import Person, Record
from number_duels.games import load
from number_duels.games import names as games

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
    "games",
    "load",
]

__version__ = "0.1.0"
