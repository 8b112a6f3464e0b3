"""Claims at a table whose servers may die at any moment: only from who is waited for and away."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.web.service.commands import AWAY
from tests.web.local import LocalServer
from tests.web.people import Guest, Stream
from tests.web.serving import Server

SEATS = st.sampled_from(list(nd.Seat))


class ClaimActions(RuleBasedStateMachine):
    """Whoever asks for something is not away, so claims are refused until everybody is silent."""

    match: AnyMatch
    guests: dict[nd.Seat, Guest]
    spectator: Guest
    pending: dict[nd.Seat, str]
    streams: list[Stream]
    kills: int
    #: Whether somebody has had a stream. A process that dies with one is found dead later, and
    #: its people count as seen until then.
    looked_on = False
    servers: Sequence[Server]

    def waits_for(self, seat: nd.Seat) -> bool:
        """Whether the game waits for a seat alone."""
        turn = self.match.turn
        if isinstance(turn, nd.Decision):
            return turn.options.keys() - self.pending.keys() == {seat}
        return isinstance(turn, nd.Chance) and self.match.drawer is seat

    def claim_now(self, seat: nd.Seat) -> bool:
        """Claim; whether the game was ours to claim."""
        answer = self.guests[seat].post("claim", {"turn": self.match.turn_number})
        if answer.status_code == 200:
            assert self.waits_for(seat.other), "nobody else can be claimed from"
            self.match.concede(seat.other, AWAY)
            self.pending.clear()
            return True
        assert answer.status_code == 409, answer.text
        return False

    @precondition(lambda self: not isinstance(self.match.turn, nd.Outcome))
    @rule(seat=SEATS)
    def claim(self, seat: nd.Seat) -> None:
        """A claim, which is refused unless this machine was slow."""
        self.claim_now(seat)

    @precondition(lambda self: not isinstance(self.match.turn, nd.Outcome))
    @precondition(lambda self: not (self.kills and self.looked_on))
    @precondition(lambda self: not self.streams and isinstance(self.servers[0], LocalServer))
    @rule(seat=SEATS)
    def claim_after_a_while(self, seat: nd.Seat) -> None:
        """Everybody else is silent until the game can be claimed."""
        (server,) = self.servers
        assert isinstance(server, LocalServer)
        config, session = server.service.config, server.service.cache.sessions[self.spectator.id]
        # Who closed a stream is away from the end of the grace on, when its timer rings. A clock
        # that jumped past this moment would let them leave later.
        server.until(lambda: not session.listeners)
        server.advance(config.grace)
        server.until(lambda: not session.presence.players)
        server.advance(config.claim_after)
        expected = self.waits_for(seat.other)
        assert self.claim_now(seat) == expected
