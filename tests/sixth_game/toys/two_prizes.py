"""Two Prizes: a card is drawn, both bid for it in secret; rules alone, with nature and secrets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import ClassVar

from number_duels.core.game import Chance, Decision, Game, Outcome, Seat


@dataclass(frozen=True)
class Bid:
    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class Prize:
    points: int

    def __str__(self) -> str:
        return f"p{self.points}"


@dataclass(frozen=True)
class State:
    prizes: tuple[Prize, ...]
    prize: Prize | None
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    points: tuple[int, int]


@dataclass(frozen=True)
class TwoPrizes(Game[State, Bid, Prize]):
    name: ClassVar[str] = "two-prizes"
    title: ClassVar[str] = "Two Prizes"
    summary: ClassVar[str] = "Bid one of your numbers, unseen, for each of two prizes."

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        return State((Prize(1), Prize(2)), None, ((1, 2, 3), (1, 2, 3)), (0, 0))

    def turn(self, state: State) -> Decision[Bid] | Chance[Prize] | Outcome:
        if state.prize:
            return Decision({seat: tuple(map(Bid, state.hands[seat])) for seat in Seat})
        if state.prizes:
            return Chance({prize: Fraction(1, len(state.prizes)) for prize in state.prizes})
        one, two = state.points
        if one == two:
            return Outcome(None, "The prizes are shared.")
        winner = Seat.ONE if one > two else Seat.TWO
        return Outcome(winner, f"{winner} won the better prizes.")

    def drawn(self, state: State, event: Prize) -> State:
        left = tuple(prize for prize in state.prizes if prize != event)
        return State(left, event, state.hands, state.points)

    def resolve(self, state: State, moves: Mapping[Seat, Bid]) -> State:
        assert state.prize
        one, two = moves[Seat.ONE].number, moves[Seat.TWO].number
        hands = (
            tuple(n for n in state.hands[Seat.ONE] if n != one),
            tuple(n for n in state.hands[Seat.TWO] if n != two),
        )
        prize = state.prize.points
        points = state.points[0] + prize * (one > two), state.points[1] + prize * (two > one)
        return State(state.prizes, None, hands, points)

    def key(self, state: State) -> Hashable:
        return state.prizes, state.prize, state.hands, state.points

    def parse(self, text: str) -> Bid:
        if text.strip() not in ("1", "2", "3"):
            raise ValueError("A bid is 1, 2 or 3.")
        return Bid(int(text))
