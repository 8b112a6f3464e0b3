"""Small tournaments for the tests: a few quick games among players that are always there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.arena.engines import Engine
from number_duels.arena.game_runner import Roster
from number_duels.arena.in_process import InProcess
from number_duels.arena.results import GameResult, ResultsFile
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.tournament import Tournament
from number_duels.players.external import Limits
from tests.some_games import CARDS, SECRET

#: Games that are small enough to be solved in a moment.
SMALL: dict[str, dict[str, int | str]] = {
    "high-low-battle": {"cards": 4, "rounds": 3},
    "number-bid": {"numbers": 5},
    "number-drop": {"side": 2},
    "number-knot": {"numbers": 4, "life": 6},
    "number-stack-showdown": {"target": 9, "highest": 4, "copies": 2},
}
GAMES = tuple(nd.load(name, **settings) for name, settings in SMALL.items())
#: For tests of what knows no game: two of them, and all in the long run.
SOME_SMALL_GAMES = [
    pytest.param(game, id=game.name, marks=() if game.name in (SECRET, CARDS) else pytest.mark.slow)
    for game in GAMES
]
LIMITS = Limits(seconds=600, starting=600)
#: Players and solutions that all tests of one process share.
ROSTER = Roster(LIMITS)


def in_process(roster: Roster = ROSTER) -> InProcess:
    """An engine without worker processes, for tests that are not about them."""
    return InProcess(roster)


def schedule(
    *players: str, games: tuple[nd.AnyGame, ...] = GAMES, pairs: int = 3, seed: int = 1
) -> Schedule:
    """Everybody against everybody."""
    return Schedule(named(players), games, pairs, seed)


def results_of(what: Schedule) -> list[GameResult]:
    """The games of a schedule."""
    tasks = (pair for pairing in what.pairings() for pair in what.pairs_of(pairing))
    return [result for results in in_process().run(tasks) for result in results]


def run(
    what: Schedule, path: Path, sprt: Sprt | None = None, engine: Engine | None = None
) -> Tournament:
    """A schedule, played into a file."""
    tournament = Tournament(what, ResultsFile(path), sprt)
    tournament.run(engine or in_process(), lambda _: None)
    return tournament


def lines(path: Path) -> list[dict[str, object]]:
    """The lines of a file, apart from when the games were played."""
    return [{**json.loads(line), "started": ""} for line in path.read_text().splitlines()]
