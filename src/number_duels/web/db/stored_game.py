"""A game as the database keeps it: who holds which seat, and every event that was accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest

from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person, Record, shown_names
from number_duels.games import load

HUMAN = "human"


@dataclass(frozen=True)
class SeatHolder:
    """Who plays a seat: name, kind of player, and the digest of the token that proves it."""

    name: str
    who: str = HUMAN
    token: str | None = None
    #: The profile that the seat belongs to, whose devices may play it, too.
    profile: str | None = None

    @property
    def seated(self) -> bool:
        """Whether the seat is taken; a computer's always is."""
        return self.who != HUMAN or self.token is not None


class EventKind(StrEnum):
    """What may happen in a game."""

    MOVE = "move"
    DRAW = "draw"
    RESIGNATION = "resignation"


@dataclass(frozen=True)
class Event:
    """A choice, a card or a resignation; a choice is secret until everybody has chosen."""

    kind: EventKind
    #: Who chose or resigned, or whose hand turned the card.
    seat: Seat | None
    #: The turn that a choice or a card is for; a resignation needs none.
    turn: int | None = None
    #: A choice or a card in notation; how a game was given up, if not by resigning.
    text: str = ""

    def apply(self, match: AnyMatch) -> None:
        """Let it happen in a match."""
        if self.kind is EventKind.DRAW:
            match.draw()
            return
        assert self.seat is not None
        if self.kind is EventKind.MOVE:
            match.submit(self.seat, self.text)
        else:
            match.concede(self.seat, self.text or "resigned.")


@dataclass(frozen=True)
class StoredGame:
    """One game, complete: the rules rebuild every state from it."""

    id: str
    name: str
    settings: Mapping[str, int | str]
    deal: str | None
    seed: int
    seats: tuple[SeatHolder, SeatHolder]
    started: str
    #: When it was last changed, by the clock of the database.
    updated_at: int = 0
    #: Whether its starter fixed the cards or the seed, and so may know what comes.
    has_known_cards: bool = False
    version: int = 1
    over: bool = False
    events: tuple[Event, ...] = ()
    #: The game that this one is a rematch of, and the rematch of this one.
    previous: str | None = None
    rematch: str | None = None
    #: How often each seat's holder has won in the series before this game, and draws there.
    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    @property
    def game(self) -> AnyGame:
        """The rules, with the settings of this game."""
        return cached_game(self.name, tuple(self.settings.items()))

    @property
    def names(self) -> tuple[str, str]:
        """Both players' names."""
        return self.seats[0].name, self.seats[1].name

    def names_for(self, viewer: Seat | None) -> tuple[str, str]:
        """Both players' names in the words that a viewer reads; who only watches is not "You"."""
        return self.names if viewer is None else shown_names(self.players)

    @property
    def players(self) -> tuple[Person, Person]:
        """Both players as a record names them."""
        one, two = (Person(holder.name, holder.who) for holder in self.seats)
        return one, two

    # ---- the match ---------------------------------------------------------------

    def match(self) -> AnyMatch:
        """The match so far, with the choices that wait; the cards are those that were drawn."""
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
        """The match so far, played on from how it stood at an earlier version."""
        known = len(earlier.events)
        if self.events[:known] != earlier.events:
            return self.match()
        ahead = match.copy()
        for event in self.events[known:]:
            event.apply(ahead)
            drawn = event.kind is EventKind.DRAW
            if drawn and str(ahead.history.steps[-1].event) != event.text:
                return self.match()  # the card that was drawn counts, whatever the seed says now
        return ahead

    # ---- looking for something ---------------------------------------------------

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token holds."""
        given = digest(token)
        for seat in Seat:
            kept = self.seats[seat].token
            if kept is not None and compare_digest(kept, given):
                return seat
        return None

    def seat_of_profile(self, profile: str) -> Seat | None:
        """The seat that was taken for a profile; one that is only kept for it is not."""
        mine = (s for s in Seat if self.seats[s].profile == profile and self.seats[s].seated)
        return next(mine, None)

    def find(self, kind: EventKind, seat: Seat | None, turn: int | None = None) -> Event | None:
        """What a seat has done already: for comparing, not for showing."""
        wanted = (kind, seat, turn)
        return next((e for e in self.events if (e.kind, e.seat, e.turn) == wanted), None)

    # ---- what may follow ---------------------------------------------------------

    def with_event(self, event: Event) -> StoredGame:
        """With one more event."""
        return replace(self, events=(*self.events, event))

    def with_holder(self, seat: Seat, holder: SeatHolder) -> StoredGame:
        """With somebody in a seat."""
        one, two = self.seats
        return replace(self, seats=(holder, two) if seat is Seat.ONE else (one, holder))


def series_after(stored: StoredGame, outcome: Outcome | None) -> tuple[tuple[int, int], int]:
    """Wins by seat and draws of a series, with this game if it is over."""
    if outcome is None:
        return stored.wins, stored.draws
    one, two = (won + (outcome.winner is seat) for seat, won in zip(Seat, stored.wins, strict=True))
    return (one, two), stored.draws + (outcome.winner is None)


def notation(events: list[Event]) -> str:
    """A turn as a record writes it: the cards, then the choices in the order of the seats."""
    cards = [event.text for event in events if event.kind is EventKind.DRAW]
    moves = sorted((e.seat or 0, e.text) for e in events if e.kind is EventKind.MOVE)
    return "".join(cards) + "/".join(text for _, text in moves)


@lru_cache(maxsize=256)
def cached_game(name: str, settings: tuple[tuple[str, int | str], ...]) -> AnyGame:
    """Games are frozen values, so those with the same settings are one."""
    return load(name, **dict(settings))


def digest(token: str) -> str:
    """What the database knows of a token: enough to recognise it, not to use it."""
    return sha256(token.encode(errors="replace")).hexdigest()
