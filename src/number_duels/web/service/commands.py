"""Commands that change a game. A repeated move, draw, resignation or claim changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from number_duels.core.game import Chance, Seat
from number_duels.core.player import AnyMatch
from number_duels.web.db.stored_game import Event, EventKind, StoredGame
from number_duels.web.errors import ApiError, refused
from number_duels.web.service.new_game import check_player_names

AWAY = "forfeits: away for too long."
#: A game and its match. A command returns changed copies, or the same objects for no change.
Position = tuple[StoredGame, AnyMatch]
Command = Callable[[StoredGame, AnyMatch], Position]


def play(seat: Seat, turn: int, text: str) -> Command:
    def command(stored: StoredGame, match: AnyMatch) -> Position:
        with refused(422):
            move = match.game.parse(text)
        earlier = stored.find(EventKind.MOVE, seat, turn)
        if earlier is not None:
            if earlier.text == str(move):
                return stored, match
            raise ApiError(
                409, f"You have already chosen in turn {turn}; you cannot change your choice."
            )
        check_turn(match, turn)
        if not match.options(seat):
            raise ApiError(409, "It's not your turn.")
        ahead = match.copy()
        with refused(422):
            ahead.submit(seat, move)
        return stored.with_event(Event(EventKind.MOVE, seat, turn, str(move))), ahead

    return command


def draw(seat: Seat | None, turn: int | None) -> Command:
    def command(stored: StoredGame, match: AnyMatch) -> Position:
        if turn is not None and stored.find(EventKind.DRAW, seat, turn):
            return stored, match
        check_turn(match, match.turn_number if turn is None else turn)
        if not isinstance(match.turn, Chance):
            raise ApiError(409, "There is no card to draw now.")
        if match.drawer is not seat:
            raise ApiError(409, "It's not your turn to draw.")
        ahead = match.copy()
        ahead.draw()
        card = str(ahead.history.steps[-1].event)
        return stored.with_event(Event(EventKind.DRAW, seat, match.turn_number, card)), ahead

    return command


Check = Callable[[StoredGame, AnyMatch, Seat], None]


def resign(seat: Seat) -> Command:
    return end(Event(EventKind.RESIGNATION, seat))


def claim(seat: Seat, turn: int | None, check: Check) -> Command:
    return end(Event(EventKind.RESIGNATION, seat.other, None, AWAY), turn, check)


def end(event: Event, turn: int | None = None, check: Check | None = None) -> Command:
    def command(stored: StoredGame, match: AnyMatch) -> Position:
        if event in stored.events:
            return stored, match
        check_turn(match, match.turn_number if turn is None else turn)
        if check is not None and event.seat is not None:
            check(stored, match, event.seat.other)
        ahead = match.copy()
        event.apply(ahead)
        return stored.with_event(event), ahead

    return command


def check_turn(match: AnyMatch, turn: int) -> None:
    if match.outcome:
        raise ApiError(409, "The game is over.")
    if turn != match.turn_number:
        raise ApiError(409, f"It is turn {match.turn_number} now, not turn {turn}.")


def free_seat(stored: StoredGame, match: AnyMatch) -> Seat:
    if match.outcome:
        raise ApiError(409, "The game is over.")
    free = [seat for seat in Seat if not stored.seats[seat].seated]
    if not free:
        raise ApiError(409, "The game already has two players; you can watch.")
    if stored.previous is not None:
        raise ApiError(409, "This rematch is for the players of the last game; you can watch.")
    return free[0]


def join(name: str, token: str, profile: str | None = None) -> Command:
    def command(stored: StoredGame, match: AnyMatch) -> Position:
        seat = free_seat(stored, match)
        holder = stored.seats[seat]
        if profile is not None and profile == stored.seats[seat.other].profile:
            raise ApiError(409, "You are already in this game; send the link to somebody else.")
        named = replace(holder, name=name or holder.name, token=token, profile=profile)
        with refused(422):
            check_player_names(named.name, stored.seats[seat.other].name)
        return stored.with_holder(seat, named), match

    return command


def link_rematch(game: str, gone: str | None) -> Command:
    """Return a command that stores `game` as the rematch of a finished game.

    If the game has a rematch other than `gone`, which was removed, the command does nothing.
    """

    def command(stored: StoredGame, match: AnyMatch) -> Position:
        return (replace(stored, rematch=game) if stored.rematch == gone else stored), match

    return command


def take_seat(
    seat: Seat, token: str, profile: str | None = None, *, shared: bool = False
) -> Command:
    """Return a command that takes a seat of a rematch. If `shared` is true, it takes both seats."""

    def command(stored: StoredGame, match: AnyMatch) -> Position:
        holder = stored.seats[seat]
        if holder.token is not None:
            return stored, match
        taken = replace(holder, token=token, profile=profile or holder.profile)
        found = stored.with_holder(seat, taken)
        if shared:
            found = found.with_holder(seat.other, replace(found.seats[seat.other], token=token))
        return found, match

    return command
