"""Small arenas for the tests: a few quick games among players that are always there."""

from __future__ import annotations

from pathlib import Path

import number_duels as nd
from number_duels.arena.game_runner import play
from number_duels.arena.results_file import Book, Entry, entered
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Plan, named
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.tournament import Arena
from number_duels.arena.workers import Engine, Pool
from number_duels.players.external import Limits

#: Every game, small enough to be solved in a moment.
SMALL: dict[str, dict[str, int | str]] = {
    "high-low-battle": {"cards": 4, "rounds": 3},
    "number-bid": {"numbers": 5},
    "number-drop": {"side": 2},
    "number-knot": {"numbers": 4, "life": 6},
    "number-stack-showdown": {"target": 9, "highest": 4, "copies": 2},
}
GAMES = tuple(nd.load(name, **settings) for name, settings in SMALL.items())
TERMS = Limits(seconds=5)


def plan(
    *players: str, games: tuple[nd.AnyGame, ...] = GAMES, pairs: int = 3, seed: int = 1
) -> Plan:
    """Everybody against everybody."""
    return Plan(named(players), games, pairs, seed)


def entries_of(what: Plan) -> list[Entry]:
    """The games of a plan, played in this process."""
    roster = Roster(TERMS)
    try:
        return [
            entered(fixture, play(fixture, roster))
            for pairing in what.pairings()
            for pair in what.pairs_of(pairing)
            for fixture in pair
        ]
    finally:
        roster.close()


def run(
    what: Plan, path: Path, workers: int = 1, sprt: Sprt | None = None, engine: Engine | None = None
) -> Arena:
    """A plan, played by worker processes into a book."""
    arena = Arena(what, Book(path), sprt)
    arena.run(engine or Pool(workers, TERMS), lambda _: None)
    return arena
