"""The players of one process: made once, kept for all their games."""

from __future__ import annotations

from number_duels.arena.grading import Grader
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.core.player import Player
from number_duels.core.record import Person
from number_duels.players import registry
from number_duels.players.builtin import prepare_for_many_games
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.registry import has_policy, is_external
from number_duels.solvers import Unsolvable, solve


class Roster:
    """Players and graders, each made when it is first needed."""

    def __init__(self, limits: Limits, clock: Clock = SYSTEM_CLOCK) -> None:
        self.limits = limits
        self.clock = clock
        self._players: dict[tuple[Person, AnyGame | None], Player] = {}
        self._graders: dict[AnyGame, Grader | None] = {}

    def player(self, person: Person, game: AnyGame) -> Player:
        """The player of a name; a program, function or model is the same for every game."""
        place = self.place(person, game)
        if place not in self._players:
            self._players[place] = self.made(person, game)
        return self._players[place]

    def made(self, person: Person, game: AnyGame) -> Player:
        """A player that nobody keeps here."""
        limits = self.limits.of(person.name)
        made = registry.player(person.who, game, limits=limits, clock=self.clock)
        prepare_for_many_games(made)
        return made

    def place(self, person: Person, game: AnyGame) -> tuple[Person, AnyGame | None]:
        """Under what a player is kept: with its game, unless it plays all of them."""
        shared = is_external(person.who) and not has_policy(person.who)
        return person, None if shared else game

    def add(self, person: Person, game: AnyGame, player: Player) -> None:
        """Seat a player that no word names."""
        self._players[person, game] = player

    def grader(self, game: AnyGame) -> Grader | None:
        """The grader of a game; None: it has no exact solution."""
        if game not in self._graders:
            try:
                solution = solve(game)
                solution.open_arrays()
                self._graders[game] = Grader(solution)
            except Unsolvable:
                self._graders[game] = None
        return self._graders[game]

    def close(self) -> None:
        for player in self._players.values():
            if isinstance(player, ExternalPlayer):
                player.close()
        self._players = {}
