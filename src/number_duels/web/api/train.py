"""The HTTP interface of the trainer: exercises, and what answers to them are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar, TypeVarTuple

from fastapi import APIRouter, Request, Response

from number_duels.core.game import AnyGame
from number_duels.games import load
from number_duels.trainer.daily import daily
from number_duels.trainer.drills import Scope
from number_duels.trainer.events import AnswerGiven
from number_duels.trainer.puzzles import Puzzle, find_puzzle
from number_duels.web.api import train_models as models
from number_duels.web.api.auth import client_name, find_profile
from number_duels.web.api.dependencies import Now, Service, Training
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.api.routes import admit_question
from number_duels.web.api.train_days import day_of
from number_duels.web.errors import ApiError
from number_duels.web.service import train_exercises as exercises
from number_duels.web.service import train_puzzles as puzzles
from number_duels.web.service.encoding import encode
from number_duels.web.service.games import GameService

Args = TypeVarTuple("Args")
R = TypeVar("R")

train = APIRouter(prefix="/api/train", responses=PROBLEMS)


@train.post("/drill", response_model=models.ExerciseFacts)
async def drill(
    body: models.DrillWish, service: Service, training: Training, request: Request
) -> Response:
    """The next drill, by how often it comes up, what is at stake, and how often it is missed."""
    game, scope = game_of(body.game, body.settings), Scope(body.phase, body.level, body.form)
    answers = await training.answers(await find_profile(request), game.name)
    asked = (game, scope, tuple(answers), tuple(body.seen))
    found = await ask(service, request, game, exercises.draw_drill, *asked)
    return json_answer(encode(found))


@train.post("/exercise", response_model=models.ExerciseFacts)
async def exercise(body: models.ExerciseWish, service: Service, request: Request) -> Response:
    """A given spot as an exercise."""
    spot, game = body.spot.read(), game_of(body.spot.game, body.spot.settings)
    found = await ask(service, request, game, exercises.open_exercise, spot, body.form)
    return json_answer(encode(found))


@train.post("/answer", response_model=models.FeedbackFacts)
async def answer(
    body: models.TrainingAnswer,
    service: Service,
    training: Training,
    request: Request,
    now: Now,
) -> Response:
    """What an answer is worth, exactly; with a profile it is kept in its book."""
    if body.puzzle is not None:
        puzzle = puzzle_of(body, now)
        game = game_of(puzzle.spot.game, dict(puzzle.spot.settings))
        asked = (puzzle.id, body.answer)
        judged = await ask(service, request, game, puzzles.judge_answer, *asked)
    elif body.kind == "daily":
        raise ApiError(422, "Send the puzzle of the day that is answered.")
    elif body.spot is not None:
        game = game_of(body.spot.game, body.spot.settings)
        given = exercises.GivenAnswer(body.spot.read(), body.form, body.answer)
        judged = await ask(service, request, game, exercises.judge_answer, given)
    else:
        raise ApiError(422, "Send the spot, or the puzzle, that is answered.")
    profile, client = await find_profile(request), client_name(request)
    kept = await training.keep_answer(profile, client, event_of(body, judged, now))
    return json_answer(encode({**judged.facts, "kept": kept}))


@train.post("/series", response_model=models.SeriesFacts)
async def series(body: models.SeriesWish, service: Service, request: Request) -> Response:
    """How far one's frequencies in a spot are from perfect play's."""
    spot, game = body.spot.read(), game_of(body.spot.game, body.spot.settings)
    found = await ask(service, request, game, exercises.tell_series, spot, tuple(body.answers))
    return json_answer(encode(found))


def puzzle_of(body: models.TrainingAnswer, now: datetime) -> Puzzle:
    """The puzzle that is answered; as the day's it must be that."""
    try:
        puzzle = find_puzzle(body.puzzle or "")
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    if body.kind == "daily" and daily(day_of(body.note, now)) != puzzle:
        raise ApiError(422, "This is not the puzzle of that day.")
    return puzzle


def event_of(body: models.TrainingAnswer, judged: exercises.Judged, now: datetime) -> AnswerGiven:
    """An answer as a book has it; what it was worth is what the server found."""
    event = AnswerGiven.of(
        judged.spot,
        now,
        kind=body.kind,
        form=body.form,
        answer=judged.answer,
        cost=judged.feedback.cost,
        right=judged.feedback.right,
        phase=body.phase,
        note=note_of(body, now),
    )
    return event if body.id is None else replace(event, id=body.id)


def note_of(body: models.TrainingAnswer, now: datetime) -> str:
    """What a book notes of an answer: the day as everybody writes it, or which puzzle it was."""
    if body.kind == "daily":
        return day_of(body.note, now).isoformat()
    return body.note or body.puzzle or ""


def game_of(name: str, settings: dict[str, int | str]) -> AnyGame:
    """A game with its settings; refused in a sentence if there is none."""
    try:
        return load(name, **settings)
    except ValueError as error:
        raise ApiError(422, str(error)) from None


async def ask(
    service: GameService,
    request: Request,
    game: AnyGame,
    function: Callable[[*Args, float], R],
    *args: *Args,
) -> R:
    """What a function says about a game, as a question to the solver."""
    await admit_question(request)
    try:
        return await service.worker.ask(client_name(request), game, function, *args)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
