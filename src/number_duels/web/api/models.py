"""What requests and answers look like; the description at `/api` is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from number_duels.core.record import Person
from number_duels.core.settings import Setting
from number_duels.review.position import Chances
from number_duels.web.service.view_models import StepView

Turn = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Name = Annotated[
    str, Field(strict=True, max_length=20, description="1 to 20 printable characters; empty: none.")
]


class Body(BaseModel):
    """A request; what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """What somebody wants to play."""

    game: Annotated[str, Field(strict=True, max_length=64)]
    settings: dict[str, StrictInt | StrictStr] = Field(default_factory=dict)
    seat: Literal[1, 2] = 1
    name: Name = ""
    opponent: Annotated[str, Field(strict=True, max_length=64)] = "friend"
    first: Literal[1, 2, "random"] | None = None
    deal: Annotated[str, Field(strict=True, max_length=1000)] | None = None
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**128)] | None = None
    #: Against a computer, the turns that were played before: it goes on from there.
    moves: Annotated[str, Field(strict=True, max_length=2000)] = ""


class Joining(Body):
    """Who sits down."""

    name: Name = ""


class Choice(Body):
    """A move, in notation, and the turn that it is for."""

    turn: Turn
    move: Annotated[str, Field(strict=True, min_length=1, max_length=64)]


class InTurn(Body):
    """The turn in which something is done; without it, the turn that is being played."""

    turn: Turn | None = None


class Nothing(Body):
    """No particulars."""


class Problem(BaseModel):
    """Why a request was refused."""

    error: str


class Health(BaseModel):
    """The server and its store answer."""

    ok: StrictBool


class CodeText(Body):
    """The text of a QR code, such as a link."""

    text: Annotated[str, Field(strict=True, min_length=1, max_length=300)]


class CodePicture(BaseModel):
    """A QR code as an SVG element."""

    svg: str


class Addresses(BaseModel):
    """Addresses of the server that other machines can open; empty for a caller on another."""

    addresses: list[StrictStr]


class ReleaseFacts(BaseModel):
    """The release of the pages that this server sends."""

    release: StrictStr


class Started(BaseModel):
    """A new game, and the token that holds the seat of who started it."""

    id: str
    seat: int
    token: str


class Seated(BaseModel):
    """A seat, and the token that holds it."""

    seat: int
    token: str


class SettingMention(BaseModel):
    """A setting that the rules mention."""

    name: str
    value: str


class BlockFacts(BaseModel):
    """A paragraph (one item) or a list; an item is text with the settings that it mentions."""

    kind: Literal["paragraph", "bullets", "numbered"]
    items: list[list[str | SettingMention]]


class SectionFacts(BaseModel):
    """A section of the rules; only who types at a keyboard needs one that is `for_keyboard`."""

    title: str
    blocks: list[BlockFacts]
    for_keyboard: bool


class GameFacts(BaseModel):
    """A game on the shelf."""

    name: str
    title: str
    summary: str
    settings: dict[str, Setting]
    rules: str
    sections: list[SectionFacts]
    turns: bool
    #: Settings are solved here if no number is above that of one of these.
    solved: list[dict[str, int]]
    #: The boards of a short game of two who play anything: the start, and after each turn.
    preview: list[list[dict[str, object]]]


class OpponentFacts(BaseModel):
    """A computer opponent; one that `solves` plays only where the game is solved."""

    who: str
    #: As people say it: `Level 2`.
    name: str
    note: str
    solves: bool


class PageFacts(BaseModel):
    """A page beside the games."""

    title: str
    note: str
    path: str


class Catalogue(BaseModel):
    """Everything that can be played, and against whom, and what else there is."""

    games: list[GameFacts]
    opponents: list[OpponentFacts]
    pages: list[PageFacts]


class RecordFacts(BaseModel):
    """A game on paper."""

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
    """What an option is worth to its player, at least and on average, and how often it is right."""

    move: str
    value: float
    guarantee: float
    probability: float
    label: str | None = None


class HintFacts(BaseModel):
    """What every option of the holder is worth; `value` is Player 1's."""

    text: list[str]
    advice: list[str]
    value: float
    options: list[OptionFacts]
    #: What a page draws, as `scene_json` writes it.
    scene: dict[str, object]


class LineFacts(BaseModel):
    """How a mistake is punished: the game up to there, and what it leaves who made it."""

    moves: str
    value: float
    #: Turn by turn, from the position in which the mistake was made.
    steps: list[StepView]


class GradeFacts(BaseModel):
    """What one decision cost, and why."""

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
    why: str | None = None
    line: LineFacts | None = None


class TallyFacts(BaseModel):
    """One player's figures; nobody who decided nothing has an accuracy."""

    loss: float
    accuracy: float | None
    luck: float
    worst: float
    decisions: int
    choices: int
    thrown_away: float | None
    interval: tuple[float, float] | None


class ReviewFacts(BaseModel):
    """The review of a finished game."""

    text: list[str]
    course: list[float]
    skill: list[float]
    luck: list[float]
    grades: list[GradeFacts]
    players: dict[str, TallyFacts]
    decisive: GradeFacts | None
    #: What the page draws.
    scene: dict[str, object]


class AnalysisFacts(BaseModel):
    """The analysis of a position; `draws` are the cards that may come."""

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
    #: What a page draws, as `scene_json` writes it; a line's `key` is the `moves` it leads to.
    scene: dict[str, object]
    #: What a book keeps of it; null where nobody decides.
    spot: dict[str, object] | None
    result: str | None = None


class SolvingFacts(BaseModel):
    """How much of a game is solved, from 0 to 1; null while it is not being solved."""

    share: float | None
