"""The computer's turns: it draws and chooses when it has to, from the seed alone.

What it does follows from the seed, and the database takes each choice once: two
processes that both let it play in the same game do no harm.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from number_duels.core.game import Seat
from number_duels.sessions.play import Awaited, waits_for
from number_duels.web.db.stored_game import HUMAN
from number_duels.web.errors import ApiError, DatabaseUnavailable
from number_duels.web.service import analysis, commands

if TYPE_CHECKING:
    from number_duels.web.service.games import GameService
    from number_duels.web.service.sessions import GameSession

log = logging.getLogger(__name__)

RETRY_DELAY_S = 1.0


async def play_computer_turns(service: GameService, session: GameSession) -> None:
    """Do all that the computer has to do now; a crash loses nothing, as it is done again."""
    while not service.closing:
        try:
            if session.stale:
                session = await service.cache.fetch(session.stored.id)
            if not await act(service, session):
                return
        except (DatabaseUnavailable, OSError):  # OSError: no process can be started now
            await service.clock.sleep(RETRY_DELAY_S)
        except ApiError:
            # The game went on or was removed while the computer was thinking.
            if service.cache.sessions.get(session.stored.id) is not session:
                return
            session.stale = True
            await service.clock.sleep(RETRY_DELAY_S)
        except Exception:
            log.exception("The computer could not play")
            return


async def act(service: GameService, session: GameSession) -> bool:
    """One draw or one choice; False if there is nothing for the computer to do."""
    computers = [seat for seat in Seat if session.stored.seats[seat].who != HUMAN]
    waiting = waits_for(session.match, first=computers)
    seat = waiting.seat
    if session.stored.over or (seat is not None and seat not in computers):
        return False
    if waiting.action is Awaited.DRAW:
        await service.change(session, commands.draw(seat, session.match.turn_number))
    elif seat is not None:
        await choose(service, session, seat)
    return waiting.action is not Awaited.OVER


async def choose(service: GameService, session: GameSession, seat: Seat) -> None:
    """One choice; a computer that cannot choose resigns, so that nobody waits for ever."""
    stored, number = session.stored, session.match.turn_number
    try:
        if stored.seats[seat].who == "random":
            move = analysis.choose(stored, session.match, seat, analysis.KEPT_ONLY)
        else:
            move = await service.worker.choose(session.starter, stored, session.match, seat)
    except ValueError:
        await service.change(session, commands.resign(seat))
        return
    try:
        await service.change(session, commands.play(seat, number, move))
    except ApiError:
        # The game ended while the computer was thinking.
        if not session.stored.over:
            raise
