"""HTTP routes for the trainer: sessions and the mistake book."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field, StrictBool, StrictStr

from number_duels.core.game import Seat
from number_duels.games import find, load, names
from number_duels.sessions.train import Given, Plan, State
from number_duels.trainer.book import AddCard, RemoveCard
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import NAMED_FORMS
from number_duels.trainer.puzzles import read_day
from number_duels.trainer.spot import Spot
from number_duels.web.api.dependencies import (
    LINES,
    PROBLEMS,
    Now,
    Own,
    Training,
    admit_question,
    admit_rare,
    client_name,
    find_profile,
    json_answer,
    lines_answer,
    require_profile,
)
from number_duels.web.api.models import Body, Nothing
from number_duels.web.api.validation import CARD_ID, EVENT_ID, ITEM_ID
from number_duels.web.assets import Asset, compress, send
from number_duels.web.errors import ApiError, refused
from number_duels.web.service.training import TrainRequest, read_events
from number_duels.web.service.views import encode

Form = Literal["move", "mixed"]
Phase = Literal["", "opening", "middle", "end"]
Level = Literal["", "easy", "medium", "hard"]
SpotId = Annotated[str, Field(strict=True, pattern=CARD_ID)]
EventId = Annotated[str, Field(strict=True, pattern=EVENT_ID)]
ItemId = Annotated[str, Field(strict=True, pattern=ITEM_ID)]
Day = Annotated[str, Field(max_length=10)]
GameName = Annotated[str, Field(strict=True, max_length=64)]
#: JavaScript cannot represent larger integers exactly.
Whole = Annotated[int, Field(strict=True, gt=-(2**53), lt=2**53)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**53)]
Settings = Annotated[dict[str, Whole | StrictStr], Field(max_length=20)]
Text = Annotated[str, Field(strict=True, max_length=1000)]
MAX_TASKS = 100


class SpotFacts(Body):
    """A position, and the seat that has to decide. `moves` and `deal` are written as in records."""

    game: GameName
    settings: Settings = Field(default_factory=dict)
    deal: Annotated[str, Field(strict=True, max_length=1000)] | None = None
    moves: Annotated[str, Field(strict=True, max_length=2000)] = ""
    seat: Literal[1, 2]

    def read(self) -> Spot:
        return Spot(self.game, self.settings, self.deal, self.moves, Seat(self.seat - 1))


class PlanFacts(Body):
    """A training plan. If it has a `spot`, a drill or a retry uses this position."""

    kind: Literal["drill", "retry", "book", "puzzle", "daily", "lesson"]
    game: GameName = ""
    settings: Settings = Field(default_factory=dict)
    phase: Phase = ""
    level: Level = ""
    form: Form = "move"
    spot: SpotFacts | None = None
    grade: Annotated[int, Field(strict=True, ge=1, le=5)] | None = None
    count: Annotated[int, Field(strict=True, ge=1, le=MAX_TASKS)] | None = None
    seed: Count = 0
    day: Day | None = None


class GivenFacts(Body):
    card: SpotId
    answer: Text
    right: StrictBool
    cost: Annotated[float, Field(ge=0, le=2)]


class StateFacts(Body):
    """The state of a session. Send it back unchanged with the next action."""

    items: Annotated[list[ItemId], Field(max_length=MAX_TASKS)]
    stage: Literal["working", "said", "asked", "told", "over"]
    item: ItemId
    spot: SpotFacts | None
    phase: Phase
    number: Count
    seen: Annotated[list[SpotId], Field(max_length=MAX_TASKS)]
    given: Annotated[list[GivenFacts], Field(max_length=3 * MAX_TASKS)]
    known: Count

    def read(self) -> State:
        if self.stage == "told" and not self.given:
            raise ValueError("This session has no answer yet.")
        return State(
            tuple(self.items),
            self.stage,
            self.item,
            None if self.spot is None else self.spot.read(),
            self.phase,
            self.number,
            tuple(self.seen),
            tuple(Given(one.card, one.answer, one.right, one.cost) for one in self.given),
            self.known,
        )


def state_json(state: State) -> dict[str, object]:
    spot = None if state.spot is None else state.spot.to_json()
    return {**vars(state), "spot": spot, "given": [one._asdict() for one in state.given]}


class TrainAction(Body):
    """An action of the learner. An answer sent again with the same `id` is stored only once."""

    key: Literal["answer", "next", "skip", "again", "add", "remove"]
    text: Text = ""
    id: EventId | None = None


class TrainWish(Body):
    plan: PlanFacts
    state: StateFacts | None = None
    action: TrainAction | None = None


class TrainFacts(BaseModel):
    """The new state of a session, the scene to show, and a sentence about the last action."""

    state: StateFacts
    #: In the format of `scene_json`. It contains the question in the format of a game's view.
    scene: dict[str, object]
    said: str


class DailyFacts(TrainFacts):
    """A daily puzzle as a new session, with the learner's streak and number of due cards."""

    day: str
    game: str
    title: str
    streak: str
    due: str


