"""What a view is made of; the description at `/api` is made from these, too."""

from __future__ import annotations

from typing import NotRequired

# Pydantic describes this one on every Python that we support.
from typing_extensions import TypedDict

PartView = dict[str, object]
#: `said`, `heading`, `rule` or `board`.
LineKind = str


class PlayerView(TypedDict):
    """Who sits in a seat."""

    name: str
    who: str
    seated: bool
    present: bool
    you: bool


class PlaceView(TypedDict):
    """Where on the board: a part, and in it a number by its place; None is the whole part."""

    part: int
    place: int | None


class AnswerView(TypedDict):
    """A button: what it says, and the move it makes or the question it leads to."""

    text: str
    label: str
    move: NotRequired[str]
    next: NotRequired[QuestionView]


class QuestionView(TypedDict):
    """One small choice."""

    #: As a terminal asks it, and without what only a keyboard needs.
    prompt: str
    text: str
    secret: bool
    answers: list[AnswerView]


class LogView(TypedDict):
    """What was told in a turn; turn 0 is the opening."""

    turn: int
    lines: list[str]
    kinds: list[LineKind]


class View(TypedDict):
    """A game as one viewer may see it."""

    id: str
    version: int
    game: str
    title: str
    settings: dict[str, int | str]
    players: list[PlayerView]
    turn: int
    to_move: list[int]
    chosen: list[int]
    you: int | None
    options: list[str]
    question: QuestionView | None
    draw: bool
    draw_label: str
    board: list[PartView]
    lines: list[str]
    kinds: list[LineKind]
    announce: list[str]
    log: list[LogView]
    moves: str
    result: str
    reason: str
    over: bool
    #: Whether it ended because somebody gave up.
    conceded: bool
    hints: bool
    expires: str | None
    kept_until: str | None
    rematch: str | None


class StepView(TypedDict):
    """A game after one of its turns; the first is the start."""

    turn: int
    move: str
    lines: list[str]
    kinds: list[LineKind]
    board: list[PartView]
    #: What each seat played, and the same in the words of its question.
    moves: dict[str, str]
    words: dict[str, str]
    #: The cards that the turn began with, if any.
    drawn: str
    #: Where the board differs from the step before.
    changed: list[PlaceView]
