"""Number Knot: add a number to your life, or subtract it from the opponent's."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from random import Random
from typing import ClassVar, Never

from number_duels.core.board import Meter, Numbers, Part, Place
from number_duels.core.defaults import conclusion, ending
from number_duels.core.game import Decision, Feature, Game, Outcome, Seat, no_deal, presence
from number_duels.core.questions import Answer, Question
from number_duels.core.settings import one_of, who_is_first, within
from number_duels.core.text import (
    BoardLine,
    Heading,
    Paragraph,
    Prose,
    Section,
    SettingValue,
    at_keyboard,
    bullets,
    numbered,
    prose,
)

LIFE = "Life Total"


class Action(StrEnum):
    ADD = "A"
    SUBTRACT = "S"

    def __repr__(self) -> str:
        return f"Action.{self.name}"


@dataclass(frozen=True, slots=True)
class Pull:
    action: Action
    number: int

    def __str__(self) -> str:
        return f"{self.action}{self.number}"


@dataclass(frozen=True, slots=True)
class State:
    line: tuple[int, ...]
    life: tuple[int, int]
    mover: Seat


@dataclass(frozen=True)
class NumberKnot(Game[State, Pull, Never]):
    """Number Knot: add a number to your life, or subtract it from the opponent's.

    >>> game = NumberKnot(numbers=3)
    >>> game.play(game.start(), {Seat.ONE: Pull(Action.SUBTRACT, 2)})
    State(line=(1, 3), life=(10, 8), mover=Seat.TWO)
    """

    name: ClassVar[str] = "number-knot"
    title: ClassVar[str] = "Number Knot"
    summary: ClassVar[str] = "Add a number to your life or subtract it from theirs."

    first: int = who_is_first()
    life: int = within(1, 99, default=10, meaning="the life total that both start with")
    numbers: int = within(1, 15, default=9, meaning="the highest number; the lowest is 1")
    exhausted: str = one_of(
        "draw",
        "higher-life",
        meaning="the result when all numbers are used and both players are alive",
        label="all used up",
        words=("a draw", "the higher life wins"),
    )

    # ---- rules ---------------------------------------------------------------

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        no_deal(self.title, deal)
        line = tuple(range(1, self.numbers + 1))
        return State(line, (self.life, self.life), Seat(self.first - 1))

    def turn(self, state: State) -> Decision[Pull] | Outcome:
        for seat in (Seat.ONE, Seat.TWO):
            if state.life[seat] <= 0:
                return Outcome(seat.other, f"{seat}'s life total has reached zero or below.")
        if not state.line:
            return self.exhaustion(state)
        return Decision({state.mover: pulls(state.line)})

    def exhaustion(self, state: State) -> Outcome:
        """Return the outcome when all numbers are used and both players are alive."""
        one, two = state.life
        if self.exhausted == "draw" or one == two:
            return Outcome(None, "No numbers are left and both players are alive.")
        winner = Seat.ONE if one > two else Seat.TWO
        return Outcome(winner, f"No numbers are left and {winner} has the higher life total.")

    def resolve(self, state: State, moves: Mapping[Seat, Pull]) -> State:
        pull = moves[state.mover]
        one, two = state.life
        change = pull.number if pull.action == Action.ADD else -pull.number
        target = state.mover if pull.action == Action.ADD else state.mover.other
        life = (one + change, two) if target is Seat.ONE else (one, two + change)
        return State(tuple(n for n in state.line if n != pull.number), life, state.mover.other)

    def key(self, state: State) -> Hashable:
        return state.line, state.life, state.mover

    def parse(self, text: str) -> Pull:
        """Read an action and a number in either order, such as `S5`, `add 3` or `5 s`."""
        said = text.strip().casefold()
        word, digits = r"(a|add|s|sub|subtract)", r"([0-9]{1,4})"
        found = re.fullmatch(rf"{word} ?{digits}", said)
        back = re.fullmatch(rf"{digits} ?{word}", said)
        if found:
            return Pull(Action(found[1][0].upper()), int(found[2]))
        if back:
            return Pull(Action(back[2][0].upper()), int(back[1]))
        raise ValueError("A move is A or S and a number, such as S5 or A3.")

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[Pull, ...]:
        return pulls(tuple(range(1, self.numbers + 1)))

    @property
    def most_turns(self) -> int:
        return self.numbers

    def features(self, view: State, seat: Seat) -> tuple[Feature, ...]:
        everything = sum(range(1, self.numbers + 1))
        low, high = self.life - everything, self.life + everything
        return (
            presence("number line", range(1, self.numbers + 1), view.line),
            Feature("own life", (view.life[seat],), low, high),
            Feature("other's life", (view.life[seat.other],), low, high),
            Feature("own turn", (int(view.mover is seat),), 0, 1),
        )

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        return "Add a number to your life, or subtract it from theirs. At 0 life you lose."

    def opening(self, view: State) -> Iterator[str]:
        yield from standing(view)
        yield available(view)
        yield ""

    def announce(self, view: State, viewer: Seat | None) -> Iterator[str]:
        yield Heading(f"{view.mover}'s Turn:")

    def question(self, view: State, seat: Seat) -> Question[Pull]:
        prompt = "Add it to your life, or subtract it from theirs?"
        action_typed = (
            "Choose action - Add to own life total (A) or Subtract from opponent's life total (S): "
        )
        own, theirs = (Place(LIFE, seat),), (Place(LIFE, seat.other),)

        def action(n: int) -> Question[Pull]:
            add = Answer("A", f"Add {n}", Pull(Action.ADD, n), ("add",), own)
            sub = Answer(
                "S", f"Subtract {n}", Pull(Action.SUBTRACT, n), ("sub", "subtract"), theirs
            )
            return Question(prompt, (add, sub), at_keyboard=action_typed)

        numbers = tuple(Answer[Pull](str(n), str(n), action(n)) for n in view.line)
        typed = "Select a number from the available numbers: "
        return Question(
            "Select a number",
            numbers,
            at_keyboard=typed,
            form="a number, then A to add or S to subtract",
        )

    def consequence(self, view: State, seat: Seat, move: Pull) -> str:
        after = self.resolve(view, {seat: move})
        whose = seat if move.action == Action.ADD else seat.other
        pronoun = "your" if whose is seat else "their"
        change = f"{pronoun} life {view.life[whose]} → {after.life[whose]}"
        return ": ".join(filter(None, (change, ending(self, after, seat))))

    def tell(
        self, before: State, moves: Mapping[Seat, Pull], after: State, viewer: Seat | None
    ) -> Iterator[str]:
        seat, pull = before.mover, moves[before.mover]
        yield ""
        if pull.action == Action.ADD:
            yield f"{seat} adds {pull.number} to their own life total."
        else:
            yield f"{seat} subtracts {pull.number} from {seat.other}."
        yield ""
        yield Heading("Updated Life Totals:")
        yield from standing(after)
        turn = self.turn(after)
        if not isinstance(turn, Outcome):
            yield available(after)
            yield ""
            return
        yield ""
        yield turn.reason
        yield "The game is a draw." if turn.winner is None else f"{turn.winner} wins the game!"

    def sum_up(self, before: State, moves: Mapping[Seat, Pull], after: State) -> str:
        ((seat, pull),) = moves.items()
        if pull.action == Action.ADD:
            what = f"adds {pull.number} to their own life total"
        else:
            what = f"subtracts {pull.number} from {seat.other}"
        return f"{seat} {what}{conclusion(self, after, seat)}."

    def board(self, view: State) -> tuple[Part, ...]:
        line = Numbers("Available Numbers", None, tuple(range(1, self.numbers + 1)), view.line)
        lives = (Meter(LIFE, seat, view.life[seat], self.life, 2 * self.life) for seat in Seat)
        return *lives, line

    def rule_sections(self) -> tuple[Section, ...]:
        goal = Paragraph(
            f"Both players start with {self.life} life. Reduce your opponent's life total to zero"
            " or below to win at once."
        )
        a_turn = numbered(
            f"Select a number from the number line, 1 to {self.numbers}. Each can be used only"
            " once.",
            "Add it to your own life total, or subtract it from your opponent's.",
            "The number leaves the line, and the turn passes.",
        )
        rulings = bullets(
            self.exhausted_ruling(),
            "Life totals may go below zero, and above their starting value.",
        )
        return (
            Section("", (goal,)),
            Section("A TURN", (a_turn,)),
            Section("RULINGS", (rulings,)),
            at_keyboard(
                "Type a number, then A to add or S to subtract; or both at once, such as S5."
            ),
        )

    def exhausted_ruling(self) -> Prose:
        """Return the rule for an empty number line, which depends on the settings."""
        if self.exhausted == "draw":
            return prose(
                "When all numbers are used and both players are alive, the game is a draw. With ",
                SettingValue("exhausted", "higher-life"),
                " the higher life total wins instead, and equal totals are a draw.",
            )
        return prose(
            "When all numbers are used and both players are alive, the higher life total wins, and"
            " equal totals are a draw. With ",
            SettingValue("exhausted", "draw"),
            " the game is a draw instead.",
        )


@lru_cache(maxsize=4096)  # the same lines recur
def pulls(line: tuple[int, ...]) -> tuple[Pull, ...]:
    return tuple(Pull(action, n) for n in line for action in Action)


def standing(view: State) -> Iterator[str]:
    for seat in Seat:
        yield BoardLine(f"{seat} Life Total: {view.life[seat]}")


def available(view: State) -> str:
    return BoardLine(f"Available Numbers: {' '.join(map(str, view.line))}")
