"""What requests about a mistake book and their answers look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from number_duels.web.api.models import Body
from number_duels.web.api.train_models import SpotFacts


class NewCard(Body):
    """A spot to be repeated, where it came from, and what it cost, from 0 to 2."""

    spot: SpotFacts
    source: Literal["drill", "analysis", "puzzle"]
    cost: Annotated[float, Field(strict=True, ge=0, le=2)] = 0.0


class BookFacts(BaseModel):
    """What a book has for today, and how it went so far."""

    cards: int
    #: How many of them are due, and can be opened here.
    due: int
    #: When the next card comes back that is not due, in words.
    next: str | None
    answers: int
    right: int
    #: Days in a row on which the puzzle of the day was solved, and the tries of today.
    streak: int
    daily: list[bool]
    #: The last step that was answered in each game's lesson.
    lessons: dict[str, str]


class AddedCard(BaseModel):
    """The id of a card, which is its spot's."""

    card: str


class ReadGames(BaseModel):
    """How many games were looked through, how many cards they gave, and whether there are more."""

    read: int
    cards: int
    more: bool


class BookEvents(Body):
    """Events of a book, each as a line of its file has it."""

    events: Annotated[list[dict[str, object]], Field(max_length=500)]


class AddedEvents(BaseModel):
    """How many events were new."""

    added: int
