"""Play and grade one game of a tournament, even if a player fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from number_duels.arena.grading import AnyPolicy, Grader
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture, event_name
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Forfeit, Player
from number_duels.core.record import Person
from number_duels.core.runner import PlayerCalls, match_steps, play_match
from number_duels.players import registry
from number_duels.players.builtin import PolicyPlayer, RandomPlayer, prepare_for_many_games
from number_duels.players.external import ExternalPlayer, Fault, Limits
from number_duels.players.policy import TrainedPlayer
from number_duels.players.registry import has_policy, is_external
from number_duels.solvers import Unsolvable, solve


class Roster:
    """The players and graders of one process. Each is created on first use and then kept."""

    def __init__(self, limits: Limits, clock: Clock = SYSTEM_CLOCK) -> None:
        self.limits = limits
        self.clock = clock
        self._players: dict[tuple[Person, AnyGame | None], Player] = {}
        self._graders: dict[AnyGame, Grader | None] = {}

    def player(self, person: Person, game: AnyGame) -> Player:
        place = self.place(person, game)
        if place not in self._players:
            self._players[place] = self.made(person, game)
        return self._players[place]

    def made(self, person: Person, game: AnyGame) -> Player:
        limits = self.limits.of(person.name)
        made = registry.player(person.who, game, limits=limits, clock=self.clock)
        prepare_for_many_games(made)
        return made

    def place(self, person: Person, game: AnyGame) -> tuple[Person, AnyGame | None]:
        """Return the key of a player. It has no game if one object plays all games."""
        shared = is_external(person.who) and not has_policy(person.who)
        return person, None if shared else game

    def add(self, person: Person, game: AnyGame, player: Player) -> None:
        self._players[person, game] = player

    def grader(self, game: AnyGame) -> Grader | None:
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


def play_fixture(fixture: Fixture, roster: Roster) -> GameResult:
    game = fixture.pairing.game
    seated = SeatedGame(fixture, [roster.player(person, game) for person in fixture.seats])
    play_match(seated.match, seated.players, seated.on_forfeit, fixture.own_seeds)
    return seated.finished().graded(roster)


@dataclass
class SeatedGame:
    fixture: Fixture
    seated: Sequence[Player]
    match: AnyMatch = field(init=False)
    forfeits: dict[Seat, str] = field(default_factory=lambda: dict.fromkeys(Seat, ""))

    def __post_init__(self) -> None:
        fixture = self.fixture
        self.match = Match(fixture.pairing.game, fixture.seed, players=fixture.seats)

    @property
    def players(self) -> dict[Seat, Player]:
        return dict(zip(Seat, self.seated, strict=True))

    def on_forfeit(self, seat: Seat, forfeit: Forfeit) -> None:
        self.forfeits[seat] = forfeit.kind

    def steps(self) -> PlayerCalls:
        return match_steps(self.match, self.players, self.on_forfeit, self.fixture.own_seeds)

    def finished(self) -> FinishedGame:
        # The players' faults are lost once their next game begins.
        one, two = self.seated
        faults = [tuple(p.faults) if isinstance(p, ExternalPlayer) else () for p in (one, two)]
        return FinishedGame(
            fixture=self.fixture,
            match=self.match,
            forfeits=(self.forfeits[Seat.ONE], self.forfeits[Seat.TWO]),
            faults=(faults[0], faults[1]),
            policies=(known_policy(one), known_policy(two)),
            calls=tuple(
                {"fixture": self.fixture.id, "seat": number, **call}
                for number, player in enumerate((one, two), 1)
                if isinstance(player, ExternalPlayer)
                for call in player.kept()
            ),
        )


@dataclass(frozen=True)
class FinishedGame:
    fixture: Fixture
    match: AnyMatch
    forfeits: tuple[str, str]
    faults: tuple[tuple[Fault, ...], tuple[Fault, ...]]
    policies: tuple[AnyPolicy | None, AnyPolicy | None]
    calls: tuple[Mapping[str, object], ...]

    def graded(self, roster: Roster) -> GameResult:
        pairing = self.fixture.pairing
        steps, grader = self.match.history.steps, roster.grader(pairing.game)
        given_up = {s: self.match.state for s in Seat if self.forfeits[s]}
        return GameResult(
            fixture=self.fixture.id,
            event=event_name(pairing.game),
            pairing=(pairing.one.name, pairing.two.name),
            pair=self.fixture.pair,
            record=self.match.record,
            forfeits=self.forfeits,
            faults=self.faults,
            figures=None if grader is None else grader.grade_steps(steps, self.policies, given_up),
            calls=self.calls,
        )


def known_policy(player: Player) -> AnyPolicy | None:
    # Other players may use an attribute named `policy` for something else.
    if isinstance(player, (RandomPlayer, PolicyPlayer, TrainedPlayer)):
        return player.policy
    return None
