"""The computer at a table: it draws and chooses when it is its turn, from the seed alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from number_duels.core.game import Chance, Decision, Seat
from number_duels.web import facts
from number_duels.web.errors import Refusal
from number_duels.web.ledger import HUMAN
from number_duels.web.rules import drawing, playing, resigning

if TYPE_CHECKING:
    from number_duels.web.house import House
    from number_duels.web.live import Live


async def attend(house: House, live: Live) -> None:
    """Do all that is the computer's to do now; a crash loses nothing, as it is done again."""
    while not live.ledger.over:
        turn, drawer = live.match.turn, live.match.drawer
        if isinstance(turn, Chance):
            if drawer is not None and live.ledger.chairs[drawer].who == HUMAN:
                return
            await house.change(live, drawing(drawer, live.match.number))
            continue
        assert isinstance(turn, Decision)
        seats = [seat for seat in turn.options if to_choose(live, seat)]
        if not seats:
            return
        await choose(house, live, seats[0])


def to_choose(live: Live, seat: Seat) -> bool:
    """Whether a computer in a seat still has to choose."""
    return live.ledger.chairs[seat].who != HUMAN and seat not in live.match.chosen


async def choose(house: House, live: Live, seat: Seat) -> None:
    """One choice; who cannot choose resigns, so that nobody waits for ever."""
    ledger, number, patience = live.ledger, live.match.number, house.config.patience
    try:
        if ledger.chairs[seat].who == "random":
            move = facts.choose(ledger, seat, patience)
        else:
            move = await house.thinker.think(facts.choose, ledger, seat, patience)
    except ValueError:
        await house.change(live, resigning(seat))
        return
    try:
        await house.change(live, playing(seat, number, move))
    except Refusal:
        # The game ended while the computer was thinking.
        if not live.ledger.over:
            raise
