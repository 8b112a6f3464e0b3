"""Players, which choose moves and see only what their own seat may see."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Protocol, cast

from number_duels.core.game import HIDDEN, AnyGame, E, M, S, Seat
from number_duels.core.match import Match
from number_duels.core.notation import Step, write
from number_duels.core.randomness import stream


@dataclass(frozen=True)
class Situation:
    """Everything that a player knows when it has to choose.

    >>> from number_duels import load
    >>> now = situation(Match(load("number-bid", numbers=3), seed=7), Seat.TWO)
    >>> now.seat, list(map(str, now.options)), now.history
    (Seat.TWO, ['1', '2', '3'], '')
    """

    #: The game being played.
    game: AnyGame
    #: The seat that chooses.
    seat: Seat
    #: The state as this seat may see it.
    view: Hashable
    #: The legal moves.
    options: tuple[Hashable, ...]
    #: Every step so far, as this seat may see it.
    steps: tuple[Step[Hashable, Hashable, Hashable], ...]
    #: This seat's random generator for this turn. It gives the same numbers in a resumed match.
    rng: Random

    @cached_property
    def history(self) -> str:
        """Return the game so far in notation, as this seat may see it."""
        return write(step for step in self.steps if step.moves or step.event is not HIDDEN)


class Player(Protocol):
    """A program that chooses the moves of a seat.

    >>> from number_duels import load
    >>> from number_duels.core.runner import play_match
    >>> class Highest:
    ...     def choose(self, situation):
    ...         return situation.options[-1]
    >>> match = Match(load("number-bid", numbers=4), seed=7)
    >>> play_match(match, {seat: Highest() for seat in Seat}).result
    '1/2-1/2'
    """

    def choose(self, situation: Situation) -> Hashable:
        """Return one of the situation's options."""


class Forfeit(Exception):
    """Raised if a player cannot continue. `kind` is one word, and `reason` is a sentence.

    >>> Forfeit("timeout", "It did not answer in 10 seconds.").reason
    'It did not answer in 10 seconds.'
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind = kind
        self.reason = reason


class Outage(Exception):
    """Raised if a player cannot be reached through no fault of its own. The game does not count.

    >>> Outage("the endpoint does not answer").reason
    'the endpoint does not answer'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


AnyMatch = Match[Hashable, Hashable, Hashable]


def own_seed(match: Match[S, M, E], seat: Seat) -> int:
    """Return a seed for a seat's player. It reveals nothing about the match's seed."""
    return stream(match.seed, "own", int(seat)).getrandbits(48)


def situation(match: Match[S, M, E], seat: Seat) -> Situation:
    # After a takeback the same random numbers would make the same choice.
    again = (match.takebacks,) if match.takebacks else ()
    rng = stream(match.seed, "seat", int(seat), match.turn_number, *again)
    asked = cast("AnyMatch", match)
    view, options, steps = asked.view(seat), asked.options(seat), asked.steps(seat)
    return Situation(asked.game, seat, view, options, steps, rng)
