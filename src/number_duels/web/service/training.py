"""Training sessions, run in worker processes, and the mistake books of profiles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256

from number_duels.core.clock import SystemClock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.record import Record
from number_duels.core.scene import OVER, part_json, scene_json
from number_duels.games import load, names
from number_duels.review.json import JsonObject
from number_duels.review.player_stats import GameFigures, Grader, Ungraded, grade_decisions
from number_duels.review.words import capital
from number_duels.sessions.book import NOTHING_FOUND, listed_cards
from number_duels.sessions.progress import (
    can_open,
    daily_note,
    due_words,
    game_notes,
    lesson_note,
    next_training,
    streak_words,
)
from number_duels.sessions.progress import today as today_note
from number_duels.sessions.train import Plan, State, Task, TrainSession
from number_duels.solvers import Unsolvable
from number_duels.solvers.cache import Progress
from number_duels.trainer.book import (
    AddCard,
    AnswerGiven,
    Book,
    RemoveCard,
    TrainingEvent,
    read_event,
)
from number_duels.trainer.own_mistakes import mistakes
from number_duels.trainer.puzzles import daily
from number_duels.web.db.books import BookFull, TrainingRepository
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ApiError
from number_duels.web.service.games import GameService
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.solver_tasks import LateSolution, solution
from number_duels.web.service.views import asked

MAX_GAMES = 5
MAX_TRIED, MAX_READING_S = 50, 60.0
#: Each due card must be opened to be counted.
MAX_OPENED = 500
MAX_LISTED = 100
#: How far an event's time may be in the future. A client's clock may be wrong.
MAX_AHEAD = timedelta(days=1)
MAX_EVENT_CHARS = 6000


class NotKept(ApiError): ...


class TrainingService:
    def __init__(self, games: GameService, profiles: ProfileService) -> None:
        self.games = games
        self.profiles = profiles
        self.config = games.config
        self.repository = TrainingRepository(games.repository)

    async def keep(self, profile: Profile, client: str, events: Sequence[TrainingEvent]) -> int:
        removes = all(isinstance(event, RemoveCard) for event in events)
        if self.games.expiry.books_full and not removes:
            raise NotKept(503, "This server has no room for more answers; try again later.")
        try:
            added = await self.repository.add(profile.id, events, self.config.book_events)
        except BookFull:
            added = await self._make_room(profile, client, events)
        await self.profiles.played(profile)
        return added

    async def _make_room(
        self, profile: Profile, client: str, events: Sequence[TrainingEvent]
    ) -> int:
        lines = await self.repository.events(profile.id)
        most = self.config.book_events
        try:
            room = await self.games.worker.work(client, room_in, lines, events, most)
            if room is None:
                raise BookFull
            return await self.repository.add(
                profile.id, room.kept, max(room.size, most), gone=room.gone
            )
        except ApiError as refusal:
            raise NotKept(refusal.status, refusal.sentence) from None
        except Unsolvable as problem:
            raise NotKept(503, str(problem)) from None
        except BookFull:
            raise NotKept(
                409,
                "Your book is full; remove mistakes that you know by now, or export it and begin"
                " another with a new profile.",
            ) from None

    async def step(
        self, profile: Profile | None, client: str, asked_for: TrainRequest
    ) -> TrainStep:
        lines = tuple(await self.repository.events(profile.id)) if profile else ()
        game = await self.games.worker.work(client, game_needed, asked_for, lines)
        if game is None:
            step = await self.games.worker.work(client, take_step, asked_for, lines, 0.0)
        else:
            step = await self.games.worker.ask(client, game, take_step, asked_for, lines)
        if profile is None or not step.events:
            return step
        try:
            await self.keep(profile, client, step.events)
        except NotKept as refusal:
            return replace(step, scene={**step.scene, "notes": [refusal.sentence]})
        return step

    async def change_card(
        self, profile: Profile, client: str, change: AddCard | RemoveCard
    ) -> None:
        known = Book.of_lines(await self.repository.events(profile.id, [change.card]))
        if isinstance(change, AddCard) is (known.card(change.card) is None):
            wanted = known.asked_for(change) if isinstance(change, AddCard) else change
            await self.keep(profile, client, [wanted])

    async def about(
        self, profile: Profile | None, client: str, today: date, game: str
    ) -> JsonObject:
        lines, now = await self._lines(profile), self.games.clock.now()
        return await self.games.worker.work(client, book_json, lines, today, now, game)

    async def list_cards(self, profile: Profile | None, client: str, search: str) -> JsonObject:
        lines, now = await self._lines(profile), self.games.clock.now()
        return await self.games.worker.work(client, cards_json, lines, now, search)

    async def _lines(self, profile: Profile | None) -> list[str]:
        return await self.repository.events(profile.id) if profile else []

    async def daily(
        self, profile: Profile | None, client: str, day: date, now: datetime
    ) -> tuple[TrainStep, JsonObject]:
        begun = TrainRequest(Plan("daily", day=day), None, "", "", "", now)
        step = await self.step(profile, client, begun)
        lines = await self.repository.events(profile.id) if profile else []
        return step, await self.games.worker.work(client, beside_daily, lines, day, now)

    async def export(self, profile: Profile | None) -> bytes:
        lines = await self._lines(profile)
        return "".join(f"{line}\n" for line in lines).encode()

    async def read_games(self, profile: Profile, client: str) -> JsonObject:
        waiting = await self.repository.unread_games(profile.id, MAX_TRIED)
        cards: list[AddCard] = []
        read: list[str] = []
        #: Games that can't be graded now. A later request will try them again.
        unsolved = set[AnyGame]()
        end, left = self.games.clock.monotonic() + MAX_READING_S, len(waiting)
        for game, seat in waiting:
            if len(read) == MAX_GAMES or self.games.clock.monotonic() >= end:
                break
            left -= 1
            stored = await self.games.repository.load(game)
            if stored is None or stored.game in unsolved:
                continue
            try:
                cards += await self.games.worker.ask(
                    client, stored.game, mistakes_in, stored, seat, kept_only=True
                )
            except Ungraded:
                pass  # it can never be graded
            except ValueError:
                unsolved.add(stored.game)
                continue
            read.append(game)
        added = await self._keep_new(profile, client, cards)
        await self.repository.set_read(profile.id, read)
        return {"read": len(read), "cards": added, "more": left > 0 and bool(read)}

    async def _keep_new(self, profile: Profile, client: str, cards: Sequence[AddCard]) -> int:
        found = {card.card: card for card in reversed(cards)}
        known = Book.of_lines(await self.repository.events(profile.id, found)).ever_added
        new = [card for card in found.values() if card.card not in known]
        return await self.keep(profile, client, new) if new else 0


def read_events(found: Sequence[JsonObject], now: datetime) -> list[TrainingEvent]:
    events = []
    for number, data in enumerate(found, start=1):
        try:
            if len(json.dumps(data)) > MAX_EVENT_CHARS:
                raise ValueError("it is too long.")
            events.append(event := read_event(data))
            if event.time > now + MAX_AHEAD:
                raise ValueError("its time is in the future.")
        except ValueError as problem:
            raise ValueError(
                f"Line {number} is not a valid entry for a mistake book: {problem}"
            ) from None
    return events


def room_in(lines: Sequence[str], new: Sequence[TrainingEvent], most: int) -> Room | None:
    return make_room(Book.of_lines(lines), new, most)


def book_json(lines: Sequence[str], today: date, now: datetime, game: str) -> JsonObject:
    book = Book.of_lines(lines)
    due = book.due(now)
    later = next((card for card in book.cards if not card.is_due(now)), None)
    return {
        "cards": len(book.cards),
        "due": sum(map(can_open, due[:MAX_OPENED])),
        "next": None if later is None else later.comes_back(now),
        "answers": len(book.answers),
        "right": sum(one.right for one in book.answers),
        "streak": book.daily_streak(today),
        "daily": book.daily_tries(today),
        "start": next_training(book, now, game)._asdict(),
        "lessons": {name: capital(note) for name in names() if (note := lesson_note(book, name))},
        "notes": {
            "today": capital(today_note(book, now)),
            "daily": capital(daily_note(book, today)),
            **game_notes(book, game),
        },
    }


def beside_daily(lines: Sequence[str], day: date, now: datetime) -> JsonObject:
    found = Book.of_lines(lines)
    return {
        "game": (game := daily(day).game),
        "title": load(game).title,
        "streak": streak_words(found.daily_streak(day)),
        "due": due_words(sum(map(can_open, found.due(now)[:MAX_OPENED]))),
    }


def cards_json(lines: Sequence[str], now: datetime, search: str) -> JsonObject:
    found = listed_cards(Book.of_lines(lines), now, search=search)
    cards = [
        {
            "card": one.card.id,
            "title": one.title,
            "position": one.position,
            "facts": [*one.facts, *filter(None, [one.cost]), f"comes back {one.comes_back}"],
            "spot": one.card.spot.to_json() if can_open(one.card) else None,
            "board": [part_json(part) for part in one.board],
        }
        for one in found[:MAX_LISTED]
    ]
    return {"cards": cards, "count": len(found), "note": "" if found else NOTHING_FOUND}


class SolvedGrader(Grader):
    def __init__(self, time_limit: float) -> None:
        super().__init__(max_bytes=None)
        self.time_limit = time_limit

    def grade(self, record: Record, progress: Progress) -> GameFigures:
        match = record.match()
        return grade_decisions(match, solution(match.game, self.time_limit))


def mistakes_in(stored: StoredGame, seat: Seat, time_limit: float) -> list[AddCard]:
    found = mistakes(stored.match().record, seat, SolvedGrader(time_limit))
    return [replace(card, id=mistake_id(stored.id, card.card)) for card in found]


def mistake_id(game: str, card: str) -> str:
    return sha256(f"{game} {card}".encode()).hexdigest()[:16]


#: How long to search for a position. Other clients wait during this time.
LOOKING_S = 2.0


@dataclass(frozen=True)
class TrainRequest:
    plan: Plan
    state: State | None
    key: str
    text: str
    event_id: str
    now: datetime


@dataclass(frozen=True)
class TrainStep:
    state: State
    scene: JsonObject
    said: str
    events: tuple[TrainingEvent, ...]


@dataclass(frozen=True)
class RequestClock(SystemClock):
    time: datetime = field(kw_only=True)

    def now(self) -> datetime:
        return self.time


class RequestBook:
    def __init__(self, lines: Sequence[str]) -> None:
        self.book = Book.of_lines(lines)
        self.new: list[TrainingEvent] = []

    def read(self) -> Book:
        return self.book

    def append(self, *events: TrainingEvent) -> None:
        self.new += events


def open_session(asked_for: TrainRequest, book: RequestBook) -> TrainSession:
    clock = RequestClock(time=asked_for.now)
    return TrainSession(asked_for.plan, book, clock, asked_for.state, looking_s=LOOKING_S)


def goes_on(asked_for: TrainRequest) -> bool:
    """Return whether the request leaves an exercise without looking at it."""
    return asked_for.key == "next"


def game_needed(asked_for: TrainRequest, lines: Sequence[str]) -> AnyGame | None:
    session = open_session(asked_for, RequestBook(lines))
    if asks_only(asked_for):
        return None
    if goes_on(asked_for) or (asked_for.key and session.state.stage == OVER):
        session.act(asked_for.key)
    work = session.work()
    return work.game if work else None


def take_step(asked_for: TrainRequest, lines: Sequence[str], time_limit: float) -> TrainStep:
    book = RequestBook(lines)
    session = open_session(asked_for, book)
    said = ""
    if not goes_on(asked_for):
        do_work(session, time_limit, asks_only=asks_only(asked_for))
    if asked_for.key:
        said = session.act(asked_for.key, asked_for.text, asked_for.event_id)
        do_work(session, time_limit)
    return TrainStep(session.state, seen(session), said, tuple(book.new))


def do_work(session: TrainSession, time_limit: float, *, asks_only: bool = False) -> None:
    while work := session.work():
        find = LateSolution if asks_only else solution
        work.run(find(work.game, time_limit))


def asks_only(asked_for: TrainRequest) -> bool:
    # The daily puzzle is shown without a solution.
    return asked_for.plan.kind == "daily" and not asked_for.key


def seen(session: TrainSession) -> JsonObject:
    scene, task = session.scene(), session.task
    question = None
    if scene.question and isinstance(task, Task):
        spot, (one, two) = task.spot, scene.sides
        at = spot.game, spot.view, spot.seat, spot.board, (one.name, two.name)
        # The question names the opponent's move, and the effects would not know it.
        question = asked(*at, question=scene.question, effects=not scene.against)
    return {**scene_json(scene), "question": question, "over": scene.stage == OVER}


@dataclass(frozen=True)
class Room:
    kept: tuple[TrainingEvent, ...]
    gone: tuple[str, ...]
    size: int


def make_room(old: Book, new: Sequence[TrainingEvent], most: int) -> Room | None:
    """Choose which events to remove from a book to make room for the new events.

    Return None if the book would still have more than `most` events. New events that only remove
    cards are accepted as long as the book does not grow.
    """
    book = old.merged(Book(tuple(new)))
    known = {event.id for event in old.events}
    spare = list(spare_events(book))[: max(0, len(book.events) - most)]
    gone, size = frozenset(spare), len(book.events) - len(spare)
    kept = tuple(e for e in book.events if e.id not in known and e.id not in gone)
    removes = kept and all(isinstance(event, RemoveCard) for event in kept)
    if size > most and not (removes and size <= len(old.events)):
        return None
    return Room(kept, tuple(gone & known), size)


def spare_events(book: Book) -> Iterator[str]:
    """Yield the ids of events that can be removed without changing a card or its schedule."""
    added = {card.id: card.added for card in book.cards}
    answers = (event for event in book.events if isinstance(event, AnswerGiven))
    yield from (one.id for one in answers if one.card not in added)
    adds = [event for event in book.events if isinstance(event, AddCard)]
    first = {event.card: event.id for event in adds[::-1] if event.time == added.get(event.card)}
    yield from (one.id for one in adds if one.card in added and first[one.card] != one.id)
    yield from (event.id for event in adds if event.card not in added)
    removals = [event for event in book.events if isinstance(event, RemoveCard)]
    last = {event.card: event.id for event in removals}
    yield from (event.id for event in removals if last[event.card] != event.id)
