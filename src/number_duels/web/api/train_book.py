"""The HTTP interface of a profile's mistake book: what is due, cards, and the book as a file."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from number_duels.trainer.events import AddCard, RemoveCard
from number_duels.web.api import train_book_models as models
from number_duels.web.api.auth import client_name
from number_duels.web.api.dependencies import Now, Training
from number_duels.web.api.models import Nothing
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.api.profiles import Own, admit_rare
from number_duels.web.api.routes import admit_question
from number_duels.web.api.train_days import Day, day_of
from number_duels.web.api.train_models import SpotId
from number_duels.web.errors import ApiError
from number_duels.web.service.encoding import encode
from number_duels.web.service.profiles import Profile
from number_duels.web.service.train_books import read_events

train_book = APIRouter(prefix="/api/train/book", responses=PROBLEMS)


def require(own: Profile | None) -> Profile:
    """The profile whose book it is; refused without one."""
    if own is None:
        raise ApiError(401, "There is no profile in this browser; make one first.")
    return own


@train_book.get("", response_model=models.BookFacts)
async def look(
    training: Training, own: Own, request: Request, now: Now, day: Day = None
) -> Response:
    """What the book has for today; without a profile it is empty."""
    await admit_question(request)
    found = await training.about(own, client_name(request), day_of(day, now))
    return json_answer(encode(found))


@train_book.post("", status_code=201)
async def add(
    body: models.NewCard, training: Training, own: Own, request: Request, now: Now
) -> models.AddedCard:
    """Make a card of a spot."""
    profile = require(own)
    try:
        spot = body.spot.read().open()
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    event = AddCard.of(spot, now, source=body.source, cost=body.cost)
    await training.add_card(profile, client_name(request), event)
    return models.AddedCard(card=spot.id)


@train_book.delete("/cards/{card}", status_code=204, response_model=None)
async def remove(card: SpotId, training: Training, own: Own, request: Request, now: Now) -> None:
    """See a card no more."""
    removal = RemoveCard.of(card, now)
    await training.remove_card(require(own), client_name(request), removal)


@train_book.post("/games")
async def read_games(
    training: Training, own: Own, request: Request, _: Nothing | None = None
) -> models.ReadGames:
    """Make cards of the mistakes in a few of one's own graded games."""
    profile = require(own)
    await admit_question(request)
    found = await training.read_games(profile, client_name(request))
    return models.ReadGames.model_validate(found)


@train_book.get(
    "/file",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def export(training: Training, own: Own, request: Request) -> Response:
    """The whole book as JSON Lines, as `duels train` has it."""
    await admit_rare(request)
    return Response(
        await training.export(own),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="training.jsonl"'},
    )


@train_book.post("/file")
async def merge(
    body: models.BookEvents, training: Training, own: Own, request: Request, now: Now
) -> models.AddedEvents:
    """Put lines of another book into this one; what it has already changes nothing."""
    profile = require(own)
    await admit_rare(request)
    try:
        events = read_events(body.events, now)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    added = await training.keep(profile, client_name(request), events)
    return models.AddedEvents(added=added)
