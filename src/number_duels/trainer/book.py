"""The mistake book: its cards, their schedule, and the learner's miss rates.

A book is a list of events. Everything else is computed from them, so books can be merged.

>>> from number_duels.core.game import Seat
>>> spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
>>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
>>> card = AddCard.of(spot, monday, source="analysis", cost=0.5)
>>> how = {"kind": "book", "form": "move", "answer": "S3", "cost": 1.0, "right": False}
>>> events = [card, AnswerGiven.of(spot, monday, **how), RemoveCard.of(card.card, monday)]
>>> [read_event(event_json(event)) for event in events] == events
True
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import IO, ClassVar, NamedTuple, TypeAlias

from number_duels.core.game import Seat
from number_duels.core.input_files import decoded, parse_json, read_lines
from number_duels.core.record import settings_in, text_in
from number_duels.core.storage import (
    OWNER_ONLY,
    append_file,
    append_whole,
    data_folder,
    ends_with_newline,
    sync_folder,
    wait_for_lock,
)
from number_duels.trainer.exercise import FORMS, MOVE
from number_duels.trainer.schedule import DAY, due_after, in_words, is_due
from number_duels.trainer.spot import ID_LETTERS, OpenSpot, Spot

__all__ = [
    "AddCard",
    "AnswerGiven",
    "Book",
    "Card",
    "RemoveCard",
    "TrainingEvent",
    "event_json",
    "read_event",
]

KINDS = ("drill", "book", "puzzle", "daily", "lesson")
#: After this many wrong tries, the daily puzzle is explained. Later tries are practice.
DAILY_TRIES = 3
SOURCES = ("game", "drill", "analysis", "puzzle")
MAX_COST = 2.0
MAX_TEXT_CHARS = 2000
#: A time outside these years comes from a wrong clock, and nothing can be scheduled for it.
YEARS = range(2000, 3000)
EVENT_ID = re.compile(r"[0-9a-f]{16,64}")
CARD_ID = re.compile(rf"[0-9a-f]{{{ID_LETTERS}}}")
#: How many later answers, to the same position or phase, halve the weight of an answer.
SPOT_HALF_LIFE, BUCKET_HALF_LIFE = 4, 20
MAX_BOOK_BYTES = 256 * 1024 * 1024
#: The card id of an event without a position.
NO_CARD = "0" * ID_LETTERS
BEGINNING = b'{"event": "'


@dataclass(frozen=True)
class AddCard:
    """An event that adds a position to the book. `card` is the id of the position."""

    event: ClassVar = "add"
    id: str
    time: datetime
    spot: Spot
    card: str
    source: str
    #: The cost of the mistake, from 0 to 2.
    cost: float
    #: The day of the game with the mistake, or empty if there is none.
    played: str = ""

    @classmethod
    def of(
        cls, spot: OpenSpot, time: datetime, *, source: str, cost: float, played: str = ""
    ) -> AddCard:
        """Return a new event with a unique id."""
        return cls(new_id(), time, spot.spot, spot.id, source, rounded(cost), played)


@dataclass(frozen=True)
class AnswerGiven:
    """An event that records an answer. `card` is the id of the position.

    For a lesson step that was only read or skipped, `card` is `NO_CARD` and the answer is empty.
    """

    event: ClassVar = "answer"
    id: str
    time: datetime
    spot: Spot
    card: str
    kind: str
    form: str
    answer: str
    cost: float
    right: bool
    #: `opening`, `middle` or `end`, or empty if unknown.
    phase: str = ""
    #: The id of the puzzle, the day of the daily puzzle, or the step of the lesson.
    note: str = ""

    @classmethod
    def of(
        cls,
        spot: OpenSpot,
        time: datetime,
        *,
        kind: str,
        form: str,
        answer: str,
        cost: float,
        right: bool,
        phase: str = "",
        note: str = "",
    ) -> AnswerGiven:
        """Return a new event with a unique id."""
        where, cost = (spot.spot, spot.id), rounded(cost)
        return cls(new_id(), time, *where, kind, form, answer, cost, right, phase, note)

    @classmethod
    def passed(cls, game: str, time: datetime, note: str) -> AnswerGiven:
        """Return a new event for a lesson step that was read or skipped."""
        spot = Spot(game, {}, None, "", Seat.ONE)
        return cls(new_id(), time, spot, NO_CARD, "lesson", MOVE, "", 0.0, right=False, note=note)


@dataclass(frozen=True)
class RemoveCard:
    """An event that removes a card from the book."""

    event: ClassVar = "remove"
    id: str
    time: datetime
    card: str

    @classmethod
    def of(cls, card: str, time: datetime) -> RemoveCard:
        """Return a new event with a unique id."""
        return cls(new_id(), time, card)


TrainingEvent: TypeAlias = AddCard | AnswerGiven | RemoveCard


def new_id() -> str:
    return os.urandom(8).hex()


def rounded(cost: float) -> float:
    return min(max(round(cost, 9), 0.0), MAX_COST)


def event_json(event: TrainingEvent) -> dict[str, object]:
    """Return an event as a JSON object that `read_event` can read."""
    written: dict[str, object] = {"event": event.event, **vars(event)}
    written["time"] = event.time.astimezone(UTC).isoformat()[:-6] + "Z"
    if not isinstance(event, RemoveCard):
        written["spot"] = event.spot.to_json()
    return {name: value for name, value in written.items() if value != ""}


def event_line(event: TrainingEvent) -> str:
    return json.dumps(event_json(event), ensure_ascii=False)


def read_event(data: object) -> TrainingEvent:
    """Read an event from a JSON object. Raise ValueError if it is invalid."""
    what = data.get("event") if isinstance(data, dict) else None
    if not isinstance(data, dict) or what not in ("add", "answer", "remove"):
        raise ValueError("it is not an event of a mistake book.")
    event_id, time = id_in(data, "id", EVENT_ID), time_in(data)
    card = id_in(data, "card", CARD_ID)
    if what == "remove":
        return RemoveCard(event_id, time, card)
    spot, cost = spot_in(data), cost_in(data)
    if what == "add":
        source, played = word_in(data, "source", SOURCES), text_in(data, "played", MAX_TEXT_CHARS)
        return AddCard(event_id, time, spot, card, source, cost, played)
    if not isinstance(right := data.get("right"), bool):
        raise ValueError("its `right` must be true or false.")
    kind, form = word_in(data, "kind", KINDS), word_in(data, "form", FORMS)
    answer, phase, note = (
        text_in(data, name, MAX_TEXT_CHARS) for name in ("answer", "phase", "note")
    )
    return AnswerGiven(event_id, time, spot, card, kind, form, answer, cost, right, phase, note)


def id_in(data: Mapping[str, object], name: str, pattern: re.Pattern[str]) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"its {name} must look like {'0f' * (ID_LETTERS // 2)}.")
    return value


def time_in(data: Mapping[str, object]) -> datetime:
    try:
        time = datetime.fromisoformat(str(data.get("time")))
        if time.tzinfo is None:
            raise ValueError
        time = time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("its time must look like 2026-10-03T19:30:00Z.") from None
    if time.year not in YEARS:
        raise ValueError(f"its time must be between the years {YEARS[0]} and {YEARS[-1]}.")
    return time


def cost_in(data: Mapping[str, object]) -> float:
    value = data.get("cost")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("its cost must be a number.")
    if not 0 <= value <= MAX_COST:
        raise ValueError(f"its cost must be between 0 and {MAX_COST:g}.")
    return float(value)


def word_in(data: Mapping[str, object], name: str, known: Collection[str]) -> str:
    value = data.get(name)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"its {name} must be one of {', '.join(known)}.")
    return value


def spot_in(data: Mapping[str, object]) -> Spot:
    found = data.get("spot")
    if not isinstance(found, dict):
        raise ValueError("its position is missing.")
    texts = {name: text_in(found, name) for name in ("game", "moves")}
    deal = None if found.get("deal") is None else text_in(found, "deal")
    settings = settings_in(found.get("settings"))
    return Spot.from_json({**texts, "settings": settings, "deal": deal, "seat": found.get("seat")})


@dataclass(frozen=True)
class Card:
    """A card of the mistake book: a position to practice, and when it comes back.

    >>> from number_duels.core.game import Seat
    >>> spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
    >>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> (card,) = Book((AddCard.of(spot, monday, source="analysis", cost=0.5),)).cards
    >>> card.is_due(monday), card.comes_back(monday), card.tries
    (True, 'today', 0)
    """

    #: The id of the position.
    id: str
    #: The position.
    spot: Spot
    #: The source: `game`, `drill`, `analysis` or `puzzle`.
    source: str
    #: The cost of the mistake, from 0 to 2: twice the lost winning chance.
    cost: float
    #: The time when the card was added.
    added: datetime
    #: The day of the game with the mistake, or empty if there is none.
    played: str
    #: The time when the card comes back.
    due: datetime
    #: The number of answers.
    tries: int = 0
    #: The number of wrong answers.
    misses: int = 0

    def is_due(self, now: datetime) -> bool:
        """Return whether the card is due now or within the next 8 hours."""
        return is_due(self.due, now)

    def comes_back(self, now: datetime) -> str:
        """Return when the card comes back, such as `today`, `tomorrow` or `in 3 days`."""
        return in_words(self.due, now)


@dataclass(frozen=True)
class Book:
    """A mistake book: a list of events without duplicates, oldest first.

    >>> from datetime import UTC
    >>> from number_duels.core.game import Seat
    >>> spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
    >>> monday = datetime(2026, 10, 5, 20, tzinfo=UTC)
    >>> book = Book((AddCard.of(spot, monday, source="analysis", cost=0.5),))
    >>> [card.spot.game for card in book.due(monday)], book.merged(book) == book
    (['number-knot'], True)
    """

    #: All events, oldest first. The constructor accepts any order.
    events: tuple[TrainingEvent, ...] = ()
    #: A warning to show to the learner, or empty.
    notice: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", in_order(self.events))

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Book:
        """Read a book from lines of JSON."""
        return cls(tuple(read_event(json.loads(line)) for line in lines))

    def merged(self, other: Book) -> Book:
        """Return a book with the events of both books."""
        return Book((*self.events, *other.events))

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Return all cards, longest overdue first. Among equals, the costliest comes first."""
        live: dict[str, tuple[AddCard, list[AnswerGiven]]] = {}
        removed = set[str]()
        for event in self.events:
            if isinstance(event, RemoveCard):
                live.pop(event.card, None)
                removed.add(event.card)
            elif isinstance(event, AnswerGiven):
                # Don't count the wrong answer that created the card. It has the card's time.
                if event.card in live and event.time > live[event.card][0].time:
                    live[event.card][1].append(event)
            elif event.card not in live and (event.card not in removed or is_wanted(event)):
                live[event.card] = (event, [])
        cards = (scheduled(added, answers) for added, answers in live.values())
        return tuple(sorted(cards, key=lambda card: (card.due, -card.cost, card.id)))

    @cached_property
    def ever_added(self) -> frozenset[str]:
        """Return the ids of all cards that are or were in the book."""
        return frozenset(e.card for e in self.events if not isinstance(e, AnswerGiven))

    def asked_for(self, card: AddCard) -> AddCard:
        """Return an event that adds this card, even if the card was removed before."""
        return replace(card, source="analysis") if card.card in self.ever_added else card

    def due(self, now: datetime) -> tuple[Card, ...]:
        """Return the cards that can be answered now, longest overdue first."""
        return tuple(card for card in self.cards if card.is_due(now))

    def card(self, card_id: str) -> Card | None:
        """Return the card with this id, or None if it is not in the book."""
        return next((card for card in self.cards if card.id == card_id), None)

    @cached_property
    def answers(self) -> tuple[AnswerGiven, ...]:
        """Return all answers, oldest first."""
        return tuple(e for e in self.events if isinstance(e, AnswerGiven) and e.card != NO_CARD)

    def learner(self, game: str) -> Learner:
        """Return the learner's miss rates in a game."""
        return Learner.of(answer for answer in self.answers if answer.spot.game == game)

    def daily_streak(self, today: date) -> int:
        """Return the current streak: the number of days in a row with a solved daily puzzle.

        A streak up to yesterday counts, unless all tries allowed today were wrong.
        """
        if is_explained(self.daily_tries(today)):
            return 0
        last = today if today in self._solved_days else today - DAY
        return self._days_up_to(last)

    @property
    def longest_streak(self) -> int:
        """Return the longest streak of solved daily puzzles, in days."""
        return max(map(self._days_up_to, self._solved_days), default=0)

    @property
    def days_solved(self) -> int:
        """Return on how many days the daily puzzle was solved."""
        return len(self._solved_days)

    @cached_property
    def _solved_days(self) -> frozenset[date]:
        return frozenset(day for day in map(daily_solved, self.answers) if day)

    def _days_up_to(self, last: date) -> int:
        streak = 0
        while last - streak * DAY in self._solved_days:
            streak += 1
        return streak

    def daily_tries(self, day: date) -> list[bool]:
        """Return the tries at a day's puzzle, in order: True if right, False if wrong."""
        return [a.right for a in self.answers if (a.kind, a.note) == ("daily", str(day))]

    def lesson_place(self, game: str) -> str:
        """Return the note of the last finished step in a game's lesson, or "" before the first.

        A step is finished if it was read, skipped, answered correctly, or answered twice.
        """
        given = self.lesson_steps(game)
        notes = [a.note for a in given]
        done = (
            a.note
            for n, a in enumerate(given)
            if a.right or a.card == NO_CARD or a.note in notes[:n]
        )
        return ["", *done][-1]

    def lesson_answers(self, game: str) -> dict[str, bool]:
        """Return whether the first try at each step was right, in the last run of a lesson."""
        right, last = dict[str, bool](), 0
        for answer in self.lesson_steps(game):
            step = int(answer.note) if answer.note.isdecimal() else 0
            if step < last:
                right.clear()
            if answer.card != NO_CARD:
                right.setdefault(answer.note, answer.right)
            last = step
        return right

    def lesson_steps(self, game: str) -> list[AnswerGiven]:
        """Return the steps of a game's lesson that were answered, read or skipped."""
        given = (event for event in self.events if isinstance(event, AnswerGiven))
        return [one for one in given if one.kind == "lesson" and one.spot.game == game]


