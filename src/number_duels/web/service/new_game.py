"""A new game as somebody asks for it, or a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace

from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.randomness import SECRET_SEED_BYTES, fresh_seed, toss
from number_duels.core.record import COMPUTER_NAME, Record
from number_duels.games import load
from number_duels.players.registry import KINDS
from number_duels.web.db.stored_game import (
    HUMAN,
    Event,
    EventKind,
    SeatHolder,
    StoredGame,
    series_after,
)
from number_duels.web.errors import ApiError
from number_duels.web.service.names import check_player_names

FRIEND = "friend"


@dataclass(frozen=True)
class GameRequest:
    """What somebody wants to play, and against whom."""

    game: str
    settings: Mapping[str, int | str]
    seat: Seat = Seat.ONE
    name: str = ""
    opponent: str = FRIEND
    first: int | str | None = None
    deal: str | None = None
    seed: int | None = None
    #: The profile that the starter's seat belongs to.
    profile: str | None = None
    #: Turns that were played before, in notation; only against a computer.
    moves: str = ""


def new_game(request: GameRequest, token: str) -> StoredGame:
    """A game with nothing played yet, or only `moves`; an ApiError says what cannot be had."""
    who = HUMAN if request.opponent == FRIEND else request.opponent
    if who not in KINDS or request.opponent == HUMAN:
        there_are = ", ".join([FRIEND, *(kind for kind in KINDS if kind != HUMAN)])
        raise ApiError(422, f"There is no such opponent; there are {there_are}.")
    if request.moves and who == HUMAN:
        raise ApiError(422, "Only a game against the computer can begin with moves.")
    other = str(request.seat.other) if who == HUMAN else COMPUTER_NAME
    # A position that is tried again is no game of anybody's record.
    profile = None if request.moves else request.profile
    mine = SeatHolder(request.name or str(request.seat), HUMAN, token, profile)
    theirs = SeatHolder(other, who)
    seed = fresh_seed(SECRET_SEED_BYTES) if request.seed is None else request.seed
    try:
        check_player_names(mine.name, theirs.name)
        match = first_match(request, seed)
        events = played_events(match.game, match.record, request.moves)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    return StoredGame(
        id=new_id(),
        name=match.game.name,
        settings=match.game.settings,
        deal=match.record.deal,
        seed=seed,
        seats=(mine, theirs) if request.seat is Seat.ONE else (theirs, mine),
        started=match.started,
        has_known_cards=request.seed is not None or request.deal is not None or bool(events),
        events=events,
    )


def first_match(request: GameRequest, seed: int) -> AnyMatch:
    """The match that a request means, before its first turn."""
    settings = dict(request.settings)
    if request.first is not None:
        settings["first"] = toss(seed) if request.first == "random" else request.first
    return Match(load(request.game, **settings), seed, request.deal)


def played_events(game: AnyGame, record: Record, moves: str) -> tuple[Event, ...]:
    """Written turns as what happened; a ValueError names one that cannot be played."""
    match = Match.from_record(game, replace(record, moves=moves))
    if match.outcome:
        raise ValueError("The game is over after these moves; leave out the last ones.")
    found: list[Event] = []
    number = 1
    for step in match.history:
        if step.moves:
            found += [
                Event(EventKind.MOVE, seat, number, str(move)) for seat, move in step.moves.items()
            ]
            number += 1
        else:
            found.append(Event(EventKind.DRAW, game.drawer(step.before), number, step.text))
    return tuple(found)


def rematch_of(stored: StoredGame, outcome: Outcome | None) -> StoredGame:
    """The same two, or one and the computer, with seats swapped and nothing known in advance."""
    seed = fresh_seed(SECRET_SEED_BYTES)
    match: AnyMatch = Match(stored.game, seed)
    one, two = (replace(holder, token=None) for holder in reversed(stored.seats))
    names = default_names(one, two)
    # A seat that nobody held is kept for nobody: the next one may join by the link.
    same_two = all(holder.seated for holder in stored.seats)
    wins, draws = series_after(stored, outcome) if same_two else ((0, 0), 0)
    return StoredGame(
        id=new_id(),
        name=stored.name,
        settings=stored.settings,
        deal=match.record.deal,
        seed=seed,
        seats=(replace(one, name=names[0]), replace(two, name=names[1])),
        started=match.started,
        previous=stored.id if same_two else None,
        wins=(wins[1], wins[0]),
        draws=draws,
    )


def default_names(one: SeatHolder, two: SeatHolder) -> tuple[str, str]:
    """A player without a name is called by the seat, also after changing seats."""
    swapped = {str(seat.other): str(seat) for seat in Seat}
    found = swapped.get(one.name, one.name), swapped.get(two.name, two.name)
    return found if found[0] != found[1] else (one.name, two.name)


def new_id() -> str:
    """An id that nobody can guess, short enough for a link."""
    return secrets.token_urlsafe(12)
