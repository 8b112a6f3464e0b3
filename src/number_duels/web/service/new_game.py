"""Setting up a table: a new game as somebody wishes it, or a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import time

from number_duels.core.game import Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.randomness import fresh_seed, stream
from number_duels.core.record import check_names
from number_duels.games import load
from number_duels.players.registry import KINDS
from number_duels.web.db.stored_game import HUMAN, Chair, Ledger
from number_duels.web.errors import Refusal

FRIEND = "friend"
COMPUTER = "Computer"


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play, and against whom."""

    game: str
    settings: Mapping[str, int | str]
    seat: Seat = Seat.ONE
    name: str = ""
    opponent: str = FRIEND
    first: int | str | None = None
    deal: str | None = None
    seed: int | None = None


def new_ledger(wish: Wish, token: str) -> Ledger:
    """A game with nothing played yet; a Refusal says what cannot be had."""
    who = HUMAN if wish.opponent == FRIEND else wish.opponent
    if who not in KINDS or wish.opponent == HUMAN:
        there_are = ", ".join([FRIEND, *(kind for kind in KINDS if kind != HUMAN)])
        raise Refusal(422, f"There is no such opponent; there are {there_are}.")
    other = str(wish.seat.other) if who == HUMAN else COMPUTER
    mine, theirs = Chair(wish.name or str(wish.seat), HUMAN, token), Chair(other, who)
    seed = fresh_seed() if wish.seed is None else wish.seed
    try:
        check_names(mine.name, theirs.name)
        match = dealt(wish, seed)
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    return Ledger(
        id=new_id(),
        name=match.game.name,
        settings=match.game.settings,
        deal=match.record.deal,
        seed=seed,
        chairs=(mine, theirs) if wish.seat is Seat.ONE else (theirs, mine),
        started=match.started,
        touched=int(time()),
        arranged=wish.seed is not None or wish.deal is not None,
    )


def dealt(wish: Wish, seed: int) -> AnyMatch:
    """The match that a wish means, before its first turn."""
    settings = dict(wish.settings)
    if wish.first is not None:
        toss = stream(seed, "first").randint(1, 2)
        settings["first"] = toss if wish.first == "random" else wish.first
    return Match(load(wish.game, **settings), seed, wish.deal)


def rematch_of(ledger: Ledger) -> Ledger:
    """The same two, or one and the computer, with seats swapped and nothing known in advance."""
    seed = fresh_seed()
    match: AnyMatch = Match(ledger.game, seed)
    one, two = (replace(chair, token=None) for chair in reversed(ledger.chairs))
    names = default_names(one, two)
    return Ledger(
        id=new_id(),
        name=ledger.name,
        settings=ledger.settings,
        deal=match.record.deal,
        seed=seed,
        chairs=(replace(one, name=names[0]), replace(two, name=names[1])),
        started=match.started,
        touched=int(time()),
        previous=ledger.id,
    )


def default_names(one: Chair, two: Chair) -> tuple[str, str]:
    """Who never gave a name is called by the seat, also after changing seats."""
    swapped = {str(seat.other): str(seat) for seat in Seat}
    found = swapped.get(one.name, one.name), swapped.get(two.name, two.name)
    return found if found[0] != found[1] else (one.name, two.name)


def new_id() -> str:
    """A name for a table that nobody can guess, short enough for a link."""
    return secrets.token_urlsafe(12)
