"""The three kinds of turn: a decision, a chance event, or the outcome."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)
E = TypeVar("E", bound=Hashable)
M_co = TypeVar("M_co", bound=Hashable, covariant=True)
E_co = TypeVar("E_co", bound=Hashable, covariant=True)


class Seat(IntEnum):
    """One of the two sides of a game. A `Player` chooses the moves of a seat.

    >>> str(Seat.ONE), Seat.ONE.other
    ('Player 1', Seat.TWO)
    """

    ONE = 0
    TWO = 1

    #: The opposite seat.
    other: Seat

    def __str__(self) -> str:
        return f"Player {self + 1}"

    def __repr__(self) -> str:
        return f"Seat.{self.name}"


# An attribute is five times as fast as a property, and all rules use it.
Seat.ONE.other, Seat.TWO.other = Seat.TWO, Seat.ONE


class Hidden(Enum):
    """A placeholder for a value that the viewer may not see.

    >>> from number_duels import load
    >>> game = load("number-stack-showdown")
    >>> drawn = game.play(game.start(), {None: game.all_events()[6]})
    >>> game.view(drawn, Seat.ONE).card, game.view(drawn, Seat.TWO).card is HIDDEN
    (Card(number=7), True)
    """

    HIDDEN = "?"

    def __str__(self) -> str:
        return "?"


HIDDEN = Hidden.HIDDEN


@dataclass(frozen=True)
class Feature:
    """Integers that describe what a player sees, for machine learning.

    >>> Feature("life", (8, 10), low=0, high=99).values
    (8, 10)
    """

    #: The meaning of the numbers.
    label: str
    #: The numbers.
    values: tuple[int, ...]
    #: The smallest possible value of any number.
    low: int
    #: The largest possible value of any number.
    high: int


class IllegalMove(ValueError):
    """Raised for a move that is not legal now. The message says why, and lists the legal moves.

    >>> from number_duels import Match, load
    >>> Match(load("number-bid", numbers=3)).submit(Seat.ONE, "9")
    Traceback (most recent call last):
    number_duels.core.turn.IllegalMove: 9 is not available; choose one of 1, 2, 3.
    """


@dataclass(frozen=True)
class Decision(Generic[M_co]):
    """A turn in which one seat moves, or both seats choose in secret at the same time.

    >>> from number_duels import load
    >>> game = load("number-bid", numbers=2)
    >>> {seat: len(options) for seat, options in game.turn(game.start()).options.items()}
    {Seat.ONE: 2, Seat.TWO: 2}
    """

    #: The seats that decide, each with its legal moves.
    options: Mapping[Seat, tuple[M_co, ...]]


@dataclass(frozen=True)
class Chance(Generic[E_co]):
    """A turn that chance decides, such as drawing a card. Each event has exact odds.

    >>> from number_duels import load
    >>> game = load("number-stack-showdown")
    >>> set(game.turn(game.start()).odds.values())
    {Fraction(1, 10)}
    """

    #: Every possible event with its probability. The sum is 1.
    odds: Mapping[E_co, Fraction]


@dataclass(frozen=True)
class Outcome:
    """The end of a game: the winner (None for a draw) and the reason.

    >>> Outcome(Seat.TWO, "Player 1 resigned.").result
    '0-1'
    """

    #: The winner, or None for a draw.
    winner: Seat | None
    #: The reason, in a sentence.
    reason: str

    @property
    def result(self) -> str:
        """Return the result: `1-0`, `0-1` or `1/2-1/2`."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]


def check_seat(seat: object) -> None:
    """Raise ValueError if `seat` is not a Seat, because a bare 1 could mean either player.

    >>> check_seat(1)
    Traceback (most recent call last):
    ValueError: A seat must be Seat.ONE or Seat.TWO, not 1.
    """
    if not isinstance(seat, Seat):
        raise ValueError(f"A seat must be Seat.ONE or Seat.TWO, not {seat!r}.")


def check_viewer(viewer: object) -> None:
    """Raise ValueError unless `viewer` is a Seat, or None for a spectator.

    >>> check_viewer(None)
    """
    if viewer is not None:
        check_seat(viewer)


def wrong_mover(turn: Decision[M] | Chance[E]) -> IllegalMove:
    """Return the error for a seat that may not move now.

    >>> wrong_mover(Decision({Seat.ONE: ("a", "b")}))
    IllegalMove('Only Player 1 can move now.')
    """
    if isinstance(turn, Chance):
        return IllegalMove("A card must be drawn before a player can move.")
    seats = " and ".join(map(str, turn.options))
    return IllegalMove(f"Only {seats} can move now.")


def unavailable(move: object, options: tuple[object, ...]) -> str:
    """Return the error message for an illegal move. It lists the legal moves.

    >>> unavailable(9, (1, 2, 3))
    '9 is not available; choose one of 1, 2, 3.'
    """
    if isinstance(move, str) and move in map(str, options):
        return f"{move!r} is text, not a move; pass game.parse({move!r})."
    if not isinstance(move, str) and move not in options and str(move) in map(str, options):
        return f"{move!r} is not a move; pass the text {str(move)!r}, or one of the legal moves."
    return f"{move} is not available; choose one of {', '.join(map(str, options))}."