class NewCard(Body):
    """A new card: its position, its source, and the cost of the mistake, from 0 to 2."""

    spot: SpotFacts
    source: Literal["game", "drill", "analysis", "puzzle"]
    cost: Annotated[float, Field(strict=True, ge=0, le=2)] = 0.0


class StartFacts(BaseModel):
    """The training that comes next: due cards first, then the lesson, then drills."""

    kind: Literal["book", "lesson", "drill"]
    label: str
    note: str


class BookFacts(BaseModel):
    cards: int
    due: int
    next: str | None
    answers: int
    right: int
    streak: int
    daily: list[bool]
    #: How far each lesson is, in words. Lessons that were not begun are missing.
    lessons: dict[str, str]
    #: In words: today's cards (`today`), the daily puzzle (`daily`), and the progress in the game's
    #: `lesson`, `drills` and `puzzles`.
    notes: dict[str, str]
    start: StartFacts


class ListedCard(BaseModel):
    """A card in the mistake book. `spot` is null if this server can't open the card's position."""

    card: str
    title: str
    position: str
    facts: list[str]
    spot: SpotFacts | None
    board: list[dict[str, object]]


class CardList(BaseModel):
    cards: list[ListedCard]
    count: int
    note: str


class AddedCard(BaseModel):
    card: str


class ReadGames(BaseModel):
    read: int
    cards: int
    more: bool


class BookEvents(Body):
    events: Annotated[list[dict[str, object]], Field(max_length=500)]


class AddedEvents(BaseModel):
    added: int


#: Plans whose requests count as questions for the solver. A whole class at one address must be able
#: to use the others.
SOLVING = ("drill", "book")

train = APIRouter(prefix="/api/train", responses=PROBLEMS)


@train.post("/session", response_model=TrainFacts)
async def session(body: TrainWish, training: Training, request: Request, now: Now) -> Response:
    """Start a training session, or send the learner's next action.

    Answers are stored in the mistake book of the browser's profile.
    """
    if body.plan.kind in SOLVING or (body.action and body.action.key == "answer"):
        await admit_question(request)
    profile, client = await find_profile(request), client_name(request)
    with refused(422):
        step = await training.step(profile, client, request_of(body, now))
    state = state_json(step.state)
    return scene_answer(request, {"state": state, "scene": step.scene, "said": step.said})


@train.get("/daily", response_model=DailyFacts)
async def daily_puzzle(
    training: Training, own: Own, request: Request, now: Now, day: Day | None = None
) -> Response:
    """Return the puzzle of a day. The default is today, by the server's clock."""
    asked, client = puzzle_day(day, now), client_name(request)
    with refused(422):
        step, beside = await training.daily(own, client, asked, now)
    found = {"state": state_json(step.state), "scene": step.scene, "said": "", "day": str(asked)}
    return scene_answer(request, {**found, **beside})


def scene_answer(request: Request, found: Mapping[str, object]) -> Response:
    """Return a scene as compressed JSON. This is safe, because its size reveals no secret."""
    body = encode(found)
    return send(request, Asset(body, "application/json", compress(body)), "no-store")


