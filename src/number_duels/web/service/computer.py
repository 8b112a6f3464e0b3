"""The computer at a table: it draws and chooses when it is its turn, from the seed alone.

What it does follows from the seed, and the store takes each choice once: two
processes that both let it play at the same table do no harm.
"""

from __future__ import annotations

import logging
from asyncio import sleep
from typing import TYPE_CHECKING

from number_duels.core.game import Chance, Decision, Seat
from number_duels.web.db.stored_game import HUMAN
from number_duels.web.errors import Away, Refusal
from number_duels.web.service import analysis
from number_duels.web.service.commands import drawing, playing, resigning

if TYPE_CHECKING:
    from number_duels.web.service.games import House
    from number_duels.web.service.session import Live

log = logging.getLogger(__name__)

#: Seconds before the computer tries again when the database did not answer.
AGAIN = 1.0


async def attend(house: House, live: Live) -> None:
    """Do all that is the computer's to do now; a crash loses nothing, as it is done again."""
    while not house.closing:
        try:
            if live.doubtful:
                live = await house.tables.fetch(live.ledger.id)
            if not await act(house, live):
                return
        except Away:
            await sleep(AGAIN)
        except Refusal:
            # The game went on or was removed while the computer was thinking.
            if house.tables.lives.get(live.ledger.id) is not live:
                return
            live.doubtful = True
            await sleep(AGAIN)
        except Exception:
            log.exception("The computer could not play")
            return


async def act(house: House, live: Live) -> bool:
    """One draw or one choice; False if there is nothing for the computer to do."""
    if live.ledger.over:
        return False
    turn, drawer = live.match.turn, live.match.drawer
    if isinstance(turn, Chance):
        if drawer is not None and live.ledger.chairs[drawer].who == HUMAN:
            return False
        await house.change(live, drawing(drawer, live.match.turn_number))
        return True
    assert isinstance(turn, Decision)
    seats = [seat for seat in turn.options if to_choose(live, seat)]
    if seats:
        await choose(house, live, seats[0])
    return bool(seats)


def to_choose(live: Live, seat: Seat) -> bool:
    """Whether a computer in a seat still has to choose."""
    return live.ledger.chairs[seat].who != HUMAN and seat not in live.match.seats_ready


async def choose(house: House, live: Live, seat: Seat) -> None:
    """One choice; who cannot choose resigns, so that nobody waits for ever."""
    ledger, number, patience = live.ledger, live.match.turn_number, house.config.patience
    try:
        if ledger.chairs[seat].who == "random":
            move = analysis.choose(ledger, seat, patience)
        else:
            move = await house.thinker.think(analysis.choose, ledger, seat, patience)
    except ValueError:
        await house.change(live, resigning(seat))
        return
    try:
        await house.change(live, playing(seat, number, move))
    except Refusal:
        # The game ended while the computer was thinking.
        if not live.ledger.over:
            raise
