"""Each game a second time, written from its document alone and in another manner.

Moves are notation, seats are 0 and 1, and a game changes as it is played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter

Open = dict[int, set[str]]


class Table(ABC):
    """What a second implementation can be asked."""

    def deck(self) -> Counter[str]:
        """The cards that may be drawn now; none where a player is to move."""
        return Counter()

    def draw(self, card: str) -> None:
        """A card is drawn."""
        raise AssertionError("this game has no deck")

    @abstractmethod
    def open(self) -> Open:
        """What each seat that decides may do."""

    @abstractmethod
    def play(self, moves: dict[int, str]) -> None:
        """Everybody's moves."""

    @abstractmethod
    def result(self) -> str:
        """The result; `*` while it goes on."""

    @abstractmethod
    def figures(self) -> list[int]:
        """Scores, lives or totals, Player 1's first."""


def by(difference: int) -> str:
    """The result when the higher figure wins."""
    return "1-0" if difference > 0 else "0-1" if difference < 0 else "1/2-1/2"


class NumberBid(Table):
    """A pool that both bid from."""

    def __init__(self, numbers: int) -> None:
        self.pool = set(range(1, numbers + 1))
        self.points = [0, 0]

    def open(self) -> Open:
        return {0: set(map(str, self.pool)), 1: set(map(str, self.pool))}

    def play(self, moves: dict[int, str]) -> None:
        bids = int(moves[0]), int(moves[1])
        if bids[0] != bids[1]:
            self.points[bids.index(max(bids))] += sum(bids)
        self.pool -= set(bids)

    def result(self) -> str:
        return "*" if self.pool else by(self.points[0] - self.points[1])

    def figures(self) -> list[int]:
        return self.points


class HighLowBattle(Table):
    """Two hands, and ties that look back."""

    def __init__(self, cards: int, rounds: int, level: str) -> None:
        self.hands = [list(range(1, cards + 1)), list(range(1, cards + 1))]
        self.rounds, self.level = rounds, level
        self.points, self.played, self.due = [0, 0], 0, [0, 0]  # due: what a tie would earn

    def open(self) -> Open:
        return {seat: set(map(str, hand)) for seat, hand in enumerate(self.hands)}

    def play(self, moves: dict[int, str]) -> None:
        one, two = int(moves[0]), int(moves[1])
        self.hands[0].remove(one)
        self.hands[1].remove(two)
        self.played += 1
        if one == two:
            self.points = [self.points[0] + self.due[0], self.points[1] + self.due[1]]
        else:
            self.points[one < two] += 1
            self.due = [2, 0] if one < two else [0, 2]

    def result(self) -> str:
        level = self.points[0] == self.points[1]
        goes_on = self.level == "sudden-death" and self.hands[0]
        if self.played < self.rounds or (level and goes_on):
            return "*"
        return by(self.points[0] - self.points[1])

    def figures(self) -> list[int]:
        return self.points


class NumberStackShowdown(Table):
    """A deck, a card in hand and two totals."""

    def __init__(self, first: int, target: int, highest: int, copies: int, overflow: str) -> None:
        self.turn, self.target, self.overflow = first - 1, target, overflow
        self.cards = Counter({str(n): copies for n in range(1, highest + 1)})
        self.totals, self.hand = [0, 0], 0

    def deck(self) -> Counter[str]:
        return Counter() if self.hand else +self.cards

    def draw(self, card: str) -> None:
        self.cards[card] -= 1
        self.hand = int(card)

    def open(self) -> Open:
        own, other = self.totals[self.turn], self.totals[1 - self.turn]
        bad = {"k"} if own + self.hand > self.target else set()
        bad |= {"g"} if other + self.hand > self.target else set()
        if len(bad) == 2:
            return {self.turn: {"k"}}
        return {self.turn: {"k", "g"} - (bad if self.overflow == "forbidden" else set())}

    def play(self, moves: dict[int, str]) -> None:
        ((seat, move),) = moves.items()
        self.totals[seat if move == "k" else 1 - seat] += self.hand
        self.hand, self.turn = 0, 1 - self.turn

    def result(self) -> str:
        for seat, total in enumerate(self.totals):
            if total >= self.target:
                return ("1-0", "0-1")[seat if total == self.target else 1 - seat]
        return "*" if self.hand or +self.cards else "1/2-1/2"

    def figures(self) -> list[int]:
        return [*self.totals, self.cards.total()]


class NumberKnot(Table):
    """A line of numbers and two lives."""

    def __init__(self, first: int, life: int, numbers: int, exhausted: str) -> None:
        self.turn, self.lives, self.exhausted = first - 1, [life, life], exhausted
        self.line = list(range(1, numbers + 1))

    def open(self) -> Open:
        return {self.turn: {action + str(n) for n in self.line for action in ("A", "S")}}

    def play(self, moves: dict[int, str]) -> None:
        number = int(moves[self.turn][1:])
        self.line.remove(number)
        if moves[self.turn].startswith("A"):
            self.lives[self.turn] += number
        self.turn = 1 - self.turn
        if moves[1 - self.turn].startswith("S"):
            self.lives[self.turn] -= number

    def result(self) -> str:
        if min(self.lives) <= 0:
            return "0-1" if self.lives[0] <= 0 else "1-0"
        if self.line:
            return "*"
        return "1/2-1/2" if self.exhausted == "draw" else by(self.lives[0] - self.lives[1])

    def figures(self) -> list[int]:
        return self.lives


class NumberDrop(Table):
    """Two sets of numbers, and who moved last."""

    def __init__(self, first: int, side: int) -> None:
        self.turn = first - 1
        self.grids = [set(range(1, side * side + 1)), set(range(1, side * side + 1))]

    def open(self) -> Open:
        own = self.grids[self.turn]
        if len(own) == 1:
            return {self.turn: set(map(str, own))}
        return {self.turn: {f"{a}{sign}{b}" for a in own for b in own if b < a for sign in "+-"}}

    def play(self, moves: dict[int, str]) -> None:
        move = moves[self.turn]
        numbers = [int(n) for n in move.replace("-", "+").split("+")]
        hit = numbers[0] - numbers[1] if "-" in move else sum(numbers)
        self.grids[self.turn] -= set(numbers)
        self.turn = 1 - self.turn
        self.grids[self.turn].discard(hit)

    def result(self) -> str:
        if not self.grids[self.turn]:  # who just moved has emptied the other grid
            return ("0-1", "1-0")[self.turn]
        return "*" if self.grids[1 - self.turn] else ("1-0", "0-1")[self.turn]

    def figures(self) -> list[int]:
        return []
