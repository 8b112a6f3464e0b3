"""What one decision cost: the grade of a move."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from number_duels.core.game import Seat
from number_duels.core.notation import Step
from number_duels.review.position import TOLERANCE, Position

#: The least loss of a decisive mistake: a quarter of the way from a win to a loss.
DECISIVE = 0.5

AnyStep = Step[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Grade:
    """One decision: what it cost, what the worst would have cost, what was best.

    >>> grade = Grade(2, Seat.TWO, "A3", value_before=0.0, loss=1.0, worst=1.0, best=("S4",))
    >>> grade.is_decisive
    True
    """

    #: Counted from 1.
    turn: int
    #: Who decided.
    seat: Seat
    #: What was played, in notation.
    move: str
    #: What the position was worth to Player 1.
    value_before: float
    #: What the move cost against the best one.
    loss: float
    #: What the worst one would have cost.
    worst: float
    #: The moves that cost nothing.
    best: tuple[str, ...]
    #: What had been drawn in this turn, in notation.
    drawn: str = ""
    #: The move in the words of its question.
    words: str = ""

    @property
    def is_decisive(self) -> bool:
        """Whether it lost at least a quarter of the way from a win to a loss."""
        return is_decisive(self.loss)


def is_decisive(loss: float) -> bool:
    return loss >= DECISIVE - TOLERANCE


def grade_step(step: AnyStep, turn: int, position: Position, drawn: str) -> list[Grade]:
    grades = []
    for seat, move in step.moves.items():
        text, costs = str(move), position.costs[seat]
        loss, words = costs.moves[text]
        grades.append(
            Grade(turn, seat, text, position.value, loss, costs.worst, costs.best, drawn, words)
        )
    return grades
