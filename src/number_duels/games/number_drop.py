"""Number Drop: combine two of your numbers to strike one off the opponent's grid."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import ClassVar, Never, TypeAlias

from number_duels.core.board import Grid, Part, Place
from number_duels.core.defaults import conclusion, ending
from number_duels.core.game import Decision, Feature, Game, Outcome, Seat, presence
from number_duels.core.questions import Answer, Question
from number_duels.core.settings import who_is_first, within
from number_duels.core.text import (
    BoardLine,
    Heading,
    Paragraph,
    Section,
    at_keyboard,
    bullets,
    number,
    numbered,
)

#: Cells in reading order. A removed number is None.
Cells: TypeAlias = tuple[int | None, ...]
GRID = "Grid"


class Operation(StrEnum):
    ADD = "+"
    SUBTRACT = "-"

    def __repr__(self) -> str:
        return f"Operation.{self.name}"


@dataclass(frozen=True, slots=True)
class Attack:
    """A move: the sum or difference of two of the player's numbers, or the last number."""

    larger: int
    operation: Operation | None = None
    smaller: int = 0

    @property
    def result(self) -> int:
        return (
            self.larger - self.smaller
            if self.operation == Operation.SUBTRACT
            else self.larger + self.smaller
        )

    def __str__(self) -> str:
        return (
            f"{self.larger}{self.operation}{self.smaller}" if self.operation else str(self.larger)
        )


@dataclass(frozen=True, slots=True)
class State:
    grids: tuple[Cells, Cells]
    mover: Seat

    def left(self, seat: Seat) -> list[int]:
        return sorted(n for n in self.grids[seat] if n is not None)

    @property
    def may_end(self) -> bool:
        own, their = (len(cells) - cells.count(None) for cells in self.grids)
        return min(own, their) <= 2


