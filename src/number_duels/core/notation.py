"""The notation of games: turns separated by spaces.

A turn is the drawn card, if any, and then the move. A slash joins two secret moves.
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
    """One change of state, caused by moves or by a chance event.

    >>> import number_duels as nd
    >>> match = nd.Match(nd.load("number-knot"), seed=7)
    >>> match.submit(nd.Seat.ONE, "S5")
    >>> [(step.text, step.before.life, step.after.life) for step in match.history]
    [('S5', (10, 10), (10, 5))]
    """

    #: The state before the step.
    before: S
    #: The move of each seat that decided, or empty for a chance event.
    moves: Mapping[Seat, M]
    #: The chance event, or None for moves.
    event: E | Hidden | None
    #: The state after the step.
    after: S

    @classmethod
    def decided(cls, game: Game[S, M, E], state: S, moves: Mapping[Seat, M]) -> Step[S, M, E]:
        """Return the step that these moves cause. Raise IllegalMove if they are not legal."""
        return cls(state, dict(sorted(moves.items())), None, game.play(state, moves))

    @classmethod
    def drawn(cls, game: Game[S, M, E], state: S, event: E) -> Step[S, M, E]:
        """Return the step that a chance event causes. Raise IllegalMove if it is impossible."""
        return cls(state, {}, event, game.play(state, {None: event}))

    @cached_property
    def text(self) -> str:
        """Return the moves or the drawn card in notation."""
        return "/".join(map(str, self.moves.values())) if self.moves else str(self.event)


def write(steps: Iterable[Step[S, M, E]]) -> str:
    turns = [""]
    for step in steps:
        turns[-1] += step.text
        if step.moves:
            turns.append("")
    return " ".join(turns).rstrip()


def read(game: Game[S, M, E], state: S, text: str) -> Iterator[Step[S, M, E]]:
    turns = text.split()
    for number, turn in enumerate(turns, start=1):
        try:
            for step in read_turn(game, state, turn, last=number == len(turns)):
                yield step
                state = step.after
        except ValueError as error:
            raise ValueError(f"turn {number} ({printable(turn)}): {error}") from None


def read_turn(game: Game[S, M, E], state: S, text: str, *, last: bool) -> Iterator[Step[S, M, E]]:
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
    parts = text.split("/")
    if len(parts) != len(turn.options):
        wanted = "1 move was" if len(turn.options) == 1 else "2 moves were"
        raise ValueError(f"{wanted} expected here; write a slash (/) between two moves.")
    return dict(zip(sorted(turn.options), map(game.parse, parts), strict=True))


def read_event(turn: Chance[E], text: str) -> E:
    fitting = [event for event in turn.odds if text.startswith(str(event))]
    if not fitting:
        raise ValueError(f"it must begin with one of {', '.join(map(str, turn.odds))}.")
    return max(fitting, key=lambda event: len(str(event)))
