"""What a view is made of; the description at `/api` is made from these, too."""

from __future__ import annotations

from typing import NotRequired

# Pydantic describes this one on every Python that we support.
from typing_extensions import TypedDict

from number_duels.core.scene import Side

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
    #: How strong a computer is, in words.
    strength: str | None


class PlaceView(TypedDict):
    """Where on the board: a part, and in it a number by its place; None is the whole part."""

    part: int
    place: int | None


class AnswerView(TypedDict):
    """An answer: where it is, what it would do, and the move or the question it leads to."""

    text: str
    label: str
    at: list[PlaceView]
    note: str
    move: NotRequired[str]
    next: NotRequired[QuestionView]


class QuestionView(TypedDict):
    """One small choice."""

    #: As a terminal asks it, and without what only a keyboard needs.
    prompt: str
    text: str
    secret: bool
    answers: list[AnswerView]
    #: Why there is one answer alone.
    forced: str


class LogView(TypedDict):
    """What was told in a turn; turn 0 is the opening."""

    turn: int
    lines: list[str]
    kinds: list[LineKind]
    #: The turn in one short sentence; empty for the opening.
    short: str


class SeriesView(TypedDict):
    """The games of the same two so far: who won how many, by today's seats, and draws."""

    wins: list[int]
    draws: int


class ClaimView(TypedDict):
    """Whole seconds until the viewer may claim the game of an opponent who is away; 0: now."""

    after_s: int


class ClaimWords(TypedDict):
    """Words until a game can be claimed, with `{time}` for the time left, and from then on."""

    waiting: str
    ready: str
    #: The label of the button.
    label: str


class LastView(TypedDict):
    """The turn that something happened in last: the moves by seat, and the card drawn in it."""

    turn: int
    moves: dict[str, str]
    drawn: str | None


class SceneView(TypedDict):
    """What a page says of a game besides the rest of its view, in words that are ready to show."""

    #: `asked`: the viewer is to act; `working`: a computer; `told`: another person; `over`.
    stage: str
    headline: str
    detail: str
    sides: tuple[Side, ...]
    #: The score at the end.
    tables: list[dict[str, object]]
    #: How a series stands, and who watches.
    notes: list[str]
    claim: ClaimWords | None
    #: A sentence for a viewer who has nothing to do, where others are asked.
    remark: str
    actions: list[dict[str, object]]


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
    #: One's own choice that waits for the other's.
    choice: str | None
    last: LastView | None
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
    watching: int
    series: SeriesView
    claim: ClaimView | None
    scene: SceneView


class ChangeView(PlaceView):
    """A place that changed."""

    #: Whose move did it, on a part of both.
    seat: int | None
    #: By how much a figure went up or down, or the number that is gone.
    note: str


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
    changed: list[ChangeView]
    #: The move as briefly as can be, with what was drawn for it.
    short: dict[str, str]
    #: What happened, in a sentence.
    said: str
    #: The game up to here, in notation.
    at: str
