"""A game: a frozen value with pure functions, and one question, `turn(state)`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum, IntEnum
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from number_duels.core.board import Part
from number_duels.core.questions import Prompt, Question, converse
from number_duels.core.settings import Setting, check
from number_duels.core.text import Section, rules_text

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)
E = TypeVar("E", bound=Hashable)
M_co = TypeVar("M_co", bound=Hashable, covariant=True)
E_co = TypeVar("E_co", bound=Hashable, covariant=True)


class Seat(IntEnum):
    """A chair at the table; a `Player` is who sits in it.

    >>> str(Seat.ONE), Seat.ONE.other
    ('Player 1', Seat.TWO)
    """

    ONE = 0
    TWO = 1

    @property
    def other(self) -> Seat:
        """The chair on the opposite side."""
        return Seat.ONE if self else Seat.TWO

    def __str__(self) -> str:
        return f"Player {self + 1}"

    def __repr__(self) -> str:
        return f"Seat.{self.name}"


class Hidden(Enum):
    """The mark that stands in a view where something is hidden from its viewer.

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
    """Some whole numbers that a player sees, for programs that learn from numbers."""

    label: str
    values: tuple[int, ...]
    low: int
    high: int


class IllegalMove(ValueError):
    """A move that is not open now; the message says why and what is.

    >>> from number_duels import Match, load
    >>> Match(load("number-bid", numbers=3)).submit(Seat.ONE, "9")
    Traceback (most recent call last):
    number_duels.core.game.IllegalMove: 9 is not available; choose one of 1, 2, 3.
    """


@dataclass(frozen=True)
class Decision(Generic[M_co]):
    """Somebody decides: one seat moves, or two choose at once, unseen.

    >>> from number_duels import load
    >>> game = load("number-bid", numbers=2)
    >>> {seat: len(options) for seat, options in game.turn(game.start()).options.items()}
    {Seat.ONE: 2, Seat.TWO: 2}
    """

    options: Mapping[Seat, tuple[M_co, ...]]


@dataclass(frozen=True)
class Chance(Generic[E_co]):
    """Nature moves: each event with its exact odds.

    >>> from number_duels import load
    >>> game = load("number-stack-showdown")
    >>> set(game.turn(game.start()).odds.values())
    {Fraction(1, 10)}
    """

    odds: Mapping[E_co, Fraction]