@dataclass(frozen=True)
class NumberDrop(Game[State, Attack, Never]):
    """Number Drop: combine two of your numbers to strike one off the opponent's grid.

    >>> game = NumberDrop(side=2)
    >>> game.play(game.start(), {Seat.ONE: game.parse("1 + 2")})
    State(grids=((None, None, 3, 4), (1, 2, None, 4)), mover=Seat.TWO)
    """

    name: ClassVar[str] = "number-drop"
    title: ClassVar[str] = "Number Drop"
    summary: ClassVar[str] = "Use up two numbers to strike their sum or difference."
    end_prompt: ClassVar[str] = "Press Enter to end your turn."

    first: int = who_is_first()
    side: int = within(1, 5, default=3, meaning="the number of rows and columns of a grid")

    # ---- rules ---------------------------------------------------------------

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        """Return two full grids: given by `deal`, shuffled by `rng`, or in ascending order."""
        numbers = list(range(1, self.side**2 + 1))
        if deal is not None:
            grids = self.read_deal(deal, numbers)
        elif rng is not None:
            grids = (
                tuple(rng.sample(numbers, len(numbers))),
                tuple(rng.sample(numbers, len(numbers))),
            )
        else:
            grids = tuple(numbers), tuple(numbers)
        return State(grids, Seat(self.first - 1))

    def turn(self, state: State) -> Decision[Attack] | Outcome:
        one, two = state.left(Seat.ONE), state.left(Seat.TWO)
        if not one and not two:
            winner = state.mover.other
            return Outcome(winner, f"Both grids are empty, and it was {winner}'s turn.")
        for seat in Seat:
            if not (one, two)[seat]:
                return Outcome(seat.other, f"{seat} has no numbers left.")
        return Decision({state.mover: attacks(tuple((one, two)[state.mover]))})

    def resolve(self, state: State, moves: Mapping[Seat, Attack]) -> State:
        attack = moves[state.mover]
        own = without(state.grids[state.mover], attack.larger, attack.smaller)
        their = without(state.grids[state.mover.other], attack.result)
        grids = (own, their) if state.mover is Seat.ONE else (their, own)
        return State(grids, state.mover.other)

    def key(self, state: State) -> Hashable:
        """Return the numbers left on each grid, in ascending order, and the mover."""
        return tuple(state.left(Seat.ONE)), tuple(state.left(Seat.TWO)), state.mover

    # ---- notation ------------------------------------------------------------

    def parse(self, text: str) -> Attack:
        """Read two numbers in either order with + or - between them, or a single number."""
        said = text.strip()
        pair = re.fullmatch(r"([0-9]{1,4}) *([+-]) *([0-9]{1,4})", said)
        if pair:
            one, two = int(pair[1]), int(pair[3])
            return Attack(max(one, two), Operation(pair[2]), min(one, two))
        value = number(said)
        if value is None:
            raise ValueError(
                "A move is two numbers with + or - between them, such as 8-3, or your last number."
            )
        return Attack(value)

    def deal_text(self, state: State) -> str:
        join = "" if self.side <= 3 else ","
        return " ".join(join.join(map(str, grid)) for grid in state.grids)

    def read_deal(self, deal: str, numbers: list[int]) -> tuple[Cells, Cells]:
        """Read both grids from a deal. Numbers are single digits, or separated by commas."""
        grids = [
            re.findall("[0-9]{1,4}" if "," in grid else "[0-9]", grid) for grid in deal.split()
        ]
        found = [tuple(map(int, grid)) for grid in grids]
        written = [grid.replace(",", "") for grid in deal.split()]
        whole = ["".join(grid) for grid in grids] == written
        if not whole or len(found) != 2 or any(sorted(grid) != numbers for grid in found):
            example = self.deal_text(State((tuple(numbers), tuple(numbers)), Seat.ONE))
            raise ValueError(
                f"A deal is two grids, each with every number from 1 to {numbers[-1]} once,"
                f" such as {example}."
            )
        return found[0], found[1]

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[Attack, ...]:
        numbers = tuple(range(1, self.side**2 + 1))
        alone = tuple(map(Attack, numbers))
        return alone if self.side == 1 else attacks(numbers) + alone

    @property
    def most_turns(self) -> int:
        return 2 * ((self.side**2 + 1) // 2)

    def features(self, view: State, seat: Seat) -> tuple[Feature, ...]:
        numbers = range(1, self.side**2 + 1)
        return (
            presence("own numbers", numbers, view.left(seat)),
            presence("other's numbers", numbers, view.left(seat.other)),
            Feature("own turn", (int(view.mover is seat),), 0, 1),
        )

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        return "For example, 3 and 6 strike their 9 (3 + 6) or 3 (6 - 3). Empty their grid."

    def opening(self, view: State) -> Iterator[str]:
        """Yield nothing, because the text begins with the first turn."""
        yield from ()

    def announce(self, view: State, viewer: Seat | None) -> Iterator[str]:
        mover = view.mover
        yield Heading(f"{mover}'s Turn")
        yield ""
        yield BoardLine("Your Grid:" if viewer is mover else f"{mover}'s Grid:")
        yield from self.drawing(view, mover)
        yield ""
        yield BoardLine("Opponent's Grid:" if viewer is mover else f"{mover.other}'s Grid:")
        yield from self.drawing(view, mover.other)
        yield ""

    def drawing(self, view: State, seat: Seat) -> Iterator[str]:
        """Yield the lines that show a seat's grid, with each number in brackets."""
        width = len(str(self.side**2))
        for row in self.rows(view, seat):
            yield BoardLine("".join(f"[{'' if n is None else n:>{width}}]" for n in row))

    def rows(self, view: State, seat: Seat) -> tuple[Cells, ...]:
        """Return the rows of a seat's grid."""
        cells = view.grids[seat]
        return tuple(cells[n : n + self.side] for n in range(0, len(cells), self.side))

    def question(self, view: State, seat: Seat) -> Question[Attack]:
        """Ask for two numbers and then an operation, or for the only number that is left."""
        own = view.left(seat)
        if len(own) == 1:
            last = Answer(str(own[0]), f"Play {own[0]}", Attack(own[0]))
            prompt = "Select your last number"
            return Question(prompt, (last,), at_keyboard=f"{prompt}:\n> ")

        operations = {pair: operation(*pair, seat) for pair in combinations(own, 2)}

        def second(a: int) -> Question[Attack]:
            others = tuple(
                Answer[Attack](str(b), str(b), operations[min(a, b), max(a, b)])
                for b in own
                if b != a
            )
            prompt = "Select your second number"
            return Question(prompt, others, at_keyboard=f"\n{prompt}:\n> ")

        numbers = tuple(Answer[Attack](str(a), str(a), second(a)) for a in own)
        prompt, form = "Select your first number", "two numbers with + or - between them"
        return Question(prompt, numbers, at_keyboard=f"{prompt}:\n> ", form=form)

    def consequence(self, view: State, seat: Seat, move: Attack) -> str:
        struck = move.result in view.grids[seat.other]
        hit = f"strikes {move.result}" if struck else "strikes nothing"
        result = f"{move.larger} {move.operation} {move.smaller} = {move.result}"
        used = f"{hit}, uses up {move.larger} and {move.smaller}"
        found = [result, used] if move.operation else [hit]
        # Checking every attack for the end would take longer than everything else.
        if view.may_end:
            found.append(ending(self, self.resolve(view, {seat: move}), seat))
        return ": ".join(filter(None, found))

    def tell(
        self, before: State, moves: Mapping[Seat, Attack], after: State, viewer: Seat | None
    ) -> Iterator[str]:
        mover, attack = before.mover, moves[before.mover]
        mine = "your grid" if viewer is mover else f"{mover}'s grid"
        theirs = "opponent's grid" if viewer is mover else f"{mover.other}'s grid"
        yield ""
        if attack.operation:
            terms = f"{attack.larger} {attack.operation} {attack.smaller}"
            yield f"Calculating: {terms} = {attack.result}"
        else:
            yield f"Calculating: only {attack.larger} is left, so the result is {attack.result}"
        yield ""
        yield f"Attempting to eliminate number {attack.result} from {theirs}..."
        yield ""
        yield Heading("Result:")
        if attack.result in before.grids[mover.other]:
            yield f"- Number {attack.result} is eliminated from {theirs}."
        else:
            yield f"- Number {attack.result} is not on {theirs}."
        if attack.operation:
            yield f"- Removed numbers {attack.smaller} and {attack.larger} from {mine}."
        else:
            yield f"- Removed number {attack.larger} from {mine}."
        yield ""
        turn = self.turn(after)
        if isinstance(turn, Outcome):
            yield turn.reason
            yield f"{turn.winner} wins the game!"

    def sum_up(self, before: State, moves: Mapping[Seat, Attack], after: State) -> str:
        ((seat, attack),) = moves.items()
        struck = attack.result if attack.result in before.grids[seat.other] else "nothing"
        terms = f"{attack.larger} {attack.operation} {attack.smaller}" if attack.operation else ""
        how = conclusion(self, after, seat)
        return f"{seat} strikes {struck} with {terms or attack.larger}{how}."

    def board(self, view: State) -> tuple[Part, ...]:
        return tuple(Grid(GRID, seat, self.rows(view, seat)) for seat in Seat)

    def rule_sections(self) -> tuple[Section, ...]:
        goal = Paragraph(
            f"Each player has a grid with the numbers 1 to {self.side**2}. Empty your opponent's"
            " grid. Both players see both grids."
        )
        a_turn = numbered(
            "Select two numbers from your own grid.",
            "Add them, or subtract the smaller from the larger.",
            "If the result is on your opponent's grid, it is struck off.",
            "Either way, your two numbers are gone, and the turn passes.",
        )
        last = Paragraph(
            "If you have only one number left, you play it alone, and the result is that number."
        )
        rulings = bullets(
            "After every turn, a player with no numbers left has lost, no matter whose turn it was."
            " You lose if you use up your own last numbers without emptying the other grid.",
            "If both grids are empty, the player whose turn it was wins.",
            "Nobody ever has to pass, because a player with no numbers left has already lost.",
            "Where a number lies in the grid does not matter.",
        )
        return (
            Section("", (goal,)),
            Section("A TURN", (a_turn, last)),
            Section("RULINGS", (rulings,)),
            at_keyboard(
                "Type a number, a second number, then add or subtract; or all at once, such as 8-3"
                " or 7+5."
            ),
        )


@lru_cache(maxsize=4096)  # the same numbers recur
def attacks(own: tuple[int, ...]) -> tuple[Attack, ...]:
    if len(own) == 1:
        return (Attack(own[0]),)
    pairs = combinations(own, 2)
    return tuple(Attack(b, operation, a) for a, b in pairs for operation in Operation)


def operation(smaller: int, larger: int, seat: Seat) -> Question[Attack]:
    add = combining(larger, Operation.ADD, smaller, seat, "add", "a")
    subtract = combining(larger, Operation.SUBTRACT, smaller, seat, "subtract", "s", "sub")
    typed = "\nChoose operation (add/subtract):\n> "
    return Question("Choose operation", (add, subtract), at_keyboard=typed)


def combining(
    larger: int, sign: Operation, smaller: int, seat: Seat, word: str, *also: str
) -> Answer[Attack]:
    attack = Attack(larger, sign, smaller)
    label = f"{word.capitalize()}: {larger} {sign} {smaller} = {attack.result}"
    return Answer(word, label, attack, (*also, sign), (Place(GRID, seat.other, attack.result),))


def without(cells: Cells, *numbers: int) -> Cells:
    return tuple(None if n in numbers else n for n in cells)
