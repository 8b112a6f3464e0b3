"""Pydantic models of the API's requests and responses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from number_duels.core.record import Person
from number_duels.core.settings import Setting
from number_duels.review.position import Chances
from number_duels.web.service.view_models import StepView

Turn = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Name = Annotated[
    str,
    Field(
        strict=True,
        max_length=20,
        description="1 to 20 printable characters, or empty for no name.",
    ),
]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    game: Annotated[str, Field(strict=True, max_length=64)]
    settings: dict[str, StrictInt | StrictStr] = Field(default_factory=dict)
    seat: Literal[1, 2] = 1
    name: Name = ""
    opponent: Annotated[str, Field(strict=True, max_length=64)] = "friend"
    first: Literal[1, 2, "random"] | None = None
    deal: Annotated[str, Field(strict=True, max_length=1000)] | None = None
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**128)] | None = None
    #: Moves already played, from which a game against a computer continues.
    moves: Annotated[str, Field(strict=True, max_length=2000)] = ""
    #: The name of the other person, if the opponent is `here`.
    opponent_name: Name = ""


class Joining(Body):
    name: Name = ""


class Acting(Body):
    """The seat to act for, if both players share a device. The default acts next."""

    seat: Literal[1, 2] | None = None


class Choice(Acting):
    """A move, and the turn in which it is played."""

    turn: Turn
    move: Annotated[str, Field(strict=True, min_length=1, max_length=64)]


class InTurn(Acting):
    """The turn in which to act. The default is the current turn."""

    turn: Turn | None = None


class Nothing(Body):
    """An empty object."""


class Problem(BaseModel):
    """The reason why a request was refused. If a field is missing, `needs` is its name."""

    error: str
    needs: str | None = None


class Health(BaseModel):
    ok: StrictBool


class CodeText(Body):
    text: Annotated[str, Field(strict=True, min_length=1, max_length=300)]


class CodePicture(BaseModel):
    svg: str


class Addresses(BaseModel):
    """The addresses at which other machines can reach the server.

    The list is empty if the caller is on another machine.
    """

    addresses: list[StrictStr]


class ReleaseFacts(BaseModel):
    release: StrictStr


class Started(BaseModel):
    id: str
    seat: int
    token: str


class Seated(BaseModel):
    seat: int
    token: str


class SettingMention(BaseModel):
    name: str
    value: str


class BlockFacts(BaseModel):
    """A paragraph or a list in the rules.

    An item is a sequence of texts and settings. A paragraph has exactly one item.
    """

    kind: Literal["paragraph", "bullets", "numbered"]
    items: list[list[str | SettingMention]]


class SectionFacts(BaseModel):
    """A section of the rules. If `for_keyboard` is true, it explains what to type in a terminal."""

    title: str
    blocks: list[BlockFacts]
    for_keyboard: bool


class GameFacts(BaseModel):
    name: str
    title: str
    summary: str
    settings: dict[str, Setting]
    rules: str
    sections: list[SectionFacts]
    turns: bool
    #: Whether perfect play may be a mixed strategy. If so, drills may ask for one.
    mixes: bool
    opponents: dict[str, str]
    #: The largest settings that this server solves. It also solves all smaller ones.
    solved: list[dict[str, int]]
    default_solved: bool
    #: The boards of a short random game, at the start and after each turn.
    preview: list[list[dict[str, object]]]


class OpponentFacts(BaseModel):
    """A computer opponent. If `solves` is true, it plays only settings that this server solves."""

    who: str
    name: str
    #: How it plays in general. `GameFacts.opponents` describes its play in each game.
    note: str
    solves: bool


class PageFacts(BaseModel):
    title: str
    note: str
    path: str


class Catalogue(BaseModel):
    games: list[GameFacts]
    opponents: list[OpponentFacts]
    pages: list[PageFacts]


class RecordFacts(BaseModel):
    format: int
    game: str
    settings: dict[str, int | str]
    deal: str | None
    seed: int | None
    players: list[Person]
    moves: str
    result: str
    reason: str
    started: str


class OptionFacts(BaseModel):
    """An option, with its expected value for the player and its probability in perfect play.

    `guarantee` is its value against the opponent's best reply in the same turn.
    """

    move: str
    value: float
    guarantee: float
    probability: float
    label: str | None = None


class HintFacts(BaseModel):
    """The values of the caller's options. `value` is the position's value for Player 1."""

    text: list[str]
    advice: list[str]
    value: float
    options: list[OptionFacts]
    scene: dict[str, object]
    #: The hint in steps, as the page shows it. Each step's action leads to the next step.
    steps: list[dict[str, object]]


class LineFacts(BaseModel):
    """A line of play that punishes a mistake.

    `moves` starts at the beginning of the game. `value` is the expected result at the end of the
    line, for the player who made the mistake.
    """

    moves: str
    value: float
    steps: list[StepView]


class GradeFacts(BaseModel):
    turn: int
    seat: int
    move: str
    loss: float
    best: list[str]
    value_before: float
    worst: float
    drawn: str
    words: str
    decisive: bool
    grade: str
    probability: float
    mixed: bool
    why: str | None = None
    line: LineFacts | None = None


class TallyFacts(BaseModel):
    """The statistics of one player. `accuracy` is null if the player made no decisions."""

    loss: float
    accuracy: float | None
    luck: float
    worst: float
    decisions: int
    choices: int
    thrown_away: float | None
    interval: tuple[float, float] | None


class HabitFacts(BaseModel):
    """A rule that all of a player's choices followed.

    `value` is the player's expected result against the best response to the rule. `free` is the
    expected result if both players play perfectly.
    """

    seat: int
    rank: str
    words: str
    choices: int
    games: int
    value: float
    free: float


class ReviewFacts(BaseModel):
    text: list[str]
    course: list[float]
    skill: list[float]
    luck: list[float]
    grades: list[GradeFacts]
    players: dict[str, TallyFacts]
    habits: list[HabitFacts]
    decisive: GradeFacts | None
    scene: dict[str, object]


class AnalysisFacts(BaseModel):
    """The analysis of a position. `draws` are the cards that may be drawn next."""

    game: str
    title: str
    settings: dict[str, int | str]
    moves: str
    to_move: list[int]
    value: float
    chances: Chances | None
    verdict: str
    advice: list[str]
    options: dict[str, list[OptionFacts]]
    board: list[dict[str, object]]
    draws: list[str]
    #: In the format of `scene_json`. A line's `key` is the `moves` after it.
    scene: dict[str, object]
    #: The position as a mistake book stores it, or null if nobody has to decide.
    spot: dict[str, object] | None
    result: str | None = None


class SolvingFacts(BaseModel):
    """The share of a game that is solved, from 0 to 1.

    It is null unless the server is solving the game now.
    """

    share: float | None
