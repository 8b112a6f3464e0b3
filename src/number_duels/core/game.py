"""The base class of all games. A game is immutable, and its methods are pure functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, cast

from number_duels.core import defaults
from number_duels.core.board import Part
from number_duels.core.questions import Prompt, Question, converse
from number_duels.core.settings import Setting, check
from number_duels.core.text import Section, rules_text
from number_duels.core.turn import (
    HIDDEN,
    Chance,
    Decision,
    E,
    Feature,
    Hidden,
    IllegalMove,
    M,
    Outcome,
    S,
    Seat,
    check_seat,
    check_viewer,
    unavailable,
    wrong_mover,
)

__all__ = [
    "HIDDEN",
    "AnyGame",
    "Chance",
    "Decision",
    "E",
    "Feature",
    "Game",
    "Hidden",
    "IllegalMove",
    "M",
    "Outcome",
    "S",
    "Seat",
    "SomeGame",
    "check_seat",
    "check_viewer",
    "no_deal",
    "presence",
    "unavailable",
    "wrong_mover",
]


@dataclass(frozen=True)
class Game(ABC, Generic[S, M, E]):
    """The base class of all games. The fields of a game are its settings.

    >>> from number_duels import load
    >>> game = load("number-knot", numbers=3)
    >>> after = game.play(game.start(), {Seat.ONE: game.parse("S2")})
    >>> after.line, after.life
    ((1, 3), (10, 8))
    """

    #: The name for `load`, such as `number-knot`.
    name: ClassVar[str]
    #: The name that people read, such as `Number Knot`.
    title: ClassVar[str]
    #: The game in one sentence.
    summary: ClassVar[str]
    #: The label for drawing a card, in games with a deck.
    draw_label: ClassVar[str] = "Draw"
    #: The prompt at the end of a person's turn, or empty for none.
    end_prompt: ClassVar[str] = ""

    def __post_init__(self) -> None:
        check(self.title, self.settings, self.describe_settings())

    @classmethod
    def describe_settings(cls) -> dict[str, Setting]:
        """Return every setting by name, with its default, range and meaning."""
        return {field.name: field.metadata["setting"] for field in fields(cls)}

    @property
    def settings(self) -> dict[str, int | str]:
        """Return the value of every setting by name, as a record stores it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    # ---- rules ---------------------------------------------------------------

    @abstractmethod
    def start(self, rng: Random | None = None, deal: str | None = None) -> S:
        """Return the first state. `rng` shuffles the cards or grids, unless `deal` sets them."""

    @abstractmethod
    def turn(self, state: S) -> Decision[M] | Chance[E] | Outcome:
        """Return the next decision, the next chance event, or the outcome."""

    @abstractmethod
    def resolve(self, state: S, moves: Mapping[Seat, M]) -> S:
        """Return the state after these moves, without checking that they are legal."""

    def drawn(self, state: S, event: E) -> S:
        """Return the state after a chance event. Only games with chance events define this."""
        raise NotImplementedError(f"{self.title} has no chance events")

    @abstractmethod
    def key(self, state: S) -> Hashable:
        """Return the part of a state that the rest of the game depends on."""

    def view(self, state: S, viewer: Seat | None) -> S:
        """Return the state as `viewer` may see it. None is a spectator. Secrets are `HIDDEN`."""
        check_viewer(viewer)
        return state

    def drawer(self, state: S) -> Seat | None:
        """Return the seat that draws the next card, or None if cards are drawn automatically."""
        return None

    def may_draw(self, state: S) -> bool:
        """Return whether the game can still end in a draw, or True if that is unknown."""
        return True

    def play(self, state: S, choices: Mapping[Seat, M] | Mapping[None, E]) -> S:
        """Return the state after a turn. Raise IllegalMove if the turn is not legal.

        For a decision, `choices` has a move for each seat that decides. For a chance event, it is
        `{None: event}`.
        """
        turn = self.turn(state)
        if isinstance(turn, Outcome):
            raise IllegalMove("The game is over.")
        if isinstance(turn, Decision):
            moves = cast("Mapping[Seat, M]", choices)
            if moves.keys() != turn.options.keys():
                raise wrong_mover(turn)
            for seat, move in moves.items():
                check_seat(seat)
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
        """Read a move from text. Reading `str(move)` returns the same move."""

    def deal_text(self, state: S) -> str | None:
        """Return the deal of the first state as text, or None if nothing is dealt face up."""
        return None

    def fixed_events(self, deal: str) -> tuple[E, ...]:
        """Return the chance events that a deal fixes, such as the top cards of the deck."""
        return ()

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[M, ...]:
        """Return every move that can ever be legal, in a fixed order."""
        return defaults.survey(self).moves

    def all_events(self) -> tuple[E, ...]:
        """Return every chance event that can ever happen, in a fixed order."""
        if type(self).drawn is Game.drawn:  # without chance events there is nothing to search
            return ()
        return defaults.survey(self).events

    @property
    def most_turns(self) -> int:
        """Return the largest number of turns that a game can have."""
        return defaults.survey(self).most_turns

    def features(self, view: S, seat: Seat) -> tuple[Feature, ...]:
        """Return a view as numbers, for machine learning. The seat's own side comes first.

        Views with different keys have different numbers. Labels, lengths and bounds are the same
        for every view.
        """
        return defaults.features(self, view, seat)

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        """Return the most important rules in one line."""
        return self.summary

    @property
    def rules(self) -> str:
        """Return the rules of this game with its settings, as plain text."""
        return rules_text(self.rule_sections())

    def rule_sections(self) -> tuple[Section, ...]:
        """Return the rules as sections. The last one says what to type."""
        return defaults.rule_sections(self)

    def opening(self, view: S) -> Iterator[str]:
        """Yield the lines of text to show before the first turn."""
        yield f"Welcome to {self.title}!"
        yield ""

    def announce(self, view: S, viewer: Seat | None) -> Iterator[str]:
        """Yield the lines that introduce a turn. The viewer is addressed as "you"."""
        return defaults.announce(self, view)

    def question(self, view: S, seat: Seat) -> Question[M]:
        """Return the question that asks a seat for its move, in one or more steps."""
        return defaults.question(self, view, seat)

    def consequence(self, view: S, seat: Seat, move: M) -> str:
        """Return the effect of a move in a few words, or "" if it is unknown."""
        return defaults.consequence(self, view, seat, move)

    def merit(self, view: S, seat: Seat, move: M) -> str:
        """Say what a move gains over the others, or return "" if it is unknown."""
        return ""

    def tell(
        self, before: S, moves: Mapping[Seat, M], after: S, viewer: Seat | None
    ) -> Iterator[str]:
        """Yield the lines that describe a step. If `moves` is empty, the step is a drawn card."""
        return defaults.tell(self, before, moves, after)

    def sum_up(self, before: S, moves: Mapping[Seat, M], after: S) -> str:
        """Describe a step between two views in a sentence. Without `moves`, a card was drawn."""
        return defaults.sum_up(self, before, moves, after)

    def board(self, view: S) -> tuple[Part, ...]:
        """Return the parts of the board that a player sees."""
        return defaults.board(view)

    def ask(self, view: S, seat: Seat) -> Generator[Prompt, str, M]:
        """Yield prompts, receive replies, and return the move that they lead to."""
        return converse(self.question(view, seat), self.parse)


#: A game whose types of states and moves are unknown, as returned by `load`.
AnyGame: TypeAlias = Game[Hashable, Hashable, Hashable]
#: Any game, for functions that do not need the types of its states and moves.
SomeGame: TypeAlias = Game[Any, Any, Any]


def presence(label: str, numbers: Iterable[int], left: Iterable[int]) -> Feature:
    """Return a feature with a 1 for each number that is left and a 0 for each that is not.

    >>> presence("pool", range(1, 5), (1, 4)).values
    (1, 0, 0, 1)
    """
    there = set(left)
    return Feature(label, tuple(int(n in there) for n in numbers), 0, 1)


def no_deal(title: str, deal: str | None) -> None:
    """Raise ValueError if a deal is given to a game that shuffles nothing.

    >>> no_deal("Number Bid", "1 2 3")
    Traceback (most recent call last):
    ValueError: Number Bid shuffles nothing, so it takes no deal; leave it out.
    """
    if deal is not None:
        raise ValueError(f"{title} shuffles nothing, so it takes no deal; leave it out.")
