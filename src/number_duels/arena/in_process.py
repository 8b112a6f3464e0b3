"""Run an arena in this process, so that players can be Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import fspath
from pathlib import Path
from tempfile import TemporaryDirectory

from number_duels.arena.engines import Task
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.report import Report, report
from number_duels.arena.results import GameResult, ResultsFile
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.stats.ratings import anchors_of, exploitabilities_of
from number_duels.arena.tournament import Tournament, salted
from number_duels.core.game import AnyGame, SomeGame
from number_duels.core.player import Player
from number_duels.core.progress_bar import progress_bar
from number_duels.core.record import Person
from number_duels.games import as_game, load, names
from number_duels.players.builtin import PolicyPlayer, RandomPlayer, prepare_for_many_games
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.function import ObjectPlayer
from number_duels.players.policy import ForeignPolicy, TrainedPlayer
from number_duels.players.registry import (
    KINDS,
    POLICY,
    PlayerLike,
    as_player,
    as_policy,
    check_who,
    is_file,
)
from number_duels.solvers.policies import ErringPolicy
from number_duels.solvers.strategy_arrays import ArrayPolicy


class GivenPlayers(Roster):
    def __init__(self, given: Mapping[Person, PlayerLike]) -> None:
        super().__init__(Limits())
        self.given = given

    def made(self, person: Person, game: AnyGame) -> Player:
        made = as_player(self.given.get(person, person.who), game)
        prepare_for_many_games(made)
        return forfeiting(made, game)


def forfeiting(player: Player, game: AnyGame) -> Player:
    """Return a player that forfeits a game if it fails. Built-in players do not fail."""
    if isinstance(player, PolicyPlayer) and not isinstance(
        player.policy, ErringPolicy | ArrayPolicy
    ):
        return TrainedPlayer(ForeignPolicy(player.policy), game, Limits())
    own = isinstance(player, ExternalPlayer | RandomPlayer | PolicyPlayer)
    return player if own else ObjectPlayer(player, Limits())


class InProcess:
    def __init__(self, roster: Roster) -> None:
        self.roster = roster

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        for task in tasks:
            yield [play_fixture(fixture, self.roster) for fixture in task]


def word_of(player: PlayerLike, game: SomeGame) -> str:
    """Return the word that names a player, such as `level:3` or `policy:NAME`."""
    if is_file(player):
        return POLICY + fspath(player)
    if isinstance(player, str):
        check_who(player)
        return player
    name = getattr(player, "__name__", type(player).__name__).strip("<>")
    try:
        as_policy(player, game)
    except ValueError:
        as_player(player, game)  # raises if it is no player
        return f"py:{name}"
    return POLICY + name


def seated(
    players: Iterable[PlayerLike] | Mapping[str, PlayerLike], game: SomeGame
) -> dict[Person, PlayerLike]:
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise ValueError(f"An arena needs two or more players: pass [{players!r:.60}, 'perfect'].")
    given = [("", player) for player in players]
    if isinstance(players, Mapping):
        given = [(str(name), player) for name, player in players.items()]
    words = [(name, word_of(one, game)) for name, one in given]
    people = named([Person(name or last_part(word), word) for name, word in words])
    for person in people:
        if person.name in KINDS and person.name != person.who:
            raise ValueError(f"{person.name} is the name of a built-in player; choose another.")
    return {person: one for person, (_, one) in zip(people, given, strict=True)}


def last_part(word: str) -> str:
    """Return NAME if the word is `py:NAME`, otherwise an empty string."""
    kind, _, which = word.partition(":")
    return which if kind == "py" and ":" not in which else ""


def several(
    games: SomeGame | str | Iterable[SomeGame | str],
) -> tuple[SomeGame | str, ...]:
    """Return one or more games as a tuple. Load games that are named with settings."""
    if isinstance(games, str) or not isinstance(games, Iterable):
        games = (games,)
    found = tuple(load(one) if isinstance(one, str) and "(" in one else one for one in games)
    if not found:
        raise ValueError("Choose at least one game.")
    return found


def games_named(games: SomeGame | str | Iterable[SomeGame | str] | None) -> tuple[AnyGame, ...]:
    if games is None:
        return tuple(map(load, names()))
    return tuple(map(as_game, several(games)))


def run_arena(
    players: Iterable[PlayerLike] | Mapping[str, PlayerLike],
    games: SomeGame | str | Iterable[SomeGame | str] | None,
    pairs: int,
    seed: int,
) -> Report:
    found = games_named(games)
    people = seated(players, found[0])
    roster = GivenPlayers(people)
    with TemporaryDirectory() as folder:
        file = ResultsFile(Path(folder) / "results.jsonl")
        schedule = salted(Schedule(tuple(people), found, pairs, seed), file)
        tournament = Tournament(schedule, file)
        try:
            with progress_bar("Playing") as bar:
                total = tournament.total
                tournament.run(InProcess(roster), lambda _: bar(len(file.results) / total))
        finally:
            roster.close()
            file.close()
    named_players = {person.name: given for person, given in people.items()}
    with progress_bar("Computing the best counter-strategies") as bar:
        gains = exploitabilities_of(found, named_players, bar)
    return report(tournament.counting(), anchors_of(found), {}, gains)
