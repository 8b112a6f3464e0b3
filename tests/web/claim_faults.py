"""Claims at a table whose servers may die at any moment: only from who is waited for and away."""

from __future__ import annotations

import os
import time

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.web.service.commands import AWAY
from tests.web.people import WAIT_LIMIT_S, Guest, Stream

SEATS = st.sampled_from(list(nd.Seat))
SLOW = os.environ.get("NUMBER_DUELS_SLOW") == "1"
#: After which a server of the machine lets a game be claimed: longer than people are silent there.
CLAIM_AFTER_S = 2


class ClaimActions(RuleBasedStateMachine):
    """Whoever asks for something is not away, so claims are refused until everybody is silent."""

    match: AnyMatch
    guests: dict[nd.Seat, Guest]
    pending: dict[nd.Seat, str]
    streams: list[Stream]

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

    @precondition(lambda self: SLOW and not self.streams)
    @rule(seat=SEATS)
    def claim_after_a_while(self, seat: nd.Seat) -> None:
        """Everybody else is silent until the game can be claimed."""
        if not self.waits_for(seat.other):
            return
        end = time.monotonic() + WAIT_LIMIT_S
        while not self.claim_now(seat):
            if time.monotonic() > end:
                return  # these servers let nobody claim so soon
            time.sleep(0.2)
