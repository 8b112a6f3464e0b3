"""Answers to questions about single positions, with their exact grades, time and tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum

from number_duels.arena.grading import DIGITS
from number_duels.core.input_files import read_as
from number_duels.core.text import printable
from number_duels.players.external import Fault
from number_duels.review.position import AnySolution, forfeit_cost
from number_duels.trainer.exercise import MIXED, MOVE, Exercise
from number_duels.trainer.feedback import best_reply_to
from number_duels.trainer.spot import Spot

FORMS = (MOVE, MIXED)
POSITION_KEY = "position"
MAX_WORDS_CHARS = 2000


@dataclass(frozen=True)
class Usage:
    """Total requests, tokens and seconds. Tokens are 0 if the endpoint does not count them."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
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
    made = requests(calls)
    return Usage(
        len(made),
        sum(whole(call.get("prompt_tokens")) for call in made),
        sum(whole(call.get("completion_tokens")) for call in made),
        round(sum(number(call.get("seconds")) for call in made), 3),
        words_of(made[-1]) if made else "",
    )


def requests(calls: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    # A forced move is played without a request.
    return [call for call in calls if call.get("messages")]


def whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def words_of(call: Mapping[str, object]) -> str:
    said = [str(call.get(part) or "") for part in ("reasoning", "answer")]
    return printable(" ".join(" ".join(said).split()), limit=MAX_WORDS_CHARS)


@dataclass(frozen=True)
class Grade:
    cost: float
    worst: float
    random: float
    #: The opponent's reply that gains `cost` against a mixed strategy, or empty if none does.
    reader: str = ""


NO_GRADE = Grade(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class PositionAnswer:
    """One question and its answer. A missing answer costs as much as a forfeit."""

    spot: Spot
    form: str
    #: The probability of each move, by its notation, or empty without an answer.
    weights: Mapping[str, float]
    grade: Grade = NO_GRADE
    #: The answers refused before this one, or all answers if none was accepted.
    faults: tuple[Fault, ...] = ()
    usage: Usage = NO_USAGE
    calls: tuple[Mapping[str, object], ...] = ()

    @property
    def id(self) -> str:
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
        spot, form = data[POSITION_KEY], data["form"]
        if not isinstance(spot, dict) or form not in FORMS:
            raise ValueError("it is not an answer")
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
    """Grade an answer. A missing answer costs as much as a forfeit.

    If both players choose at once, a mixed strategy costs what an opponent who knows it gains.
    Otherwise an answer costs the mean cost of its moves.
    """
    opened = spot.open()
    exercise = Exercise(opened, solution, form)
    worst = forfeit_cost(solution, opened.state, opened.seat)
    even = {str(move): 1 / len(opened.options) for move in opened.options}
    costs, reader = [worst, worst], ""
    for place, odds in enumerate((weights, even)):
        if form == MIXED and opened.both_choose and odds:
            found = best_reply_to(exercise, odds)
            costs[place] = found.taken
            reader = found.move if found.taken and odds is weights else reader
        elif odds:
            costs[place] = fsum(share * exercise.cost(move) for move, share in odds.items())
    cost, random = costs
    return Grade(rounded(cost), rounded(worst), rounded(random), reader)


def rounded(cost: float) -> float:
    return round(cost, DIGITS)


def regraded(solution: AnySolution, answer: PositionAnswer) -> PositionAnswer:
    found = grade(solution, answer.spot, answer.form, answer.weights)
    return replace(answer, grade=found)
