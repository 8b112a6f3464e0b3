"""A game as stored in the database: its seats, and every accepted event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest

from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.names import YOU
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person, Record, shown_names
from number_duels.games import load

HUMAN, RESIGNED = "human", "resigned."


@dataclass(frozen=True)
class SeatHolder:
    """The player in a seat. `token` is the digest of the player's token."""

    name: str
    who: str = HUMAN
    token: str | None = None
    #: The profile that owns the seat. All its devices may play.
    profile: str | None = None

    @property
    def seated(self) -> bool:
        return self.who != HUMAN or self.token is not None


class EventKind(StrEnum):
    MOVE = "move"
    DRAW = "draw"
    RESIGNATION = "resignation"


@dataclass(frozen=True)
class Event:
    """A move, a drawn card or a resignation. A move is secret until everybody has chosen."""

    kind: EventKind
    #: The seat that moved, drew or resigned, or None for an automatic draw.
    seat: Seat | None
    turn: int | None = None
    text: str = ""

    def apply(self, match: AnyMatch) -> None:
        if self.kind is EventKind.DRAW:
            match.draw()
            return
        assert self.seat is not None
        if self.kind is EventKind.MOVE:
            match.submit(self.seat, self.text)
        else:
            match.concede(self.seat, self.text or RESIGNED)


@dataclass(frozen=True)
class StoredGame:
    id: str
    name: str
    settings: Mapping[str, int | str]
    deal: str | None
    seed: int
    seats: tuple[SeatHolder, SeatHolder]
    started: str
    updated_at: int = 0
    #: Whether the starter chose the cards, the seed or the first moves, and may know later cards.
    has_known_cards: bool = False
    version: int = 1
    over: bool = False
    events: tuple[Event, ...] = ()
    previous: str | None = None
    rematch: str | None = None
    #: The wins by seat, and the draws, in the series before this game.
    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    @property
    def game(self) -> AnyGame:
        return cached_game(self.name, tuple(self.settings.items()))

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name

    def names_for(self, viewer: Seat | None) -> tuple[str, str]:
        if viewer is None:
            return self.names
        one, two = shown_names(self.players)
        if YOU in (self.names[viewer.other], (one, two)[viewer.other]):
            return one, two  # the opponent is called "You"
        return (YOU, two) if viewer is Seat.ONE else (one, YOU)

    @property
    def players(self) -> tuple[Person, Person]:
        one, two = (Person(holder.name, holder.who) for holder in self.seats)
        return one, two

    def match(self) -> AnyMatch:
        last = max((event.turn for event in self.events if event.turn), default=1)
        turns: list[list[Event]] = [[] for _ in range(last)]
        for event in self.events:
            if event.turn and (event.turn < last or event.kind is EventKind.DRAW):
                turns[event.turn - 1].append(event)
        text = " ".join(map(notation, turns)).strip()
        record = Record(
            self.name, self.settings, self.deal, self.seed, self.players, text, started=self.started
        )
        match = Match.from_record(self.game, record)
        for event in self.events:
            if event.turn is None or (event.turn == last and event.kind is EventKind.MOVE):
                event.apply(match)
        return match

    def match_from(self, earlier: StoredGame, match: AnyMatch) -> AnyMatch:
        known = len(earlier.events)
        if self.events[:known] != earlier.events:
            return self.match()
        ahead = match.copy()
        for event in self.events[known:]:
            event.apply(ahead)
            drawn = event.kind is EventKind.DRAW
            if drawn and str(ahead.history.steps[-1].event) != event.text:
                return self.match()  # the stored card counts, even if the seed now gives another
        return ahead

    def seat_of(self, token: str) -> Seat | None:
        given = digest(token)
        for seat in Seat:
            kept = self.seats[seat].token
            if kept is not None and compare_digest(kept, given):
                return seat
        return None

    @property
    def shared(self) -> bool:
        """Whether both players are people at one device, with one token."""
        one, two = self.seats
        return one.token is not None and one.token == two.token

    @property
    def full(self) -> bool:
        return all(holder.seated for holder in self.seats)

    def seat_of_profile(self, profile: str) -> Seat | None:
        """Return the seat that a profile has taken, if any. A reserved seat does not count."""
        mine = (s for s in Seat if self.seats[s].profile == profile and self.seats[s].seated)
        return next(mine, None)

    def find(self, kind: EventKind, seat: Seat | None, turn: int | None = None) -> Event | None:
        # The event may be secret, so never show it.
        wanted = (kind, seat, turn)
        return next((e for e in self.events if (e.kind, e.seat, e.turn) == wanted), None)

    def with_event(self, event: Event) -> StoredGame:
        return replace(self, events=(*self.events, event))

    def with_holder(self, seat: Seat, holder: SeatHolder) -> StoredGame:
        one, two = self.seats
        return replace(self, seats=(holder, two) if seat is Seat.ONE else (one, holder))


def series_after(stored: StoredGame, outcome: Outcome | None) -> tuple[tuple[int, int], int]:
    if outcome is None:
        return stored.wins, stored.draws
    one, two = (won + (outcome.winner is seat) for seat, won in zip(Seat, stored.wins, strict=True))
    return (one, two), stored.draws + (outcome.winner is None)


def notation(events: list[Event]) -> str:
    cards = [event.text for event in events if event.kind is EventKind.DRAW]
    moves = sorted((e.seat or 0, e.text) for e in events if e.kind is EventKind.MOVE)
    return "".join(cards) + "/".join(text for _, text in moves)


@lru_cache(maxsize=256)
def cached_game(name: str, settings: tuple[tuple[str, int | str], ...]) -> AnyGame:
    return load(name, **dict(settings))


def digest(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()
