"""New games, rematches, and checks of players' names."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from unicodedata import category, combining, normalize

from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.history import CONCEDED
from number_duels.core.match import Match
from number_duels.core.names import JOINERS
from number_duels.core.player import AnyMatch
from number_duels.core.randomness import SECRET_SEED_BYTES, fresh_seed, toss
from number_duels.core.record import COMPUTER_NAME, Record, check_names
from number_duels.games import load
from number_duels.players.registry import KINDS
from number_duels.web.db.stored_game import (
    HUMAN,
    RESIGNED,
    Event,
    EventKind,
    SeatHolder,
    StoredGame,
    series_after,
)
from number_duels.web.errors import ApiError, refused

#: A person at another device, and a person at the same device.
FRIEND, HERE = "friend", "here"


@dataclass(frozen=True)
class GameRequest:
    game: str
    settings: Mapping[str, int | str]
    seat: Seat = Seat.ONE
    name: str = ""
    opponent: str = FRIEND
    first: int | str | None = None
    deal: str | None = None
    seed: int | None = None
    profile: str | None = None
    #: Moves already played, in notation. Only against a computer.
    moves: str = ""
    #: The name of the other person at this device.
    opponent_name: str = ""
    #: The id of the new game, and its seed that nobody has seen, if it has them already.
    id: str | None = None
    secret_seed: int | None = None


def new_game(request: GameRequest, token: str) -> StoredGame:
    here = request.opponent == HERE
    who = HUMAN if here or request.opponent == FRIEND else request.opponent
    if who not in KINDS or request.opponent == HUMAN:
        there_are = ", ".join([FRIEND, HERE, *(kind for kind in KINDS if kind != HUMAN)])
        raise ApiError(422, f"There is no such opponent; choose {there_are}.")
    if request.moves and who == HUMAN:
        raise ApiError(422, "Only a game against the computer can start with moves already played.")
    if request.opponent_name and not here:
        raise ApiError(422, "Only in a game at one device can you name your opponent.")
    other = str(request.seat.other) if who == HUMAN else COMPUTER_NAME
    # A game that starts from a position does not count for a profile.
    profile = None if request.moves else request.profile
    mine = SeatHolder(request.name or str(request.seat), HUMAN, token, profile)
    theirs = SeatHolder(request.opponent_name or other, who, token if here else None)
    seed = request.secret_seed if request.seed is None else request.seed
    if seed is None:
        seed = fresh_game_seed()
    with refused(422):
        check_player_names(mine.name, theirs.name)
        match = first_match(request, seed)
        events = played_events(match.game, match.record, request.moves)
    return StoredGame(
        id=request.id or new_id(),
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
    settings = dict(request.settings)
    if request.first is not None:
        settings["first"] = toss(seed) if request.first == "random" else request.first
    return Match(load(request.game, **settings), seed, request.deal)


def played_events(game: AnyGame, record: Record, moves: str) -> tuple[Event, ...]:
    match = Match.from_record(game, replace(record, moves=moves))
    if match.outcome:
        raise ValueError("The game is over after these moves; leave out the last ones.")
    return events_of(match)


def events_of(match: AnyMatch) -> tuple[Event, ...]:
    """Return the events of a match, without choices that wait for the other seat."""
    found: list[Event] = []
    number = 1
    for step in match.history:
        if step.moves:
            found += [
                Event(EventKind.MOVE, seat, number, str(move)) for seat, move in step.moves.items()
            ]
            number += 1
        else:
            drawer = match.game.drawer(step.before)
            found.append(Event(EventKind.DRAW, drawer, number, step.text))
    conceded = CONCEDED.match(match.outcome.reason) if match.outcome and match.conceded else None
    if conceded:
        how = "" if conceded[2] == RESIGNED else conceded[2]
        found.append(Event(EventKind.RESIGNATION, Seat(int(conceded[1]) - 1), None, how))
    return tuple(found)


def rematch_of(stored: StoredGame, outcome: Outcome | None) -> StoredGame:
    seed = fresh_game_seed()
    match: AnyMatch = Match(stored.game, seed)
    one, two = (replace(holder, token=None) for holder in reversed(stored.seats))
    names = default_names(one, two)
    # A seat that nobody had taken stays free for anybody with the link.
    same_two = stored.full
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
    """Return the names for a rematch. A name such as `Player 1` changes with the seat."""
    swapped = {str(seat.other): str(seat) for seat in Seat}
    found = swapped.get(one.name, one.name), swapped.get(two.name, two.name)
    return found if found[0] != found[1] else (one.name, two.name)


def fresh_game_seed() -> int:
    return fresh_seed(SECRET_SEED_BYTES)


def new_id() -> str:
    return secrets.token_urlsafe(12)


#: Maps digits and letters of other alphabets to the lowercase Latin letters they look like.
LOOK_ALIKES = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455"
    "\u0501\u051b\u051d\u04bb\u0433\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf"
    "\u03c1\u03c4\u03c5\u03c7\u03c9\u0131\u0585\u057d\u0570\u0578\u044c01|",
    "abekmhopctyxijsdqwhrabezhikmnoptyxwiouhnboll",
)
CAPITAL_LOOK_ALIKES = str.maketrans("I\u0406\u0399", "lll")
#: Variation selectors. Like joiners, they are invisible between other characters.
VARIATIONS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
UNSEEN = str.maketrans("", "", JOINERS + "".join(map(chr, VARIATIONS)))
#: Invisible characters that Python considers printable.
BLANKS = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u2061\u2062\u2063\u2064"
MAX_MARKS = 2


def check_player_names(one: str, two: str) -> None:
    """Raise ValueError if a name is invalid or invisible, or if both names look alike.

    >>> check_player_names("Ann", "\u0410nn")
    Traceback (most recent call last):
    ValueError: The two names look alike; choose another.
    """
    check_names(one, two)
    for name in (one, two):
        if all(category(sign)[0] in "CMZ" for sign in name) or any(sign in BLANKS for sign in name):
            raise ValueError("A name needs visible letters, digits or symbols.")
        if most_marks(name) > MAX_MARKS:
            raise ValueError(f"A letter in a name can have at most {MAX_MARKS} accents.")
    if name_skeleton(one) == name_skeleton(two):
        raise ValueError("The two names look alike; choose another.")


def name_skeleton(name: str) -> str:
    """Simplify a name, so that names that look alike become equal."""
    seen = normalize("NFKC", name.translate(UNSEEN))
    plain = seen.translate(CAPITAL_LOOK_ALIKES).casefold()
    return "".join(normalize("NFKD", plain).translate(LOOK_ALIKES).split())


def most_marks(name: str) -> int:
    most = marks = 0
    for sign in normalize("NFD", name):
        marks = marks + 1 if combining(sign) else 0
        most = max(most, marks)
    return most
