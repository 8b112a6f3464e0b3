"""The HTTP interface of puzzles: one by one, and the day's."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from number_duels.trainer.daily import daily, squares
from number_duels.web.api import train_models as models
from number_duels.web.api.auth import client_name
from number_duels.web.api.dependencies import Now, Service
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.api.train_days import Day, day_of
from number_duels.web.errors import ApiError
from number_duels.web.service.encoding import encode
from number_duels.web.service.games import GameService
from number_duels.web.service.train_puzzles import choose_puzzle, open_puzzle, puzzle_set_json

train_puzzles = APIRouter(prefix="/api/train", responses=PROBLEMS)
#: Wrong and right tries, in their order.
Tries = Annotated[str, Query(pattern="^[01]{1,20}$")]
MAX_STREAK = 100_000


@train_puzzles.get("/puzzles", response_model=models.PuzzleSetFacts)
def puzzle_set(game: Annotated[str, Query(max_length=64)]) -> Response:
    """How many puzzles a game has, of each grade."""
    try:
        return json_answer(encode(puzzle_set_json(game)))
    except ValueError as error:
        raise ApiError(422, str(error)) from None


@train_puzzles.post("/puzzle", response_model=models.PuzzleFacts)
async def puzzle(body: models.PuzzleWish, service: Service, request: Request) -> Response:
    """A puzzle that was not seen before."""
    try:
        chosen = choose_puzzle(body.game, body.grade, body.seen)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    return await opened(service, request, chosen)


@train_puzzles.get("/daily", response_model=models.PuzzleFacts)
async def puzzle_of_the_day(
    service: Service, request: Request, now: Now, day: Day = None
) -> Response:
    """The puzzle of a day, the same for everybody, without its answer."""
    wanted = day_of(day, now)
    return await opened(service, request, daily(wanted).id, wanted.isoformat())


@train_puzzles.get("/daily/squares")
def squares_of_the_day(
    tries: Tries,
    now: Now,
    day: Day = None,
    streak: Annotated[int, Query(ge=0, le=MAX_STREAK)] = 0,
) -> models.SquaresFacts:
    """A line to share: wrong and right tries of the day's puzzle, and nothing of its answer."""
    line = squares(day_of(day, now), [sign == "1" for sign in tries], streak)
    return models.SquaresFacts(line=line)


async def opened(service: GameService, request: Request, puzzle_id: str, day: str = "") -> Response:
    try:
        found = await service.worker.work(client_name(request), open_puzzle, puzzle_id, day)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    return json_answer(encode(found))