def in_order(events: Iterable[TrainingEvent]) -> tuple[TrainingEvent, ...]:
    """Sort events by time, and keep one per id. Every machine keeps the same one."""
    found: dict[str, TrainingEvent] = {}
    for event in events:
        known = found.setdefault(event.id, event)
        if known != event:
            found[event.id] = min(known, event, key=event_line)
    return tuple(sorted(found.values(), key=lambda event: (event.time, event.id)))


def is_wanted(event: AddCard) -> bool:
    # A mistake from a game may not restore a card that the learner removed.
    return event.source != "game"


def scheduled(added: AddCard, answers: list[AnswerGiven]) -> Card:
    due = due_after(added.card, added.time, ((one.time, one.right) for one in answers))
    misses = sum(not one.right for one in answers)
    where = (added.source, added.cost, added.time, added.played)
    return Card(added.card, added.spot, *where, due, len(answers), misses)


def is_explained(tries: Sequence[bool]) -> bool:
    return len(tries) >= DAILY_TRIES and not any(tries)


def daily_solved(answer: AnswerGiven) -> date | None:
    """Return the day of the daily puzzle that this answer solved on time, or None."""
    if answer.kind != "daily" or not answer.right:
        return None
    try:
        day = date.fromisoformat(answer.note)
    except ValueError:
        return None
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return day if abs(answer.time - noon) <= timedelta(hours=26) else None