def request_of(body: TrainWish, now: datetime) -> TrainRequest:
    action = body.action or TrainAction.model_construct(key="", text="", id=None)
    state = None if body.state is None else body.state.read()
    if state is None and body.action is not None:
        raise ValueError("Send the state of the session with the action.")
    return TrainRequest(
        plan_of(body.plan, now), state, action.key, action.text, action.id or "", now
    )


def plan_of(body: PlanFacts, now: datetime) -> Plan:
    game = load(body.game, **body.settings) if body.kind != "daily" and body.game else None
    if game is None and body.kind in ("drill", "puzzle", "lesson"):
        raise ValueError("Send the name of the game to train.")
    spot = None if body.spot is None else body.spot.read().open().spot
    return Plan(
        body.kind,
        game.name if game else "",
        body.settings,
        Scope(body.phase, body.level, NAMED_FORMS[body.form], spot),
        body.grade,
        body.count,
        body.seed,
        puzzle_day(body.day, now) if body.kind == "daily" else day_of(body.day, now),
    )


MAX_DAYS_APART = 1


def day_of(text: str | None, now: datetime) -> date:
    today = now.date()
    try:
        day = today if text is None else date.fromisoformat(text)
    except ValueError:
        raise ApiError(422, f"This is not a date; write it like {today}.") from None
    if abs(day - today) > timedelta(days=MAX_DAYS_APART):
        raise ApiError(422, "Send today's date in your time zone.")
    return day


def puzzle_day(text: str | None, now: datetime) -> date:
    with refused(422):
        return now.date() if text is None else read_day(text, now)


@train.get("/book", response_model=BookFacts)
async def look(
    training: Training,
    own: Own,
    request: Request,
    now: Now,
    *,
    day: Day | None = None,
    game: Annotated[str | None, Query(max_length=64)] = None,
) -> Response:
    """Return the number of cards and answers in the mistake book, and the training that comes next.

    If the browser has no profile, the book is empty.
    """
    await admit_question(request)
    with refused(422):
        name = find(game).name if game else names()[0]
    found = await training.about(own, client_name(request), day_of(day, now), name)
    return json_answer(encode(found))


@train.get("/book/cards", response_model=CardList)
async def list_cards(
    training: Training,
    own: Own,
    request: Request,
    search: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """List the cards of the book that contain every word of `search`."""
    await admit_question(request)
    return json_answer(encode(await training.list_cards(own, client_name(request), search)))


@train.post("/book", status_code=201)
async def add(body: NewCard, training: Training, own: Own, request: Request, now: Now) -> AddedCard:
    """Add a card for a position to the book."""
    profile = require_profile(own)
    with refused(422):
        spot = body.spot.read().open()
    event = AddCard.of(spot, now, source=body.source, cost=body.cost)
    await training.change_card(profile, client_name(request), event)
    return AddedCard(card=spot.id)


@train.delete("/book/cards/{card}", status_code=204, response_model=None)
async def remove(card: SpotId, training: Training, own: Own, request: Request, now: Now) -> None:
    """Remove a card from the book."""
    removal = RemoveCard.of(card, now)
    await training.change_card(require_profile(own), client_name(request), removal)


@train.post("/book/games")
async def read_games(
    training: Training, own: Own, request: Request, _: Nothing | None = None
) -> ReadGames:
    """Add cards for mistakes in a few graded games. Repeat while `more` is true."""
    profile = require_profile(own)
    await admit_question(request)
    found = await training.read_games(profile, client_name(request))
    return ReadGames.model_validate(found)


@train.get("/book/file", response_class=Response, responses=LINES)
async def export(training: Training, own: Own, request: Request) -> Response:
    """Return the whole book as JSON Lines, the format that `duels train` uses."""
    await admit_rare(request)
    return lines_answer(await training.export(own), "training.jsonl")


@train.post("/book/file")
async def merge(
    body: BookEvents, training: Training, own: Own, request: Request, now: Now
) -> AddedEvents:
    """Add the events of another book to this one. Skip events that this book already has."""
    profile = require_profile(own)
    await admit_rare(request)
    with refused(422):
        events = read_events(body.events, now)
    added = await training.keep(profile, client_name(request), events)
    return AddedEvents(added=added)
