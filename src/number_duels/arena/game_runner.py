"""One game of an arena: played to its end, whatever the players do, and graded."""

from __future__ import annotations

from dataclasses import dataclass

from number_duels.arena.grading import Figures
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture
from number_duels.core.game import Chance, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.record import Record
from number_duels.players.external import ExternalPlayer, Fault


@dataclass(frozen=True)
class Played:
    """A game that was played, with all that an arena keeps of it."""

    fixture: str
    record: Record
    #: Who could not go on, and what kind of failure it was.
    forfeit: tuple[Seat, str] | None
    faults: tuple[tuple[Fault, ...], tuple[Fault, ...]]
    #: What the moves cost and what was luck; None where the game is not solved.
    figures: Figures | None
    #: What was said to language models and what they answered: JSON objects.
    calls: tuple[dict[str, object], ...] = ()


def play(fixture: Fixture, roster: Roster) -> Played:
    """Play a fixture; who cannot go on forfeits it."""
    game = fixture.pairing.game
    match: AnyMatch = Match(game, fixture.seed, players=fixture.seats)
    seated = tuple(roster.player(person, game) for person in fixture.seats)
    external = [(s, p) for s, p in zip(Seat, seated, strict=True) if isinstance(p, ExternalPlayer)]
    forfeit = begin(match, external) or run(match, seated)
    turn = match.turn
    assert isinstance(turn, Outcome)
    for seat, player in external:
        player.end(match.view(seat), turn.result, turn.reason)
    faults: list[tuple[Fault, ...]] = [(), ()]
    calls: list[dict[str, object]] = []
    for seat, player in external:
        faults[seat] = tuple(player.faults)
        calls += ({"fixture": fixture.id, "seat": seat + 1, **call} for call in player.kept())
    record, grader = match.record, roster.grader(game)
    one, two = (roster.policy(person, game) for person in fixture.seats)
    figures = None if grader is None else grader.grade(record, (one, two))
    return Played(fixture.id, record, forfeit, (faults[0], faults[1]), figures, tuple(calls))


def begin(match: AnyMatch, external: list[tuple[Seat, ExternalPlayer]]) -> tuple[Seat, str] | None:
    """Tell everybody from outside that the game begins; who is not there forfeits."""
    for seat, player in external:
        try:
            player.begin(match.game, seat, own_seed(match, seat))
        except Forfeit as failure:
            return give_up(match, seat, failure)
    return None


def run(match: AnyMatch, seated: tuple[Player, ...]) -> tuple[Seat, str] | None:
    """Play to the end; who could not go on, if anybody."""
    while not isinstance(turn := match.turn, Outcome):
        if isinstance(turn, Chance):
            match.draw()
            continue
        for seat in sorted(turn.options):
            try:
                match.submit(seat, seated[seat].choose(situation(match, seat)))
            except Forfeit as failure:
                return give_up(match, seat, failure)
    return None


def give_up(match: AnyMatch, seat: Seat, failure: Forfeit) -> tuple[Seat, str]:
    """The game goes to the other seat."""
    match.concede(seat, f"forfeits: {failure.reason}")
    return seat, failure.kind