@dataclass(frozen=True)
class MissRate:
    """The share of wrong answers. Recent answers count more.

    >>> MissRate(tries=2, misses=1).rate
    0.5
    """

    #: The weighted number of answers.
    tries: float = 0.0
    #: The weighted number of wrong answers.
    misses: float = 0.0

    def after(self, half_life: int, *, missed: bool) -> MissRate:
        """Return the rate after one more answer. `half_life` more answers halve its weight."""
        fades = 0.5 ** (1 / half_life)
        return MissRate(self.tries * fades + 1, self.misses * fades + missed)

    @property
    def rate(self) -> float:
        """Return the smoothed share of wrong answers. It is 0.5 before the first answer.

        >>> MissRate().rate, MissRate(tries=2, misses=2).rate
        (0.5, 0.75)
        """
        return (self.misses + 1) / (self.tries + 2)


@dataclass(frozen=True)
class Learner:
    """A learner's miss rates. `Learner()` is a learner who has not answered anything yet.

    >>> Learner().weight("0f0f0f0f0f0f0f0f", "opening")
    1.0
    """

    spots: Mapping[str, MissRate] = field(default_factory=dict)
    #: The keys are phases: `opening`, `middle` or `end`.
    buckets: Mapping[str, MissRate] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Iterable[AnswerGiven]) -> Learner:
        """Compute the miss rates from answers, oldest first."""
        spots, buckets = dict[str, MissRate](), dict[str, MissRate]()
        for answer in answers:
            missed = not answer.right
            spot, bucket = spots.get(answer.card, MissRate()), buckets.get(answer.phase, MissRate())
            spots[answer.card] = spot.after(SPOT_HALF_LIFE, missed=missed)
            buckets[answer.phase] = bucket.after(BUCKET_HALF_LIFE, missed=missed)
        return cls(spots, buckets)

    def weight(self, spot_id: str, bucket: str) -> float:
        """Return a position's weight in drills: 1 for a new learner, up to 4 after many misses."""
        spot, part = self.spots.get(spot_id, MissRate()), self.buckets.get(bucket, MissRate())
        return 4 * spot.rate * part.rate