@dataclass(frozen=True)
class Outcome:
    """It is over: who won (None: a draw), and why.

    >>> Outcome(Seat.TWO, "Player 1 resigned.").result
    '0-1'
    """

    winner: Seat | None
    reason: str

    @property
    def result(self) -> str:
        """The result as a record writes it: `1-0`, `0-1` or `1/2-1/2`."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]


@dataclass(frozen=True)
class Game(ABC, Generic[S, M, E]):
    """The rules, words and board of one game; its fields are its settings.

    >>> from number_duels import load
    >>> game = load("number-knot", numbers=3)
    >>> after = game.play(game.start(), {Seat.ONE: game.parse("S2")})
    >>> after.line, after.life
    ((1, 3), (10, 8))
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    #: What drawing is called, in games with a deck.
    draw_label: ClassVar[str] = "Draw"
    #: What a person is asked once its own turn has been told; empty: nothing.
    end_prompt: ClassVar[str] = ""

    def __post_init__(self) -> None:
        check(self.title, self.settings, self.describe_settings())

    @classmethod
    def describe_settings(cls) -> dict[str, Setting]:
        """Every setting by name: its default, its range and its meaning."""
        return {field.name: field.metadata["setting"] for field in fields(cls)}

    @property
    def settings(self) -> dict[str, int | str]:
        """The settings of this game, as a record writes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    # ---- rules ---------------------------------------------------------------

    @abstractmethod
    def start(self, rng: Random | None = None, deal: str | None = None) -> S:
        """The first state; `rng` shuffles what the document shuffles, `deal` fixes it."""

    @abstractmethod
    def turn(self, state: S) -> Decision[M] | Chance[E] | Outcome:
        """Who decides, or what nature may do, or how it ended.

        One seat in a `Decision` moves alone; two choose at once, unseen.
        """

    @abstractmethod
    def resolve(self, state: S, moves: Mapping[Seat, M]) -> S:
        """The state after legal moves; `play` is the one that checks them."""

    def drawn(self, state: S, event: E) -> S:
        """The state after an event of nature; only games with `Chance` have one."""
        raise NotImplementedError(f"{self.title} has no chance events")

    @abstractmethod
    def key(self, state: S) -> Hashable:
        """All that the future depends on."""

    def view(self, state: S, viewer: Seat | None) -> S:
        """The state with what is hidden from the viewer marked; None is a spectator."""
        return state

    def drawer(self, state: S) -> Seat | None:
        """Whose hand turns the next card; None: nature needs nobody's."""
        return None

    def play(self, state: S, choices: Mapping[Seat, M] | Mapping[None, E]) -> S:
        """The state after everybody's moves, or after nature's `{None: event}`."""
        turn = self.turn(state)
        if isinstance(turn, Outcome):
            raise IllegalMove("The game is over.")
        if isinstance(turn, Decision):
            moves = cast("Mapping[Seat, M]", choices)
            if moves.keys() != turn.options.keys():
                raise wrong_mover(turn)
            for seat, move in moves.items():
                if move not in turn.options[seat]:
                    raise IllegalMove(unavailable(move, turn.options[seat]))
            return self.resolve(state, moves)
        if set(choices) != {None}:
            raise wrong_mover(turn)
        event = cast("Mapping[None, E]", choices)[None]
        if event not in turn.odds:
            raise IllegalMove(unavailable(event, tuple(turn.odds)))
        return self.drawn(state, event)

    # ---- notation ------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> M:
        """The move that a text means; `str(move)` is its inverse."""

    def deal_text(self, state: S) -> str | None:
        """The deal of a first state, where something is dealt face up."""
        return None

    def fixed_events(self, deal: str) -> tuple[E, ...]:
        """The events that a deal fixes in advance: the top of the deck, in order."""
        return ()

    # ---- numbers, for programs that learn ------------------------------------

    def all_moves(self) -> tuple[M, ...]:
        """Every move that may ever be open, in a fixed order."""
        return defaults.survey(self).moves

    def all_events(self) -> tuple[E, ...]:
        """Every event that nature may ever bring, in a fixed order."""
        if type(self).drawn is Game.drawn:  # nature never moves: there is nothing to search for
            return ()
        return defaults.survey(self).events

    @property
    def most_turns(self) -> int:
        """No game has more turns than this."""
        return defaults.survey(self).most_turns

    def features(self, view: S, seat: Seat) -> tuple[Feature, ...]:
        """What a seat sees, as numbers, its own side first: enough to tell keys apart.

        Labels, lengths and bounds are the same for every view.
        """
        return defaults.features(self, view, seat)

    # ---- words and board -----------------------------------------------------

    @property
    def rules(self) -> str:
        """The rules of this game with its settings, as a page of plain text."""
        return rules_text(self.rule_sections())

    def rule_sections(self) -> tuple[Section, ...]:
        """The rules as data, filled in with the settings; the last part is on typing."""
        return defaults.rule_sections(self)

    def opening(self, view: S) -> Iterator[str]:
        """The lines before the first turn."""
        yield f"Welcome to {self.title}!"
        yield ""

    def announce(self, view: S, viewer: Seat | None) -> Iterator[str]:
        """The lines that open a turn; the viewer is addressed as "you"."""
        return defaults.announce(self, view)

    def question(self, view: S, seat: Seat) -> Question[M]:
        """What a seat is asked, step by step; its leaves are the seat's options."""
        return defaults.question(self, view, seat)

    def tell(
        self, before: S, moves: Mapping[Seat, M], after: S, viewer: Seat | None
    ) -> Iterator[str]:
        """The lines after a step, up to the end of the game; no moves: a card was drawn."""
        return defaults.tell(self, before, moves, after)

    def board(self, view: S) -> tuple[Part, ...]:
        """What a player looks at, as plain parts."""
        return defaults.board(view)

    def ask(self, view: S, seat: Seat) -> Generator[Prompt, str, M]:
        """The conversation that ends in a move: yields prompts, receives replies."""
        return converse(self.question(view, seat), self.parse)


#: A game whose states and moves are known to it alone, as `load` gives it.
AnyGame: TypeAlias = Game[Hashable, Hashable, Hashable]
#: Any game at all, for parameters: a caller may know its states and moves, the function need not.
SomeGame: TypeAlias = Game[Any, Any, Any]


def presence(label: str, numbers: Iterable[int], left: Iterable[int]) -> Feature:
    """Which of some numbers are left: a 1 or a 0 for each.

    >>> presence("pool", range(1, 5), (1, 4)).values
    (1, 0, 0, 1)
    """
    there = set(left)
    return Feature(label, tuple(int(n in there) for n in numbers), 0, 1)


def wrong_mover(turn: Decision[M] | Chance[E]) -> IllegalMove:
    """Why a seat may not move now."""
    if isinstance(turn, Chance):
        return IllegalMove("Nobody moves before the card is drawn.")
    seats = " and ".join(map(str, turn.options))
    return IllegalMove(f"It is for {seats} to move, and for nobody else.")


def unavailable(move: object, options: tuple[object, ...]) -> str:
    """Why a move is refused, and what would have been right."""
    if isinstance(move, str) and move in map(str, options):
        return f"{move!r} is text, and this takes a move; read it with game.parse({move!r})."
    return f"{move} is not available; choose one of {', '.join(map(str, options))}."


def no_deal(title: str, deal: str | None) -> None:
    """Refuse a deal for a game that shuffles nothing."""
    if deal is not None:
        raise ValueError(f"{title} shuffles nothing, so it takes no deal; leave it out.")


# The defaults are made of what stands above, so they are imported below it.
from number_duels.core import defaults  # noqa: E402
