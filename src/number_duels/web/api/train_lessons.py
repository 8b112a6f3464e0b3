"""The HTTP interface of lessons."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from number_duels.trainer.events import AnswerGiven
from number_duels.web.api import train_models as models
from number_duels.web.api.auth import client_name, find_profile
from number_duels.web.api.dependencies import Service, Training
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.api.train import ask, game_of
from number_duels.web.service.encoding import encode
from number_duels.web.service.train_lessons import Answered, answer_step, lesson_json

train_lessons = APIRouter(prefix="/api/train/lessons", responses=PROBLEMS)
Game = Annotated[str, Path(max_length=64)]


@train_lessons.get("/{game}", response_model=models.LessonFacts)
async def look(game: Game, service: Service, request: Request) -> Response:
    """A game's lesson, step by step."""
    rules = game_of(game, {})
    found = await service.worker.work(client_name(request), lesson_json, rules)
    return json_answer(encode(found))


@train_lessons.post("/{game}/answer")
async def answer(
    game: Game, body: models.LessonAnswer, service: Service, training: Training, request: Request
) -> models.LessonReply:
    """Whether an answer to a step is right, and why; with a profile it is kept in its book."""
    rules = game_of(game, {})
    found = await ask(service, request, rules, answer_step, rules, body.step, body.answer)
    profile, client = await find_profile(request), client_name(request)
    kept = await training.keep_answer(profile, client, event_of(body, found, service.clock.now()))
    return models.LessonReply(right=found.right, text=found.text, kept=kept)


def event_of(body: models.LessonAnswer, found: Answered, now: datetime) -> AnswerGiven:
    event = AnswerGiven.of(
        found.spot,
        now,
        kind="lesson",
        form=found.form,
        answer=found.answer,
        cost=found.cost,
        right=found.right,
        note=str(body.step),
    )
    return event if body.id is None else replace(event, id=body.id)
