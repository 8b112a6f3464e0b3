"""One game of a tournament: played to its end, whatever the players do, and graded."""

from __future__ import annotations

from number_duels.arena.game_result import GameResult
from number_duels.arena.grading import AnyPolicy
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture, event_name
from number_duels.core.game import Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Forfeit, Player
from number_duels.core.runner import play_match
from number_duels.players.external import ExternalPlayer


def play_fixture(fixture: Fixture, roster: Roster) -> GameResult:
    """Play a fixture; a player that cannot go on forfeits it."""
    pairing, game = fixture.pairing, fixture.pairing.game
    match: AnyMatch = Match(game, fixture.seed, players=fixture.seats)
    one, two = (roster.player(person, game) for person in fixture.seats)
    forfeits = {Seat.ONE: "", Seat.TWO: ""}

    def on_forfeit(seat: Seat, forfeit: Forfeit) -> None:
        forfeits[seat] = forfeit.kind

    play_match(match, {Seat.ONE: one, Seat.TWO: two}, on_forfeit, fixture.own_seeds)
    faults = [tuple(p.faults) if isinstance(p, ExternalPlayer) else () for p in (one, two)]
    record, grader = match.record, roster.grader(game)
    policies = known_policy(one), known_policy(two)
    return GameResult(
        fixture=fixture.id,
        event=event_name(game),
        pairing=(pairing.one.name, pairing.two.name),
        pair=fixture.pair,
        record=record,
        forfeits=(forfeits[Seat.ONE], forfeits[Seat.TWO]),
        faults=(faults[0], faults[1]),
        figures=None if grader is None else grader.grade_steps(match.history.steps, policies),
        calls=tuple(
            {"fixture": fixture.id, "seat": number, **call}
            for number, player in enumerate((one, two), 1)
            if isinstance(player, ExternalPlayer)
            for call in player.kept()
        ),
    )


def known_policy(player: Player) -> AnyPolicy | None:
    """The probabilities by which a player chooses; None: nobody knows them."""
    return getattr(player, "policy", None)
