"""A game in progress as a frozen value: what was played, how it ended, who may see what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic

from number_duels.core.game import (
    HIDDEN,
    Chance,
    Decision,
    E,
    Game,
    IllegalMove,
    M,
    Outcome,
    S,
    Seat,
)
from number_duels.core.notation import Step, read, write

#: The reason of a game that did not end by its moves.
CONCEDED = re.compile(r"Player ([12]) (resigned\.|forfeits: .+)", re.DOTALL)


@dataclass(frozen=True)
class History(Generic[S, M, E]):
    """Every step since the start, and who gave the game up, if somebody did.

    >>> from number_duels import Seat, load
    >>> game = load("number-stack-showdown")
    >>> history = History.read(game, game.start(), "7k 10")
    >>> history.moves(Seat.TWO), history.moves(Seat.ONE)
    ('7k 10', '7k')
    """

    #: The game that is played.
    game: Game[S, M, E]
    #: The first state.
    start: S
    #: Every change of state, oldest first.
    steps: tuple[Step[S, M, E], ...] = ()
    #: Set where the game was given up rather than played to its end.
    concession: Outcome | None = None

    @classmethod
    def read(cls, game: Game[S, M, E], start: S, text: str) -> History[S, M, E]:
        """The history that a notation tells; a ValueError names a turn that cannot be played."""
        return cls(game, start, tuple(read(game, start, text)))

    # ---- how it stands ---------------------------------------------------------

    @property
    def state(self) -> S:
        """The state after all steps, with nothing hidden."""
        return self.steps[-1].after if self.steps else self.start

    @cached_property
    def turn(self) -> Decision[M] | Chance[E] | Outcome:
        """Who decides, or that a card is to be drawn, or how it ended."""
        return self.concession or self.game.turn(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, played out or given up; None while it goes on."""
        return self.turn if isinstance(self.turn, Outcome) else None

    @property
    def turn_number(self) -> int:
        """The turn that is being played, counted from 1."""
        return 1 + sum(1 for step in self.steps if step.moves)

    @property
    def draws(self) -> int:
        """How many cards have been drawn."""
        return sum(1 for step in self.steps if not step.moves)

    @property
    def last_moves(self) -> Mapping[Seat, M]:
        """Everybody's moves in the last turn that is complete."""
        return next((step.moves for step in reversed(self.steps) if step.moves), {})

    @property
    def _whole(self) -> int:
        """How many steps belong to turns that are complete."""
        return max((n for n, step in enumerate(self.steps, 1) if step.moves), default=0)

    # ---- what may follow -------------------------------------------------------

    def decided(self, moves: Mapping[Seat, M]) -> History[S, M, E]:
        """With everybody's moves, checked."""
        self._check_open()
        return self._with(Step.decided(self.game, self.state, moves))

    def resolved(self, moves: Mapping[Seat, M]) -> History[S, M, E]:
        """With moves that were checked before: asking the game again would take twice as long."""
        after = self.game.resolve(self.state, moves)
        ordered = dict(sorted(moves.items())) if len(moves) > 1 else moves
        return self._with(Step(self.state, ordered, None, after))

    def drawn(self, event: E) -> History[S, M, E]:
        """With an event of nature, checked."""
        self._check_open()
        return self._with(Step.drawn(self.game, self.state, event))

    def sampled(self, event: E) -> History[S, M, E]:
        """With an event that was taken from the odds of this very turn."""
        return self._with(Step(self.state, {}, event, self.game.drawn(self.state, event)))

    def conceded(self, seat: Seat, how: str) -> History[S, M, E]:
        """Given up by a seat: `resigned.`, or `forfeits:` and why."""
        self._check_open()
        if not CONCEDED.match(f"{seat} {how}"):
            raise ValueError("A seat either `resigned.` or `forfeits: ` for a reason.")
        return replace(self, concession=Outcome(seat.other, f"{seat} {how}"))

    def undone(self) -> History[S, M, E]:
        """Without the concession; or without what has begun of a turn and the turn before it."""
        if self.concession:
            return replace(self, concession=None)
        before = replace(self, steps=self.steps[: max(0, self._whole - 1)])
        return replace(before, steps=before.steps[: before._whole])

    def _with(self, step: Step[S, M, E]) -> History[S, M, E]:
        return History(self.game, self.start, (*self.steps, step), self.concession)

    def _check_open(self) -> None:
        if self.outcome:
            raise IllegalMove("The game is over.")

    # ---- who may see what ------------------------------------------------------

    def view(self, viewer: Seat | None) -> S:
        """What a seat, or a spectator (None), may see."""
        return self.game.view(self.state, viewer)

    def hides_nothing_from(self, viewer: Seat | None) -> bool:
        """Whether a viewer sees all there is."""
        state = self.state
        view = self.game.view(state, viewer)
        return view is state or view == state  # the first is the usual case, and the quick one

    def _secret_from(self, viewer: Seat | None) -> int:
        """From which step on cards are hidden from a viewer: those of the unfinished turn."""
        return len(self.steps) if self.hides_nothing_from(viewer) else self._whole

    def seen(self, viewer: Seat | None) -> tuple[Step[S, M, E], ...]:
        """The steps as a viewer may see them: in views, with hidden events marked."""
        if type(self.game).view is Game.view:  # nothing is ever hidden
            return self.steps
        if viewer not in self._seen:
            secret_from = self._secret_from(viewer)
            self._seen[viewer] = tuple(
                self._seen_step(step, viewer, secret=not step.moves and n >= secret_from)
                for n, step in enumerate(self.steps)
            )
        return self._seen[viewer]

    @cached_property
    def _seen(self) -> dict[Seat | None, tuple[Step[S, M, E], ...]]:
        """The steps by viewer: the log, the board and the notation of one moment ask for them."""
        return {}

    def _seen_step(
        self, step: Step[S, M, E], viewer: Seat | None, *, secret: bool
    ) -> Step[S, M, E]:
        before, after = (self.game.view(state, viewer) for state in (step.before, step.after))
        if not secret and before is step.before and after is step.after:
            return step  # most steps hide nothing, and are then the same for everybody
        return Step(before, step.moves, HIDDEN if secret else step.event, after)

    def moves(self, viewer: Seat | None) -> str:
        """The notation, without what is hidden from a viewer."""
        secret_from = self._secret_from(viewer)
        return write(step for n, step in enumerate(self.steps) if step.moves or n < secret_from)

    def __str__(self) -> str:
        return write(self.steps)

    def __deepcopy__(self, memo: dict[int, object]) -> History[S, M, E]:
        """A history never changes, so it is its own copy."""
        return self

    def __iter__(self) -> Iterator[Step[S, M, E]]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)
