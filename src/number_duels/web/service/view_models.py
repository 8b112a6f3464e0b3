"""Types of the views that the API returns."""

from __future__ import annotations

from typing import NotRequired

# Pydantic does not accept `typing.TypedDict` on older versions of Python.
from typing_extensions import TypedDict

from number_duels.core.scene import Side

PartView = dict[str, object]
LineKind = str


class PlayerView(TypedDict):
    name: str
    who: str
    seated: bool
    present: bool
    you: bool
    strength: str | None


class PlaceView(TypedDict):
    """A place on the board. `place` is an index in the part, or null for the whole part."""

    part: int
    place: int | None


class AnswerView(TypedDict):
    """A possible answer. It has either a `move`, or a follow-up question in `next`.

    `at` lists its places on the board, and `note` describes the effect of its move.
    """

    text: str
    label: str
    at: list[PlaceView]
    note: str
    move: NotRequired[str]
    next: NotRequired[QuestionView]


class QuestionView(TypedDict):
    #: The question as a terminal prints it.
    prompt: str
    #: The question without instructions for a keyboard.
    text: str
    secret: bool
    answers: list[AnswerView]
    forced: str


class LogView(TypedDict):
    """The log lines of a turn. Turn 0 is the opening."""

    turn: int
    lines: list[str]
    kinds: list[LineKind]
    #: The turn in a short sentence. For the opening, a text that a page must show, or empty.
    short: str


class SeriesView(TypedDict):
    """The score of a series of rematches. `wins` is in the order of the players' current seats."""

    wins: list[int]
    draws: int


class ClaimView(TypedDict):
    """The seconds until the viewer may claim a win over an absent opponent. 0 means now."""

    after_s: int


class ClaimWords(TypedDict):
    """Texts about a claim: `waiting` counts down to it, and `ready` says that it is possible.

    The page replaces `{time}` with the time left.
    """

    waiting: str
    ready: str
    label: str


class LastView(TypedDict):
    """The last turn in which something happened, with its moves by seat and its drawn card.

    If both players moved at once, `won` is the player who gained points.
    """

    turn: int
    #: The turn in words: "Round 3" if both move at once, else "Turn 3".
    when: str
    moves: dict[str, str]
    drawn: str | None
    won: int | None


class SceneView(TypedDict):
    #: `asked` if the viewer has to act, `working` if a computer has to, `told` if another person
    #: has to, or `over`.
    stage: str
    headline: str
    detail: str
    rules: str
    summary: str
    lines: list[str]
    sides: tuple[Side, ...]
    tables: list[dict[str, object]]
    notes: list[str]
    claim: ClaimWords | None
    remark: str
    actions: list[dict[str, object]]


class View(TypedDict):
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
    #: Whether both players share the viewer's device. Then `you` changes with the turn.
    here: bool
    options: list[str]
    question: QuestionView | None
    #: The viewer's choice, until the other player has chosen.
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
    #: The seat whose move changed a part that both players share.
    seat: int | None
    #: The difference between two figures, or the number that was removed.
    note: str


class StepView(TypedDict):
    """The game after one of its turns. The first step is the start of the game."""

    turn: int
    when: str
    won: int | None
    move: str
    lines: list[str]
    kinds: list[LineKind]
    board: list[PartView]
    moves: dict[str, str]
    words: dict[str, str]
    drawn: str
    changed: list[ChangeView]
    #: The moves in short form, with the cards drawn for them.
    short: dict[str, str]
    said: str
    at: str
