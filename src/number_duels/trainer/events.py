"""What happens in training, as a book writes it down: cards that come and go, and answers.

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
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, TypeAlias

from number_duels.core.record import settings_in, text_in
from number_duels.trainer.answers import FORMS
from number_duels.trainer.spot import ID_LETTERS, OpenSpot, Spot

__all__ = ["AddCard", "AnswerGiven", "RemoveCard", "TrainingEvent", "event_json", "read_event"]

#: Books also have what is no longer asked: answers by a die, and those of timed runs.
FORMS_IN_BOOKS = (*FORMS, "die")
KINDS = ("drill", "book", "puzzle", "daily", "run", "lesson")
SOURCES = ("game", "drill", "analysis", "puzzle")
#: From a certain win to a certain loss.
MAX_COST = 2.0
#: Far more than an answer, or the name of a puzzle, has.
MAX_TEXT_CHARS = 2000
#: A clock that shows another year is wrong, and no schedule could be made from it.
YEARS = range(2000, 3000)
EVENT_ID = re.compile(r"[0-9a-f]{16,64}")
CARD_ID = re.compile(rf"[0-9a-f]{{{ID_LETTERS}}}")


@dataclass(frozen=True)
class AddCard:
    """A spot becomes a card; `card` is the spot's id."""

    event: ClassVar = "add"
    id: str
    time: datetime
    spot: Spot
    card: str
    source: str
    #: What the mistake cost, from 0 to 2.
    cost: float
    #: The day of the game it was made in; empty where it was not made in a game.
    played: str = ""

    @classmethod
    def of(
        cls, spot: OpenSpot, time: datetime, *, source: str, cost: float, played: str = ""
    ) -> AddCard:
        """A new event, with an id of its own."""
        return cls(new_id(), time, spot.spot, spot.id, source, rounded(cost), played)


@dataclass(frozen=True)
class AnswerGiven:
    """Somebody answered in a spot, whether it is a card or not; `card` is the spot's id."""

    event: ClassVar = "answer"
    id: str
    time: datetime
    spot: Spot
    card: str
    #: In what kind of exercise, and in which form.
    kind: str
    form: str
    answer: str
    cost: float
    right: bool
    #: The part of the game: opening, middle, end; empty where unknown.
    phase: str = ""
    #: Which puzzle, which day's puzzle, or which step of a lesson it was.
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
        """A new event, with an id of its own."""
        where, cost = (spot.spot, spot.id), rounded(cost)
        return cls(new_id(), time, *where, kind, form, answer, cost, right, phase, note)


@dataclass(frozen=True)
class RemoveCard:
    """The owner of a book wants to see a card no more."""

    event: ClassVar = "remove"
    id: str
    time: datetime
    card: str

    @classmethod
    def of(cls, card: str, time: datetime) -> RemoveCard:
        """A new event, with an id of its own."""
        return cls(new_id(), time, card)


TrainingEvent: TypeAlias = AddCard | AnswerGiven | RemoveCard


def new_id() -> str:
    """An id that no other event has, on any machine."""
    return os.urandom(8).hex()


def rounded(cost: float) -> float:
    """A cost without rounding errors, which could take it past the limits."""
    return min(max(round(cost, 9), 0.0), MAX_COST)


# ---- written down --------------------------------------------------------------


def event_json(event: TrainingEvent) -> dict[str, object]:
    """An event as a JSON object; `read_event` is its inverse."""
    written: dict[str, object] = {"event": event.event, **vars(event)}
    written["time"] = event.time.astimezone(UTC).isoformat()[:-6] + "Z"
    if not isinstance(event, RemoveCard):
        written["spot"] = event.spot.to_json()
    return {name: value for name, value in written.items() if value != ""}


def event_line(event: TrainingEvent) -> str:
    """An event in one line, without its end."""
    return json.dumps(event_json(event), ensure_ascii=False)


# ---- and read again ------------------------------------------------------------


def read_event(data: object) -> TrainingEvent:
    """The event that a JSON object is; a ValueError says what is wrong."""
    what = data.get("event") if isinstance(data, dict) else None
    if not isinstance(data, dict) or what not in ("add", "answer", "remove"):
        raise ValueError("it is no event of a mistake book.")
    event_id, time = id_in(data, "id", EVENT_ID), time_in(data)
    card = id_in(data, "card", CARD_ID)
    if what == "remove":
        return RemoveCard(event_id, time, card)
    spot, cost = spot_in(data), cost_in(data)
    if what == "add":
        source, played = word_in(data, "source", SOURCES), short_text_in(data, "played")
        return AddCard(event_id, time, spot, card, source, cost, played)
    if not isinstance(right := data.get("right"), bool):
        raise ValueError("its right must be true or false.")
    kind, form = word_in(data, "kind", KINDS), word_in(data, "form", FORMS_IN_BOOKS)
    answer, phase, note = (short_text_in(data, name) for name in ("answer", "phase", "note"))
    return AnswerGiven(event_id, time, spot, card, kind, form, answer, cost, right, phase, note)


def id_in(data: Mapping[str, object], name: str, pattern: re.Pattern[str]) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"its {name} must be an id, such as {'0f' * (ID_LETTERS // 2)}.")
    return value


def time_in(data: Mapping[str, object]) -> datetime:
    try:
        time = datetime.fromisoformat(str(data.get("time")))
        if time.tzinfo is None:
            raise ValueError
        time = time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("its time must be one, such as 2026-10-03T19:30:00Z.") from None
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


def short_text_in(data: Mapping[str, object], name: str) -> str:
    value = text_in(data, name)
    if len(value) > MAX_TEXT_CHARS:
        raise ValueError(f"its {name} is longer than {MAX_TEXT_CHARS} letters.")
    return value


def spot_in(data: Mapping[str, object]) -> Spot:
    found = data.get("spot")
    if not isinstance(found, dict):
        raise ValueError("it has no spot.")
    texts = {name: text_in(found, name) for name in ("game", "moves")}
    deal = None if found.get("deal") is None else text_in(found, "deal")
    settings = settings_in(found.get("settings"))
    return Spot.from_json({**texts, "settings": settings, "deal": deal, "seat": found.get("seat")})
