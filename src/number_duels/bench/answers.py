"""What a player answered at a position, and what that is worth, exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import fsum

from number_duels.arena.grading import DIGITS
from number_duels.arena.results import amount_in, word_in
from number_duels.bench.usage import NO_USAGE, Usage
from number_duels.core.text import printable
from number_duels.players.external import Fault
from number_duels.review.position import AnySolution
from number_duels.trainer.answers import MIXTURE, MOVE
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import read_by
from number_duels.trainer.spot import Spot

FORMS = (MOVE, MIXTURE)
#: The key with which the line of an answer begins.
POSITION_KEY = "position"


@dataclass(frozen=True)
class Grade:
    """What an answer costs, and what the worst one would have."""

    cost: float
    worst: float
    #: The choice by which somebody who knows a mixture takes that; empty where none does.
    reader: str = ""


#: Of an answer that nobody has graded yet.
NO_GRADE = Grade(0.0, 0.0)


@dataclass(frozen=True)
class PositionAnswer:
    """One question and its answer; no answer costs as much as the worst one."""

    spot: Spot
    form: str
    #: How often each move is chosen, by its notation; empty: there was no answer.
    weights: Mapping[str, float]
    grade: Grade = NO_GRADE
    #: The answers that were refused before it, or instead of it.
    faults: tuple[Fault, ...] = ()
    usage: Usage = NO_USAGE

    @property
    def id(self) -> str:
        """A name that no other question of a suite has."""
        return question_id(self.spot, self.form)

    def to_json(self) -> str:
        found = {
            POSITION_KEY: self.spot.to_json(),
            "form": self.form,
            "weights": dict(self.weights),
            "grade": asdict(self.grade),
            "faults": [vars(fault) for fault in self.faults],
            "usage": self.usage.to_json(),
        }
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def from_object(cls, data: Mapping[str, object]) -> PositionAnswer:
        """The inverse of `to_json`; a ValueError for anything else."""
        spot, form = data.get(POSITION_KEY), data.get("form")
        weights, grade, faults = data.get("weights"), data.get("grade"), data.get("faults")
        if not isinstance(spot, dict) or form not in FORMS or not isinstance(weights, dict):
            raise ValueError("no answer of a bench")
        if not isinstance(grade, dict) or not isinstance(faults, list):
            raise ValueError("no answer of a bench")
        reader = word_in(grade.get("reader"))
        return cls(
            Spot.from_json(spot),
            str(form),
            {word_in(move): amount_in(share) for move, share in weights.items()},
            Grade(amount_in(grade.get("cost")), amount_in(grade.get("worst")), reader),
            tuple(fault_in(one) for one in faults),
            Usage.from_object(data.get("usage")),
        )


def fault_in(one: object) -> Fault:
    if not isinstance(one, dict):
        raise ValueError("no fault")
    return Fault(word_in(one.get("kind")), printable(str(one.get("reason", "")), limit=None))


def question_id(spot: Spot, form: str) -> str:
    deal = f" {spot.deal}" if spot.deal else ""
    return f"{spot.game}{deal} [{spot.moves}] {spot.seat} {form}"


def grade(solution: AnySolution, spot: Spot, form: str, weights: Mapping[str, float]) -> Grade:
    """What an answer costs against perfect play.

    A mixture where both choose at once costs what somebody who knows it takes; one who decides
    alone need not mix, so there it costs what its moves cost on the average.
    """
    opened = spot.open()
    exercise = Exercise(opened, solution, form)
    if form == MIXTURE and opened.both_choose:
        worst = max(read_by(exercise, {str(move): 1.0}).taken for move in opened.options)
        if not weights:
            return Grade(rounded(worst), rounded(worst))
        reader = read_by(exercise, weights)
        return Grade(rounded(reader.taken), rounded(worst), reader.move if reader.taken else "")
    worst = exercise.stake
    cost = fsum(share * exercise.cost(move) for move, share in weights.items())
    return Grade(rounded(cost if weights else worst), rounded(worst))


def rounded(cost: float) -> float:
    return round(cost, DIGITS)


def regraded(solution: AnySolution, answer: PositionAnswer) -> PositionAnswer:
    """The answer with its grade worked out, for the first time or again."""
    found = grade(solution, answer.spot, answer.form, answer.weights)
    return replace(answer, grade=found)
