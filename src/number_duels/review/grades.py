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
    """One decision: what it cost, what the worst would have cost, what was best."""

    turn: int
    seat: Seat
    move: str
    value_before: float
    loss: float
    worst: float
    best: tuple[str, ...]
    #: What had been drawn in this turn, in notation.
    drawn: str = ""
    #: The move in the words of its question.
    words: str = ""

    @property
    def is_decisive(self) -> bool:
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
