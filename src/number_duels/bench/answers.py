"""A player's answer at a position, its exact worth, and the time and tokens it took."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum

from number_duels.arena.grading import DIGITS
from number_duels.core.input_files import read_as
from number_duels.core.text import printable
from number_duels.players.external import Fault
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXTURE, MOVE, Exercise
from number_duels.trainer.feedback import read_by
from number_duels.trainer.spot import Spot

FORMS = (MOVE, MIXTURE)
#: The key with which the line of an answer begins.
POSITION_KEY = "position"
#: How much is kept of what a model said.
MAX_WORDS_CHARS = 2000


@dataclass(frozen=True)
class Usage:
    """Sums over requests; tokens are counted by the endpoint, and 0 where it does not tell."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    #: What the model said in its last answer; empty where nothing is kept.
    words: str = ""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            round(self.seconds + other.seconds, 3),
        )


NO_USAGE = Usage()


def usage_of(calls: Sequence[Mapping[str, object]]) -> Usage:
    """The sums over calls, as a player from outside keeps them."""
    made = requests(calls)
    return Usage(
        len(made),
        sum(whole(call.get("prompt_tokens")) for call in made),
        sum(whole(call.get("completion_tokens")) for call in made),
        round(sum(number(call.get("seconds")) for call in made), 3),
        words_of(made[-1]) if made else "",
    )


def requests(calls: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """The calls that were sent: where there is one move, nothing is asked."""
    return [call for call in calls if call.get("messages")]


def whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def words_of(call: Mapping[str, object]) -> str:
    """What a model said in a call: its reasoning where that is kept, then its answer."""
    said = [str(call.get(part) or "") for part in ("reasoning", "answer")]
    return printable(" ".join(" ".join(said).split()), limit=MAX_WORDS_CHARS)


# ---- answers and their grades ----------------------------------------------------


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
            "usage": vars(self.usage),
        }
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def from_object(cls, data: Mapping[str, object]) -> PositionAnswer:
        """The inverse of `to_json`; a ValueError for anything else."""
        spot, form = data[POSITION_KEY], data["form"]
        if not isinstance(spot, dict) or form not in FORMS:
            raise ValueError("no answer of a bench")
        return cls(
            Spot.from_json(spot),
            str(form),
            read_as(dict[str, float], data["weights"]),
            read_as(Grade, data["grade"]),
            read_as(tuple[Fault, ...], data["faults"]),
            read_as(Usage, data["usage"]),
        )


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