class BookLine(NamedTuple):
    number: int
    event: TrainingEvent | None
    problem: str = ""
    cut_off: bool = False


class BookFile:
    """A mistake book on disk. Several processes may read it and append to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "training.jsonl"
        self._told = 0

    def read(self) -> Book:
        """Return the book. Skip unreadable lines, and report them once in its `notice`."""
        try:
            lines = read_book_lines(self.path)
        except FileNotFoundError:
            return Book()
        except OSError as error:
            raise ValueError(f"{self.path} cannot be read: {error.strerror}.") from None
        bad = [line for line in lines if line.event is None]
        notice = passed_over(self.path, bad) if len(bad) > self._told else ""
        self._told = len(bad)
        return Book(tuple(line.event for line in lines if line.event), notice)

    def append(self, *events: TrainingEvent) -> None:
        """Write events to disk. If that fails, raise ValueError and leave the file unchanged."""
        lines = [event_line(event) for event in events]
        if [read_event(parse_json(line)) for line in lines] != list(events):
            raise ValueError(
                "This entry cannot be saved, because it would change when loaded again."
            )
        if not lines:
            return
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with append_file(self.path, OWNER_ONLY) as file:
                wait_for_lock(file)
                size = self.path.stat().st_size
                append_whole(file, data if ends_with_newline(self.path) else b"\n" + data)
            if not size:
                sync_folder(self.path.parent)
        except OSError as error:
            raise ValueError(
                f"The mistake book cannot be saved to {self.path}: {error.strerror}."
            ) from None

    def merge(self, path: Path) -> int:
        """Add the events of another book, and return how many were new.

        Skip incomplete lines. Raise ValueError if the file is not a book.
        """
        try:
            lines = read_book_lines(path)
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
        for line in lines:
            if line.event is None and not line.cut_off:
                raise ValueError(f"{path}, line {line.number}, cannot be used: {line.problem}")
        known = {event.id: event for event in self.read().events}
        found = Book(tuple(line.event for line in lines if line.event)).events
        new = [event for event in found if known.get(event.id) != event]
        self.append(*new)
        return len(new)


def read_book_lines(path: Path) -> list[BookLine]:
    with path.open("rb") as file:
        with suppress(OSError):  # some file systems have no locks
            wait_for_lock(file, shared=True)  # otherwise the last line may be half written
        try:
            return list(parsed_lines(file))
        except ValueError as error:
            raise ValueError(f"{path} is not a mistake book: {error}") from None


def parsed_lines(file: IO[bytes]) -> Iterator[BookLine]:
    for number, line in enumerate(read_lines(file, MAX_BOOK_BYTES), 1):
        if not line.strip():
            continue
        try:
            data = parse_json(decoded(line))
        except ValueError as error:
            yield BookLine(number, None, str(error), begins_well(line))
            continue
        try:
            yield BookLine(number, read_event(data))
        except ValueError as error:
            yield BookLine(number, None, str(error))


def begins_well(line: bytes) -> bool:
    written = line.rstrip(b"\0\n")
    return written.startswith(BEGINNING[: len(written)])


def passed_over(path: Path, bad: list[BookLine]) -> str:
    where = f"{path}: line {bad[0].number}"
    if len(bad) == 1:
        return f"{where} cannot be read and is skipped."
    return f"{where} and {len(bad) - 1} more cannot be read and are skipped."
