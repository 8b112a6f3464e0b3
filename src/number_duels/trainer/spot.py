"""Positions to practice, and how they are stored."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import sha256

from number_duels.core.board import Part
from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.history import AnyHistory
from number_duels.core.names import OPPONENT, YOU, Names
from number_duels.core.questions import Question
from number_duels.core.record import Record

ID_LETTERS = 16


@dataclass(frozen=True)
class Spot:
    """A position to practice: the moves that lead to it, and the seat that decides.

    >>> spot = Spot("number-bid", {"numbers": 10}, None, "7/6", Seat.ONE)
    >>> spot.open().game, Spot.from_json(spot.to_json()) == spot
    (NumberBid(numbers=10), True)
    """

    #: The name of the game.
    game: str
    #: The settings of the game.
    settings: Mapping[str, int | str]
    #: The shuffled cards as in a record, or None if nothing is shuffled.
    deal: str | None
    #: The moves so far, in notation. A card just drawn comes last.
    moves: str
    #: The seat that has to decide.
    seat: Seat

    @classmethod
    def of(cls, history: AnyHistory, seat: Seat) -> Spot:
        """Return the position at the end of a history."""
        game = history.game
        return cls(game.name, game.settings, game.deal_text(history.start), str(history), seat)

    @classmethod
    def from_json(cls, found: Mapping[str, object]) -> Spot:
        """Read the output of `to_json`. Raise ValueError if it is invalid."""
        game, settings, deal = found.get("game"), found.get("settings"), found.get("deal")
        moves, seat = found.get("moves"), found.get("seat")
        if not isinstance(game, str) or not isinstance(moves, str):
            raise ValueError("A position needs the name of its game and its moves.")
        if not isinstance(settings, dict) or not isinstance(deal, str | None):
            raise ValueError("A position needs settings, and a deal that is text or null.")
        if not isinstance(seat, int) or seat not in (1, 2):
            raise ValueError("A position must name the seat that chooses: 1 or 2.")
        return cls(game, settings, deal, moves, Seat(seat - 1))

    def to_json(self) -> dict[str, object]:
        """Return the position as a JSON object that `from_json` can read."""
        return {
            "game": self.game,
            "settings": dict(self.settings),
            "deal": self.deal,
            "moves": self.moves,
            "seat": self.seat + 1,
        }

    def open(self) -> OpenSpot:
        """Play the moves, and return the position.

        Raise ValueError if the seat does not decide there.
        """
        record = Record(self.game, self.settings, self.deal, 0, moves=self.moves)
        history = record.match().history
        turn = history.turn
        if not isinstance(turn, Decision) or self.seat not in turn.options:
            raise ValueError(f"{self.seat} has no decision {place_in_words(self.moves)}.")
        return OpenSpot(history.game, history, self.seat)


def place_in_words(moves: str) -> str:
    return f"after {moves}" if moves else "at the start of the game"


@dataclass(frozen=True)
class OpenSpot:
    """A `Spot` with its game and history, ready to be shown and solved.

    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "A1", Seat.TWO).open()
    >>> list(map(str, spot.options)), spot.both_choose, spot.state.life
    (['A2', 'S2', 'A3', 'S3'], False, (4, 3))
    """

    #: The game.
    game: AnyGame
    #: The game so far.
    history: AnyHistory
    #: The seat that has to decide.
    seat: Seat
    #: The other player's name in texts.
    opponent: str = OPPONENT

    @property
    def names(self) -> Names:
        """Return the names in texts to the player that has to decide."""
        return (YOU, self.opponent) if self.seat is Seat.ONE else (self.opponent, YOU)

    @property
    def state(self) -> Hashable:
        """Return the full position, including hidden information."""
        return self.history.state

    @property
    def view(self) -> Hashable:
        """Return the position as the seat sees it."""
        return self.history.view(self.seat)

    @property
    def question(self) -> Question[Hashable]:
        """Return the question that the seat has to answer."""
        return self.game.question(self.view, self.seat)

    @property
    def board(self) -> tuple[Part, ...]:
        """Return the board as the seat sees it."""
        return self.game.board(self.view)

    @property
    def options(self) -> tuple[Hashable, ...]:
        """Return the legal moves of the seat."""
        turn = self.history.turn
        assert isinstance(turn, Decision)
        return turn.options[self.seat]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that decide now: this seat, or both."""
        turn = self.history.turn
        assert isinstance(turn, Decision)
        return tuple(turn.options)

    @property
    def both_choose(self) -> bool:
        """Return whether the other seat chooses at the same time."""
        return len(self.seats) == 2

    @cached_property
    def spot(self) -> Spot:
        """Return the position as a `Spot`, which can be stored."""
        return Spot.of(self.history, self.seat)

    @cached_property
    def id(self) -> str:
        """Return an id of the position and the seat.

        Other moves to the position give the same id.
        """
        settings = sorted(self.game.settings.items())
        parts = (self.game.name, settings, self.game.key(self.state), self.seat)
        return sha256(stable(parts).encode()).hexdigest()[:ID_LETTERS]


def stable(value: object) -> str:
    """Return text for `value` that is the same in every process.

    >>> stable((1, frozenset({3, 2}), Seat.TWO, None, "a"))
    "(1,{2,3},1,None,'a')"
    """
    if isinstance(value, Enum):
        return stable(value.value)
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(stable, value)))}}}"
    if isinstance(value, Iterable) and not isinstance(value, str) and not is_record(value):
        return f"({','.join(map(stable, value))})"
    return repr(value)


def is_record(value: object) -> bool:
    return hasattr(value, "_fields")
