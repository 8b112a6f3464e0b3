"""A game as the server keeps it: who sits where, and every move that was accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest

from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person, Record
from number_duels.games import load

HUMAN = "human"


@dataclass(frozen=True)
class Chair:
    """A seat at a table: who it is for, the name, and the digest of the token that holds it."""

    name: str
    who: str = HUMAN
    token: str | None = None

    @property
    def seated(self) -> bool:
        """Whether somebody sits there; a computer always does."""
        return self.who != HUMAN or self.token is not None


@dataclass(frozen=True)
class Move:
    """What a seat chose in a turn, in notation; secret until everybody has chosen."""

    turn: int
    seat: Seat
    text: str


@dataclass(frozen=True)
class Draw:
    """What nature did in a turn, and by whose hand."""

    turn: int
    seat: Seat | None
    text: str


@dataclass(frozen=True)
class Ledger:
    """One game, complete: its state is always rebuilt from this by the rules."""

    id: str
    name: str
    settings: Mapping[str, int | str]
    deal: str | None
    seed: int
    chairs: tuple[Chair, Chair]
    started: str
    touched: int
    #: Whether its starter fixed the cards or the seed, and so may know what comes.
    arranged: bool = False
    version: int = 1
    over: bool = False
    moves: tuple[Move, ...] = ()
    draws: tuple[Draw, ...] = ()
    resigned: Seat | None = None
    #: The game that this one is a rematch of, and the rematch of this one.
    previous: str | None = None
    rematch: str | None = None

    @property
    def game(self) -> AnyGame:
        """The rules, with the settings of this game."""
        return cached_game(self.name, tuple(self.settings.items()))

    @property
    def names(self) -> tuple[str, str]:
        """Both players' names."""
        return self.chairs[0].name, self.chairs[1].name

    def match(self) -> AnyMatch:
        """The match as far as it was played, with the choices that wait."""
        begun = [move.turn for move in self.moves] + [drawn.turn for drawn in self.draws]
        last = max(begun, default=1)
        turns = ["" for _ in range(last)]
        for drawn in self.draws:
            turns[drawn.turn - 1] += drawn.text
        for turn in range(1, last):
            chosen = sorted((move.seat, move.text) for move in self.moves if move.turn == turn)
            turns[turn - 1] += "/".join(text for _, text in chosen)
        one, two = (Person(chair.name, chair.who) for chair in self.chairs)
        record = Record(
            self.name, self.settings, self.deal, self.seed, (one, two), " ".join(turns).strip()
        )
        match = Match.from_record(self.game, replace(record, started=self.started))
        for move in self.moves:
            if move.turn == last:
                match.submit(move.seat, self.game.parse(move.text))
        return match

    def outcome(self, match: AnyMatch) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.resigned is not None:
            return Outcome(self.resigned.other, f"{self.resigned} resigned.")
        turn = match.turn
        return turn if isinstance(turn, Outcome) else None

    def record(self, match: AnyMatch, viewer: Seat | None) -> Record:
        """The game on paper; before its end without the seed, the deck and what is hidden."""
        outcome, whole = self.outcome(match), match.record
        if outcome is not None:
            return replace(
                whole, result=outcome.result, reason=outcome.reason, moves=match.moves(viewer)
            )
        face_down = whole.deal is not None and self.game.fixed_events(whole.deal)
        deal = None if face_down else whole.deal
        return replace(whole, seed=None, deal=deal, moves=match.moves(viewer))

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token holds."""
        given = digest(token)
        for seat in Seat:
            kept = self.chairs[seat].token
            if kept is not None and compare_digest(kept, given):
                return seat
        return None

    def chosen(self, turn: int, seat: Seat) -> str | None:
        """What a seat chose in a turn: for comparing, not for showing."""
        found = (move.text for move in self.moves if (move.turn, move.seat) == (turn, seat))
        return next(found, None)

    # ---- what may follow ---------------------------------------------------------

    def with_move(self, turn: int, seat: Seat, text: str) -> Ledger:
        """The ledger with one more choice."""
        return replace(self, moves=(*self.moves, Move(turn, seat, text)))

    def with_draw(self, match: AnyMatch) -> Ledger:
        """The ledger with one more card, which depends on the seed and its number alone."""
        turn, seat = match.turn_number, match.drawer
        ahead = self.match()
        ahead.draw()
        event = ahead.steps(seat)[-1].event
        return replace(self, draws=(*self.draws, Draw(turn, seat, str(event))))

    def with_chair(self, seat: Seat, chair: Chair) -> Ledger:
        """The ledger with somebody in a seat."""
        one, two = self.chairs
        return replace(self, chairs=(chair, two) if seat is Seat.ONE else (one, chair))


@lru_cache(maxsize=256)
def cached_game(name: str, settings: tuple[tuple[str, int | str], ...]) -> AnyGame:
    """A game is a frozen value, so every table with the same settings shares one."""
    return load(name, **dict(settings))


def digest(token: str) -> str:
    """What the store knows of a token: enough to recognise it, not to use it."""
    return sha256(token.encode(errors="replace")).hexdigest()
