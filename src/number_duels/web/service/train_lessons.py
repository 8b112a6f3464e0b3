"""Lessons step by step, as a page shows them; and what is said to an answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from number_duels.core.game import AnyGame
from number_duels.review.json import JsonObject
from number_duels.trainer.answers import read_answer
from number_duels.trainer.feedback import judge
from number_duels.trainer.lessons import Step, lesson
from number_duels.trainer.spot import OpenSpot
from number_duels.web.service.analysis import solution
from number_duels.web.service.train_exercises import spot_view


@dataclass(frozen=True)
class Answered:
    """What is said to an answer, and what a book keeps of it."""

    spot: OpenSpot
    form: str
    answer: str
    cost: float
    right: bool
    text: str


@lru_cache(maxsize=16)
def lesson_json(game: AnyGame) -> JsonObject:
    """A lesson without its answers."""
    found = lesson(game)
    return {
        "game": found.game,
        "title": found.title,
        "minutes": found.minutes,
        "steps": [step_json(step) for step in found.steps],
    }


def step_json(step: Step) -> JsonObject:
    return {
        "kind": step.kind,
        "text": step.text,
        "form": step.form,
        "principle": step.principle,
        "view": None if step.spot is None else spot_view(step.spot),
    }


def answer_step(game: AnyGame, number: int, text: str, time_limit: float) -> Answered:
    """What a lesson says to an answer; a ValueError where nothing is asked."""
    steps = lesson(game).steps
    if number > len(steps):
        raise ValueError(f"The lesson has {len(steps)} steps.")
    step = steps[number - 1]
    exercise = step.exercise(solution(game, time_limit))
    answer = read_answer(exercise.spot, text, step.form)
    reply = step.reply(exercise, answer)
    # Where the rules alone say what is right, nothing is at stake.
    cost = 0.0 if step.accepts else judge(exercise, answer).cost
    return Answered(exercise.spot, step.form, answer.text, cost, reply.right, reply.text)
