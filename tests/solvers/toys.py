"""Games that are small enough to solve by hand, and some that cannot be solved."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import ClassVar

from number_duels.core.game import Chance, Decision, Game, Outcome, Seat


@dataclass(frozen=True)
class Toy(Game[str, str, str]):
    """A game without words: its states are texts, and it begins with an empty one."""

    title: ClassVar[str] = "Toy"
    name: ClassVar[str] = "toy"
    summary: ClassVar[str] = "Nothing to think about."

    def start(self, rng: Random | None = None, deal: str | None = None) -> str:
        return ""

    def resolve(self, state: str, moves: Mapping[Seat, str]) -> str:
        return state + "".join(moves.values())

    def drawn(self, state: str, event: str) -> str:
        return state + event

    def key(self, state: str) -> Hashable:
        return state

    def parse(self, text: str) -> str:
        return text


@dataclass(frozen=True)
class RockPaperScissors(Toy):
    """One round; a draw if both choose the same."""

    def turn(self, state: str) -> Decision[str] | Outcome:
        if not state:
            return Decision({Seat.ONE: ("r", "p", "s"), Seat.TWO: ("r", "p", "s")})
        wins = {"rs": Seat.ONE, "pr": Seat.ONE, "sp": Seat.ONE}
        losses = {pair[::-1]: Seat.TWO for pair in wins}
        return Outcome({**wins, **losses}.get(state), "")


@dataclass(frozen=True)
class CoinFlip(Toy):
    """Player 2 may stop for a draw, or flip a coin that Player 1 wins two times in three."""

    def turn(self, state: str) -> Decision[str] | Chance[str] | Outcome:
        if not state:
            return Decision({Seat.TWO: ("flip", "stop")})
        if state == "flip":
            return Chance({"H": Fraction(2, 3), "T": Fraction(1, 3)})
        winner = {"flipH": Seat.ONE, "flipT": Seat.TWO}.get(state)
        return Outcome(winner, "")


@dataclass(frozen=True)
class Trap(Toy):
    """Player 1 wins however it moves; after `b` most replies lose even that of Player 2.

    After `a` Player 2 has two ways to a draw and one to a loss; after `b` one
    way to a draw and two to a loss; `c` draws at once.
    """

    def turn(self, state: str) -> Decision[str] | Outcome:
        if not state:
            return Decision({Seat.ONE: ("a", "b", "c")})
        if state in ("a", "b"):
            return Decision({Seat.TWO: ("1", "2", "3")})
        return Outcome(None if state in ("a1", "a2", "b1", "c") else Seat.ONE, "")


@dataclass(frozen=True)
class Finish(Toy):
    """Whoever decides can end it at once or go on to the same end."""

    winner: ClassVar[Seat]

    def turn(self, state: str) -> Decision[str] | Outcome:
        if state in ("", "on"):
            return Decision({Seat(len(state) // 2): ("on", "end")})
        return Outcome(self.winner, "")


@dataclass(frozen=True)
class WonAnyway(Finish):
    """Player 1 wins."""

    winner = Seat.ONE


@dataclass(frozen=True)
class LostAnyway(Finish):
    """Player 1 loses."""

    winner = Seat.TWO


@dataclass(frozen=True)
class RoundAndRound(Toy):
    """The same two positions follow each other without end."""

    def turn(self, state: str) -> Decision[str]:
        return Decision({Seat.ONE: ("x",)})

    def key(self, state: str) -> Hashable:
        return len(state) % 2


@dataclass(frozen=True)
class Long(Toy):
    """A chain of turns that is far longer than Python's stack is deep, or endless."""

    turns: ClassVar[int | None] = 5000

    def turn(self, state: str) -> Decision[str] | Outcome:
        if len(state) == self.turns:
            return Outcome(Seat.TWO, "")
        return Decision({Seat.ONE: ("x",)})

    def key(self, state: str) -> Hashable:
        return len(state)


@dataclass(frozen=True)
class Endless(Long):
    """A chain of turns that never ends, nor repeats."""

    turns = None


@dataclass(frozen=True)
class Blind(Toy):
    """Player 2 guesses a coin that it cannot see."""

    def turn(self, state: str) -> Decision[str] | Chance[str] | Outcome:
        if not state:
            return Chance({"H": Fraction(1, 2), "T": Fraction(1, 2)})
        if len(state) == 1:
            return Decision({Seat.TWO: ("H", "T")})
        return Outcome(Seat.TWO if state[0] == state[1] else Seat.ONE, "")

    def view(self, state: str, viewer: Seat | None) -> str:
        return state if len(state) != 1 or viewer is Seat.ONE else "?"
