"""Take Away: a game of rules alone. Take one or two counters; whoever takes the last one wins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Never

from number_duels.core.game import Decision, Game, Outcome, Seat


@dataclass(frozen=True)
class Take:
    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class State:
    counters: int
    mover: Seat


@dataclass(frozen=True)
class TakeAway(Game[State, Take, Never]):
    name: ClassVar[str] = "take-away"
    title: ClassVar[str] = "Take Away"
    summary: ClassVar[str] = "Take one or two of five counters; whoever takes the last one wins."

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        return State(5, Seat.ONE)

    def turn(self, state: State) -> Decision[Take] | Outcome:
        if not state.counters:
            return Outcome(state.mover.other, f"{state.mover.other} took the last counter.")
        return Decision({state.mover: tuple(map(Take, range(1, min(2, state.counters) + 1)))})

    def resolve(self, state: State, moves: Mapping[Seat, Take]) -> State:
        return State(state.counters - moves[state.mover].number, state.mover.other)

    def key(self, state: State) -> Hashable:
        return state.counters, state.mover

    def parse(self, text: str) -> Take:
        if text.strip() not in ("1", "2"):
            raise ValueError("Take 1 or 2.")
        return Take(int(text))
