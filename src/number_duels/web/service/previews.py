"""A short game of each kind, as boards to look at before anybody plays."""

from __future__ import annotations

from functools import cache

from number_duels.core.game import Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.runner import play_match
from number_duels.games import load
from number_duels.players.registry import player
from number_duels.sessions.game_log import by_turn
from number_duels.web.service.view_models import PartView
from number_duels.web.service.views import board

#: Of this many games at random the one is shown whose length is nearest to what is wanted.
SAMPLES = 20
WANTED_TURNS = 8
#: Of a longer one only the beginning is shown.
MAX_TURNS = 12


@cache
def preview(name: str) -> list[list[PartView]]:
    """The boards after each turn of one game, as a spectator sees them; the same on every run."""
    games = [by_turn(sample_match(name, seed).steps(None)) for seed in range(SAMPLES)]
    shown = min(games, key=lambda found: abs(len(found) - WANTED_TURNS))[:MAX_TURNS]
    states = [shown[0][0].before, *(steps[-1].after for steps in shown)]
    return [board(load(name), state) for state in states]


def sample_match(name: str, seed: int) -> AnyMatch:
    """A game at random, played to its end."""
    match: AnyMatch = Match(load(name), seed)
    play_match(match, {seat: player("random", match.game) for seat in Seat})
    return match
