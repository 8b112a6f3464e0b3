"""The history of a game: its steps and its outcome, as each viewer may see them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
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
from number_duels.core.turn import check_viewer

CONCEDED = re.compile(r"Player ([12]) (resigned\.|forfeits: .+)", re.DOTALL)
BOTH_FORFEITED = re.compile(r"Player 1 (forfeits: .+) Player 2 (forfeits: .+)", re.DOTALL)


@dataclass(frozen=True)
class History(Generic[S, M, E]):
    """Every step of a game since its start, and the concession if a seat gave up.

    >>> from number_duels import Seat, load
    >>> game = load("number-stack-showdown")
    >>> history = History.read(game, game.start(), "7k 10")
    >>> history.moves(Seat.TWO), history.moves(Seat.ONE)
    ('7k 10', '7k')
    """

    #: The game being played.
    game: Game[S, M, E]
    #: The first state.
    start: S
    #: Every change of state, oldest first.
    steps: tuple[Step[S, M, E], ...] = ()
    #: The outcome if a seat gave up, otherwise None.
    concession: Outcome | None = None

    @classmethod
    def read(cls, game: Game[S, M, E], start: S, text: str) -> History[S, M, E]:
        """Read a history from notation. Raise ValueError if a turn is not valid."""
        return cls(game, start, tuple(read(game, start, text)))

    @property
    def state(self) -> S:
        """Return the state after all steps, with nothing hidden."""
        return self.steps[-1].after if self.steps else self.start

    @cached_property
    def turn(self) -> Decision[M] | Chance[E] | Outcome:
        """Return the next decision, the next chance event, or the outcome."""
        return self.concession or self.game.turn(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome, including a concession, or None while the game goes on."""
        return self.turn if isinstance(self.turn, Outcome) else None

    @property
    def turn_number(self) -> int:
        """Return the number of the current turn, counted from 1."""
        return 1 + sum(1 for step in self.steps if step.moves)

    @property
    def draws(self) -> int:
        """Return how many cards have been drawn."""
        return sum(1 for step in self.steps if not step.moves)

    @property
    def last_moves(self) -> Mapping[Seat, M]:
        """Return the moves of the last complete turn."""
        return next((step.moves for step in reversed(self.steps) if step.moves), {})

    @property
    def _whole(self) -> int:
        return max((n for n, step in enumerate(self.steps, 1) if step.moves), default=0)

    def decided(self, moves: Mapping[Seat, M]) -> History[S, M, E]:
        """Return a new history with these moves added. Raise IllegalMove if they are not legal."""
        self._check_open()
        return self._with(Step.decided(self.game, self.state, moves))

    def resolved(self, moves: Mapping[Seat, M]) -> History[S, M, E]:
        """Return a new history with these moves added, without checking that they are legal."""
        after = self.game.resolve(self.state, moves)
        ordered = dict(sorted(moves.items())) if len(moves) > 1 else moves
        return self._with(Step(self.state, ordered, None, after))

    def drawn(self, event: E) -> History[S, M, E]:
        """Return a new history with a chance event added. Raise IllegalMove if it is impossible."""
        self._check_open()
        return self._with(Step.drawn(self.game, self.state, event))

    def sampled(self, event: E) -> History[S, M, E]:
        """Return a new history with a chance event added, without checking that it is possible."""
        return self._with(Step(self.state, {}, event, self.game.drawn(self.state, event)))

    def conceded(self, seat: Seat, how: str) -> History[S, M, E]:
        """Return a new history with a concession: `how` is "resigned." or "forfeits: REASON"."""
        self._check_open()
        if not CONCEDED.match(f"{seat} {how}"):
            raise ValueError("The reason must be `resigned.`, or start with `forfeits: `.")
        return replace(self, concession=Outcome(seat.other, f"{seat} {how}"))

    def both_conceded(self, one: str, two: str) -> History[S, M, E]:
        """Return a new history that ends with a draw, because both seats forfeited at once.

        `one` and `two` are "forfeits: REASON".
        """
        self._check_open()
        reason = f"{Seat.ONE} {one} {Seat.TWO} {two}"
        if not isinstance(self.turn, Decision) or len(self.turn.options) < 2:
            raise IllegalMove("Both seats can forfeit at once only when both are to choose.")
        if not BOTH_FORFEITED.match(reason):
            raise ValueError("Both reasons must start with `forfeits: `.")
        return replace(self, concession=Outcome(None, reason))

    def undone(self) -> History[S, M, E]:
        """Return a new history without the last complete turn. A concession counts as a turn."""
        if self.concession:
            return replace(self, concession=None)
        before = replace(self, steps=self.steps[: max(0, self._whole - 1)])
        return replace(before, steps=before.steps[: before._whole])

    def _with(self, step: Step[S, M, E]) -> History[S, M, E]:
        return History(self.game, self.start, (*self.steps, step), self.concession)

    def _check_open(self) -> None:
        if self.outcome:
            raise IllegalMove("The game is over.")

    def view(self, viewer: Seat | None) -> S:
        """Return the state as a seat may see it. For a spectator, `viewer` is None."""
        check_viewer(viewer)
        return self.game.view(self.state, viewer)

    def hides_nothing_from(self, viewer: Seat | None) -> bool:
        """Return whether a viewer sees the whole state."""
        check_viewer(viewer)
        state = self.state
        view = self.game.view(state, viewer)
        return view is state or view == state  # `is` is fast, and usually enough

    def _secret_from(self, viewer: Seat | None) -> int:
        """Return the index of the first step whose card is hidden from a viewer."""
        return len(self.steps) if self.hides_nothing_from(viewer) else self._whole

    def seen(self, viewer: Seat | None) -> tuple[Step[S, M, E], ...]:
        """Return the steps as a viewer may see them, with `HIDDEN` in place of hidden cards."""
        check_viewer(viewer)
        if type(self.game).view is Game.view:  # the game hides nothing
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
        return {}

    def _seen_step(
        self, step: Step[S, M, E], viewer: Seat | None, *, secret: bool
    ) -> Step[S, M, E]:
        before, after = (self.game.view(state, viewer) for state in (step.before, step.after))
        if not secret and before is step.before and after is step.after:
            return step  # most steps hide nothing
        return Step(before, step.moves, HIDDEN if secret else step.event, after)

    def moves(self, viewer: Seat | None) -> str:
        """Return the game in notation, without the cards that are hidden from the viewer."""
        secret_from = self._secret_from(viewer)
        return write(step for n, step in enumerate(self.steps) if step.moves or n < secret_from)

    def __str__(self) -> str:
        return write(self.steps)

    def __deepcopy__(self, memo: dict[int, object]) -> History[S, M, E]:
        return self

    def __iter__(self) -> Iterator[Step[S, M, E]]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)


AnyHistory = History[Hashable, Hashable, Hashable]
