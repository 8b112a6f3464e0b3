"""A game in progress as OpenSpiel's states hold it: one frozen value, shared by all copies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

from number_duels.adapters.encoding import Coding
from number_duels.core.game import HIDDEN, AnyGame, Chance, Decision, Outcome, Seat
from number_duels.core.notation import Step, read, write

AnyStep = Step[Hashable, Hashable, Hashable]
RETURNS = {None: (0.0, 0.0), Seat.ONE: (1.0, -1.0), Seat.TWO: (-1.0, 1.0)}

#: Every position of a game uses the same tables.
coding_of: Callable[[AnyGame], Coding] = cache(Coding)


@dataclass(frozen=True)
class Position:
    """A state, and every step that led to it.

    >>> from number_duels import load
    >>> start = begin(load("number-stack-showdown"))
    >>> later = start.drawn(6).decided({Seat.ONE: 0}).drawn(9)
    >>> later.history(Seat.TWO), later.history(Seat.ONE)
    ('7k 10', '7k ?')
    """

    coding: Coding
    state: Hashable
    steps: tuple[AnyStep, ...] = ()

    @cached_property
    def turn(self) -> Decision[Hashable] | Chance[Hashable] | Outcome:
        """Who decides, or what nature may do, or how it ended."""
        return self.coding.game.turn(self.state)

    @property
    def returns(self) -> tuple[float, float]:
        """What each seat has won: 1 for a win, -1 for a loss, 0 for a draw and until the end."""
        return RETURNS[self.turn.winner if isinstance(self.turn, Outcome) else None]

    def legal(self, seat: Seat) -> list[int]:
        """The numbers of a seat's options, in order."""
        options = self.turn.options.get(seat, ()) if isinstance(self.turn, Decision) else ()
        return sorted(map(self.coding.number, options))

    def outcomes(self) -> list[tuple[int, float]]:
        """The numbers of what nature may do, each with its odds."""
        odds = self.turn.odds if isinstance(self.turn, Chance) else {}
        return sorted((self.coding.event_number(event), float(p)) for event, p in odds.items())

    def decided(self, actions: Mapping[Seat, int]) -> Position:
        """The position after everybody's actions; an IllegalMove says what is wrong."""
        moves = {seat: self.coding.move(number) for seat, number in actions.items()}
        return self._after(Step.decided(self.coding.game, self.state, moves))

    def drawn(self, number: int) -> Position:
        """The position after an event of nature; an IllegalMove says what is wrong."""
        return self._after(Step.drawn(self.coding.game, self.state, self.coding.event(number)))

    def _after(self, step: AnyStep) -> Position:
        return Position(self.coding, step.after, (*self.steps, step))

    # ---- what a viewer knows -----------------------------------------------------

    def view(self, viewer: Seat | None) -> Hashable:
        """The state as a seat, or a spectator (None), may see it."""
        return self.coding.game.view(self.state, viewer)

    def seen(self, viewer: Seat | None) -> tuple[AnyStep, ...]:
        """Every step, with what is hidden from the viewer marked: cards of an unfinished turn."""
        if self.view(viewer) == self.state:
            return self.steps
        whole = max((n for n, step in enumerate(self.steps, 1) if step.moves), default=0)
        hidden = (replace(step, event=HIDDEN) for step in self.steps[whole:])
        return (*self.steps[:whole], *hidden)

    def history(self, viewer: Seat | None) -> str:
        """The game so far in notation, as a viewer knows it."""
        return write(self.seen(viewer))

    # ---- copies --------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        """A position never changes, so it is its own copy."""
        return self

    def __reduce__(self) -> tuple[Callable[[AnyGame, str], Position], tuple[AnyGame, str]]:
        """A position is kept as its game and its notation, as in a record."""
        return resume, (self.coding.game, write(self.steps))


def begin(game: AnyGame) -> Position:
    """The first position; what is dealt face up lies in order."""
    return Position(coding_of(game), game.start())


def resume(game: AnyGame, moves: str) -> Position:
    """The position after the moves of a written game."""
    start = begin(game)
    steps = tuple(read(game, start.state, moves))
    return Position(start.coding, steps[-1].after, steps) if steps else start
