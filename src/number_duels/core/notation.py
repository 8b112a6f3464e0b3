"""A game as text: its turns, separated by spaces, each as short as it can be.

A turn is what nature drew, if anything, followed by what was decided; where both
choose at once the two moves are joined by a stroke.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from number_duels.core.game import Chance, Decision, E, Game, Hidden, M, Outcome, S, Seat
from number_duels.core.text import printable


@dataclass(frozen=True)
class Step(Generic[S, M, E]):
    """One change of state: moves, or (with none) an event of nature.

    >>> import number_duels as nd
    >>> match = nd.Match(nd.load("number-knot"), seed=7)
    >>> match.submit(nd.Seat.ONE, "S5")
    >>> [(step.text, step.before.life, step.after.life) for step in match.history]
    [('S5', (10, 10), (10, 5))]
    """

    #: The state before it.
    before: S
    #: Everybody's moves; none where nature moved.
    moves: Mapping[Seat, M]
    #: What nature brought; None where somebody moved.
    event: E | Hidden | None
    #: The state after it.
    after: S

    @classmethod
    def decided(cls, game: Game[S, M, E], state: S, moves: Mapping[Seat, M]) -> Step[S, M, E]:
        """The step that moves make, checked."""
        return cls(state, dict(sorted(moves.items())), None, game.play(state, moves))

    @classmethod
    def drawn(cls, game: Game[S, M, E], state: S, event: E) -> Step[S, M, E]:
        """The step that nature makes, checked."""
        return cls(state, {}, event, game.play(state, {None: event}))

    @cached_property
    def text(self) -> str:
        """What the step adds to the notation of its turn."""
        return "/".join(map(str, self.moves.values())) if self.moves else str(self.event)


def write(steps: Iterable[Step[S, M, E]]) -> str:
    """The turns of a game; a last card that is not placed stands alone."""
    turns = [""]
    for step in steps:
        turns[-1] += step.text
        if step.moves:
            turns.append("")
    return " ".join(turns).rstrip()


def read(game: Game[S, M, E], state: S, text: str) -> Iterator[Step[S, M, E]]:
    """The steps of a written game; a ValueError names the turn that cannot be played."""
    turns = text.split()
    for number, turn in enumerate(turns, start=1):
        try:
            for step in read_turn(game, state, turn, last=number == len(turns)):
                yield step
                state = step.after
        except ValueError as error:
            raise ValueError(f"turn {number} ({printable(turn)}): {error}") from None


def read_turn(game: Game[S, M, E], state: S, text: str, *, last: bool) -> Iterator[Step[S, M, E]]:
    """The steps of one turn."""
    while text:
        turn = game.turn(state)
        if isinstance(turn, Outcome):
            raise ValueError("the game was already over.")
        if isinstance(turn, Decision):
            yield Step.decided(game, state, read_moves(game, turn, text))
            return
        step = Step.drawn(game, state, read_event(turn, text))
        yield step
        state, text = step.after, text[len(step.text) :]
    if not last:
        raise ValueError("the move is missing.")


def read_moves(game: Game[S, M, E], turn: Decision[M], text: str) -> dict[Seat, M]:
    """The moves of everybody who decides."""
    parts = text.split("/")
    if len(parts) != len(turn.options):
        wanted = "1 move was" if len(turn.options) == 1 else "2 moves were"
        raise ValueError(f"{wanted} expected here; moves made at once are joined by a stroke (/).")
    return dict(zip(sorted(turn.options), map(game.parse, parts), strict=True))


def read_event(turn: Chance[E], text: str) -> E:
    """The event that a turn begins with: the longest that fits, so that 10 is not 1."""
    fitting = [event for event in turn.odds if text.startswith(str(event))]
    if not fitting:
        raise ValueError(f"it must begin with one of {', '.join(map(str, turn.odds))}.")
    return max(fitting, key=lambda event: len(str(event)))
