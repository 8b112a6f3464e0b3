"""The HTTP interface of the trainer: one route for every kind of session."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter, Request, Response

from number_duels.games import load
from number_duels.sessions.train import Plan
from number_duels.trainer.drills import Scope
from number_duels.web.api import train_models as models
from number_duels.web.api.auth import client_name, find_profile
from number_duels.web.api.dependencies import Now, Training
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.api.routes import admit_question
from number_duels.web.api.train_days import day_of
from number_duels.web.errors import ApiError
from number_duels.web.service.encoding import encode
from number_duels.web.service.train_sessions import TrainRequest

#: What is chosen by the solver; a class at one address may read lessons and puzzles.
SOLVING = ("drill", "book")

train = APIRouter(prefix="/api/train", responses=PROBLEMS)


@train.post("/session", response_model=models.TrainFacts)
async def session(
    body: models.TrainWish, training: Training, request: Request, now: Now
) -> Response:
    """Begin a session, or do something in one; with a profile its answers are kept."""
    if body.plan.kind in SOLVING or (body.action and body.action.key == "answer"):
        await admit_question(request)
    profile, client = await find_profile(request), client_name(request)
    try:
        step = await training.step(profile, client, request_of(body, now))
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    state = models.state_json(step.state)
    return json_answer(encode({"state": state, "scene": step.scene, "said": step.said}))


def request_of(body: models.TrainWish, now: datetime) -> TrainRequest:
    """What is asked for; a ValueError says what is wrong with it."""
    action = body.action or models.TrainAction.model_construct(key="", text="", id=None)
    state = None if body.state is None else body.state.read()
    if state is None and body.action is not None:
        raise ValueError("Send the state of the session with an action.")
    return TrainRequest(
        plan_of(body.plan, now), state, action.key, action.text, action.id or "", now
    )


def plan_of(body: models.PlanFacts, now: datetime) -> Plan:
    game = load(body.game, **body.settings) if body.kind != "daily" and body.game else None
    if game is None and body.kind in ("drill", "puzzle", "lesson"):
        raise ValueError("Name the game that is trained.")
    spot = None if body.spot is None else body.spot.read().open().spot
    return Plan(
        body.kind,
        game.name if game else "",
        body.settings,
        Scope(body.phase, body.level, body.form, spot),
        body.grade,
        body.count,
        body.seed,
        day_of(body.day, now),
    )
