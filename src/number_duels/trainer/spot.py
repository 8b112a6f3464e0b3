"""A spot: a position in which somebody has to decide, and how it is written down."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import sha256

from number_duels.core.board import Part
from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.history import History
from number_duels.core.questions import Question
from number_duels.core.record import Record

#: How much of a digest tells spots apart; a book has thousands of them, not billions.
ID_LETTERS = 16


@dataclass(frozen=True)
class Spot:
    """Who has to decide after which moves; a ValueError, in a sentence, where nobody can.

    >>> spot = Spot("number-bid", {"numbers": 10}, None, "7/6", Seat.ONE)
    >>> spot.open().game, Spot.from_json(spot.to_json()) == spot
    (NumberBid(numbers=10), True)
    """

    #: The name of the game.
    game: str
    #: All its settings.
    settings: Mapping[str, int | str]
    #: What is otherwise shuffled, as a record has it; None where nothing is.
    deal: str | None
    #: The game so far, in notation; a card that was just drawn is its last word.
    moves: str
    #: Who has to decide.
    seat: Seat

    @classmethod
    def of(cls, history: History[Hashable, Hashable, Hashable], seat: Seat) -> Spot:
        """Where a game stands, for a seat that has to decide there."""
        game = history.game
        return cls(game.name, game.settings, game.deal_text(history.start), str(history), seat)

    @classmethod
    def from_json(cls, found: Mapping[str, object]) -> Spot:
        """The inverse of `to_json`; a ValueError says what is wrong."""
        game, settings, deal = found.get("game"), found.get("settings"), found.get("deal")
        moves, seat = found.get("moves"), found.get("seat")
        if not isinstance(game, str) or not isinstance(moves, str):
            raise ValueError("A spot needs the name of its game and its moves.")
        if not isinstance(settings, dict) or not isinstance(deal, str | None):
            raise ValueError("A spot needs the settings of its game, and its deal or null.")
        if not isinstance(seat, int) or seat not in (1, 2):
            raise ValueError("A spot needs the seat that decides: 1 or 2.")
        return cls(game, settings, deal, moves, Seat(seat - 1))

    def to_json(self) -> dict[str, object]:
        """The spot as a JSON object; `from_json` is the inverse."""
        return {
            "game": self.game,
            "settings": dict(self.settings),
            "deal": self.deal,
            "moves": self.moves,
            "seat": self.seat + 1,
        }

    def open(self) -> OpenSpot:
        """The spot with its game, its state and what its seat is asked."""
        record = Record(self.game, self.settings, self.deal, 0, moves=self.moves)
        history = record.match().history
        turn = history.turn
        if not isinstance(turn, Decision) or self.seat not in turn.options:
            raise ValueError(f"{self.seat} has nothing to decide after {self.moves or 'nothing'}.")
        return OpenSpot(history.game, history, self.seat)


@dataclass(frozen=True)
class OpenSpot:
    """A spot with its game: what a front end shows, and what a solution is asked about.

    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "A1", Seat.TWO).open()
    >>> list(map(str, spot.options)), spot.both_choose, spot.state.life
    (['A2', 'S2', 'A3', 'S3'], False, (4, 3))
    """

    #: The game itself.
    game: AnyGame
    #: How it came to this.
    history: History[Hashable, Hashable, Hashable]
    #: Who has to decide.
    seat: Seat

    @property
    def state(self) -> Hashable:
        """The position, with nothing hidden."""
        return self.history.state

    @property
    def view(self) -> Hashable:
        """What the seat that decides may see."""
        return self.history.view(self.seat)

    @property
    def question(self) -> Question[Hashable]:
        """What the seat that decides is asked."""
        return self.game.question(self.view, self.seat)

    @property
    def board(self) -> tuple[Part, ...]:
        """What the seat that decides looks at."""
        return self.game.board(self.view)

    @property
    def options(self) -> tuple[Hashable, ...]:
        """The moves that are open."""
        turn = self.history.turn
        assert isinstance(turn, Decision)
        return turn.options[self.seat]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who decides: the seat, or both at once."""
        turn = self.history.turn
        assert isinstance(turn, Decision)
        return tuple(turn.options)

    @property
    def both_choose(self) -> bool:
        """Whether the other seat chooses at the same time."""
        return len(self.seats) == 2

    @cached_property
    def spot(self) -> Spot:
        """The spot as it is written down."""
        return Spot.of(self.history, self.seat)

    @cached_property
    def id(self) -> str:
        """What tells spots apart: the game, its settings, all that the future depends on, the seat.

        So two ways to the same position are one spot, on every machine and in every year.
        """
        settings = sorted(self.game.settings.items())
        parts = (self.game.name, settings, self.game.key(self.state), self.seat)
        return sha256(stable(parts).encode()).hexdigest()[:ID_LETTERS]


def stable(value: object) -> str:
    """A value in letters that are the same in every process.

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
    """Whether a value is a named tuple: it is written as a dataclass with its fields would be."""
    return hasattr(value, "_fields")
