"""Whether a request fits the game as it stands; each change is checked again at its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from number_duels.core.game import Chance, Decision, Seat, unavailable
from number_duels.core.player import AnyMatch
from number_duels.core.record import check_names
from number_duels.web.db.stored_game import Chair, Ledger
from number_duels.web.errors import Refusal

Change = Callable[[Ledger, AnyMatch], Ledger]


def playing(seat: Seat, turn: int, text: str) -> Change:
    """A seat's choice in a turn; the same again changes nothing."""

    def change(ledger: Ledger, match: AnyMatch) -> Ledger:
        try:
            move = ledger.game.parse(text)
        except ValueError as error:
            raise Refusal(422, str(error)) from None
        earlier = ledger.chosen(turn, seat)
        if earlier is not None:
            if earlier == str(move):
                return ledger
            raise Refusal(409, f"You have chosen in turn {turn}; a choice cannot be changed.")
        check_turn(ledger, match, turn)
        deciding = match.turn.options if isinstance(match.turn, Decision) else {}
        if seat not in deciding:
            raise Refusal(409, "It is not for you to move now.")
        if move not in deciding[seat]:
            raise Refusal(422, unavailable(move, deciding[seat]))
        return ledger.with_move(turn, seat, str(move))

    return change


def drawing(seat: Seat | None, turn: int | None) -> Change:
    """A card for the seat whose turn it is; the same again, for the same turn, changes nothing."""

    def change(ledger: Ledger, match: AnyMatch) -> Ledger:
        if any((draw.turn, draw.seat) == (turn, seat) for draw in ledger.draws):
            return ledger
        check_turn(ledger, match, match.turn_number if turn is None else turn)
        if not isinstance(match.turn, Chance):
            raise Refusal(409, "There is no card to draw now.")
        if match.drawer is not seat:
            raise Refusal(409, "It is not for you to draw now.")
        return ledger.with_draw(match)

    return change


def resigning(seat: Seat) -> Change:
    """A seat gives up; once is enough."""

    def change(ledger: Ledger, match: AnyMatch) -> Ledger:
        if ledger.resigned is seat:
            return ledger
        check_turn(ledger, match, match.turn_number)
        return replace(ledger, resigned=seat)

    return change


def check_turn(ledger: Ledger, match: AnyMatch, turn: int) -> None:
    """Refuse what comes too late or too early."""
    if ledger.outcome(match) is not None:
        raise Refusal(409, "The game is over.")
    if turn != match.turn_number:
        raise Refusal(409, f"It is turn {match.turn_number} now, not turn {turn}.")


def joining(ledger: Ledger, match: AnyMatch, name: str) -> tuple[Seat, Chair]:
    """The seat that is free for who comes by the link."""
    if ledger.outcome(match) is not None:
        raise Refusal(409, "The game is over.")
    free = [seat for seat in Seat if not ledger.chairs[seat].seated]
    if not free:
        raise Refusal(409, "Both seats are taken; you can watch.")
    if ledger.previous is not None:
        raise Refusal(409, "The free seat is kept for who played the game before; you can watch.")
    chair = ledger.chairs[free[0]]
    named = replace(chair, name=name or chair.name)
    try:
        check_names(named.name, ledger.chairs[free[0].other].name)
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    return free[0], named
