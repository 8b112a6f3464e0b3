"""The mistake books of profiles: kept in the database, worked out in another process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256

from number_duels.core.game import Seat
from number_duels.core.record import Record
from number_duels.review.game_figures import GameFigures, Grader, grade_decisions
from number_duels.review.json import JsonObject
from number_duels.solvers.protocols import Progress
from number_duels.trainer.book import Book, Card
from number_duels.trainer.events import AddCard, TrainingEvent, read_event
from number_duels.trainer.own_mistakes import mistakes
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.db.train_events import BookFull, TrainingRepository
from number_duels.web.errors import ApiError
from number_duels.web.service.analysis import SolveTimeout, solution
from number_duels.web.service.games import GameService
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.statistics import title_of

#: How many of the last answers in a game say what is missed in it.
MAX_ANSWERS = 200
#: How many cards are shown at a time.
MAX_DUE = 50
#: How many games are looked through for mistakes at a time.
MAX_GAMES = 5
#: A line of a book is not longer than this.
MAX_EVENT_CHARS = 6000


class TrainingService:
    """The books of one server."""

    def __init__(self, games: GameService, profiles: ProfileService) -> None:
        self.games = games
        self.profiles = profiles
        self.config = games.config
        self.repository = TrainingRepository(games.repository)

    async def keep(self, profile: Profile, events: Sequence[TrainingEvent]) -> int:
        """Add to a book what is not in it; how many events that were."""
        try:
            added = await self.repository.add(profile.id, events, self.config.book_events)
        except BookFull:
            raise ApiError(
                409, "Your book is full; export it, and remove cards that you know by now."
            ) from None
        await self.profiles.played(profile)
        return added

    async def answers(self, profile: Profile | None, game: str) -> list[str]:
        """The last answers in a game, a line each."""
        if profile is None:
            return []
        return await self.repository.newest_answers(profile.id, game, MAX_ANSWERS)

    async def about(self, profile: Profile | None, client: str, today: date) -> JsonObject:
        """What a book has for today; nobody's is empty."""
        lines = await self.repository.events(profile.id) if profile else []
        return await self.games.worker.work(client, book_json, lines, today)

    async def export(self, profile: Profile | None) -> bytes:
        """The book as a file that `duels train` reads."""
        lines = await self.repository.events(profile.id) if profile else []
        return "".join(f"{line}\n" for line in lines).encode()

    async def read_games(self, profile: Profile, client: str) -> JsonObject:
        """Make cards of the mistakes in some graded games, the newest first."""
        waiting = await self.repository.unread_games(profile.id, MAX_GAMES + 1)
        cards: list[AddCard] = []
        read: list[str] = []
        for game, seat in waiting[:MAX_GAMES]:
            stored = await self.games.repository.load(game)
            if stored is None:
                continue
            try:
                cards += await self.games.worker.ask(
                    client, stored.game, mistakes_in, stored, seat, kept_only=True
                )
            except SolveTimeout:
                continue  # its solution was dropped; another day it may be there again
            except ValueError:
                pass  # it cannot be graded, and that will not change
            read.append(game)
        added = await self.keep(profile, cards)
        await self.repository.set_read(profile.id, read)
        return {"read": len(read), "cards": added, "more": len(waiting) > MAX_GAMES and bool(read)}


def read_events(found: Sequence[JsonObject]) -> list[TrainingEvent]:
    """Events of somebody's file; a ValueError says which one is wrong, and why."""
    events = []
    for number, data in enumerate(found, start=1):
        try:
            if len(json.dumps(data)) > MAX_EVENT_CHARS:
                raise ValueError("it is too long.")
            events.append(read_event(data))
        except ValueError as problem:
            raise ValueError(f"Line {number} is not part of a book: {problem}") from None
    return events


# ---- in another process --------------------------------------------------------


def book_of(lines: Sequence[str]) -> Book:
    return Book(tuple(read_event(json.loads(line)) for line in lines))


def book_json(lines: Sequence[str], today: date) -> JsonObject:
    """The cards of today, and how it went so far."""
    book, now = book_of(lines), datetime.now(UTC)
    due = book.due(now)
    later = next((card for card in book.cards if not card.is_due(now)), None)
    daily = [one.right for one in book.answers if one.kind == "daily" and one.note == str(today)]
    return {
        "cards": len(book.cards),
        "due": [card_json(card, now) for card in due[:MAX_DUE]],
        "due_count": len(due),
        "next": None if later is None else later.comes_back(now),
        "answers": len(book.answers),
        "right": sum(one.right for one in book.answers),
        "streak": book.daily_streak(today),
        "daily": daily,
        "lessons": {
            game: book.lesson_place(game)
            for game in sorted({one.spot.game for one in book.answers if one.kind == "lesson"})
        },
    }


def card_json(card: Card, now: datetime) -> JsonObject:
    return {
        "id": card.id,
        "spot": card.spot.to_json(),
        "title": title_of(card.spot.game),
        "source": card.source,
        "cost": card.cost,
        "played": card.played,
        "tries": card.tries,
        "misses": card.misses,
        "comes_back": card.comes_back(now),
    }


class SolvedGrader(Grader):
    """Grades with a solution that is open already, and keeps nothing on the disk."""

    def __init__(self, time_limit: float) -> None:
        super().__init__(max_bytes=None)
        self.time_limit = time_limit

    def grade(self, record: Record, progress: Progress) -> GameFigures:
        match = record.match()
        return grade_decisions(match, solution(match.game, self.time_limit))


def mistakes_in(stored: StoredGame, seat: Seat, time_limit: float) -> list[AddCard]:
    """The mistakes of a seat as cards; the same ids whenever they are asked for."""
    found = mistakes(stored.match().record, seat, SolvedGrader(time_limit))
    return [replace(card, id=mistake_id(stored.id, card.card)) for card in found]


def mistake_id(game: str, card: str) -> str:
    return sha256(f"{game} {card}".encode()).hexdigest()[:16]
