"""A game: a frozen value with pure functions, and one question, `turn(state)`."""

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
    "no_deal",
    "presence",
    "unavailable",
    "wrong_mover",
]


@dataclass(frozen=True)
class Game(ABC, Generic[S, M, E]):
    """The rules, words and board of one game; its fields are its settings.

    >>> from number_duels import load
    >>> game = load("number-knot", numbers=3)
    >>> after = game.play(game.start(), {Seat.ONE: game.parse("S2")})
    >>> after.line, after.life
    ((1, 3), (10, 8))
    """

    #: As `load` takes it: `number-knot`.
    name: ClassVar[str]
    #: As people read it: `Number Knot`.
    title: ClassVar[str]
    #: The game in a sentence.
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

    def may_draw(self, state: S) -> bool:
        """Whether it may still end in a draw; True where that is not known."""
        return True

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

    def consequence(self, view: S, seat: Seat, move: M) -> str:
        """What a move would do, in a few words, for who chooses; empty where nothing is known."""
        return defaults.consequence(self, view, seat, move)

    def tell(
        self, before: S, moves: Mapping[Seat, M], after: S, viewer: Seat | None
    ) -> Iterator[str]:
        """The lines after a step, up to the end of the game; no moves: a card was drawn."""
        return defaults.tell(self, before, moves, after)

    def sum_up(self, before: S, moves: Mapping[Seat, M], after: S) -> str:
        """Tell a step in one short sentence; without moves a card was drawn. It takes views."""
        return defaults.sum_up(self, before, moves, after)

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


def no_deal(title: str, deal: str | None) -> None:
    """Refuse a deal for a game that shuffles nothing.

    >>> no_deal("Number Bid", "1 2 3")
    Traceback (most recent call last):
    ValueError: Number Bid shuffles nothing, so it takes no deal; leave it out.
    """
    if deal is not None:
        raise ValueError(f"{title} shuffles nothing, so it takes no deal; leave it out.")
