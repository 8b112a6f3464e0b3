"""What requests of a learner and their answers look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictInt, StrictStr

from number_duels.core.game import Seat
from number_duels.trainer.spot import Spot
from number_duels.web.api.models import Body, OptionFacts
from number_duels.web.service.view_models import StepView, View

Form = Literal["move", "mixture"]
Phase = Literal["", "opening", "middle", "end"]
Level = Literal["", "easy", "medium", "hard"]
Kind = Literal["drill", "book", "puzzle", "daily", "lesson"]
SpotId = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{16}$")]
EventId = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{16,64}$")]
PuzzleId = Annotated[str, Field(strict=True, pattern="^[a-z0-9-]{1,100}$")]
GameName = Annotated[str, Field(strict=True, max_length=64)]
Settings = Annotated[dict[str, StrictInt | StrictStr], Field(max_length=20)]
Move = Annotated[str, Field(strict=True, min_length=1, max_length=64)]
Note = Annotated[str, Field(strict=True, max_length=100)]


class SpotFacts(Body):
    """Who decides after which moves, in notation; `deal` as a record has it."""

    game: GameName
    settings: Settings = Field(default_factory=dict)
    deal: Annotated[str, Field(strict=True, max_length=1000)] | None = None
    moves: Annotated[str, Field(strict=True, max_length=2000)] = ""
    seat: Literal[1, 2]

    def read(self) -> Spot:
        return Spot(self.game, self.settings, self.deal, self.moves, Seat(self.seat - 1))


# ---- exercises -----------------------------------------------------------------


class DrillWish(Body):
    """What is to be drilled; what was `seen` does not come again."""

    game: GameName
    settings: Settings = Field(default_factory=dict)
    phase: Phase = ""
    level: Level = ""
    form: Form = "move"
    seen: Annotated[list[SpotId], Field(max_length=1000)] = Field(default_factory=list)


class ExerciseWish(Body):
    """A spot to be answered."""

    spot: SpotFacts
    form: Form = "move"


class ExerciseFacts(BaseModel):
    """What is asked of a learner: the spot, and the board as at a table."""

    id: str
    spot: SpotFacts
    form: Form
    phase: str
    level: str
    prompt: str
    view: View


# ---- answers -------------------------------------------------------------------


class TrainingAnswer(Body):
    """An answer to a spot, or to a puzzle; with the same `id` it is kept once.

    The `note` says which day's puzzle it is, where it is that.
    """

    spot: SpotFacts | None = None
    puzzle: PuzzleId | None = None
    form: Form = "move"
    answer: Annotated[str, Field(strict=True, min_length=1, max_length=1000)]
    kind: Kind = "drill"
    phase: Phase = ""
    note: Note = ""
    id: EventId | None = None


class GroupFacts(BaseModel):
    """Options that are worth the same."""

    moves: list[str]
    words: list[str]
    value: float
    brings: str
    probability: float


class ReaderFacts(BaseModel):
    """What somebody who knows a mixture takes from it, and by which choice."""

    taken: float
    move: str
    words: str


class FeedbackFacts(BaseModel):
    """The verdict on an answer; `kept` says whether it is in the book of a profile."""

    right: bool
    cost: float
    headline: str
    sentences: list[str]
    good: list[GroupFacts]
    bad: list[GroupFacts]
    best: list[str]
    line: str | None
    reader: ReaderFacts | None
    answer: str
    options: list[OptionFacts]
    #: The punishing line turn by turn, from the position of the spot.
    steps: list[StepView]
    kept: bool


# ---- series --------------------------------------------------------------------


class SeriesWish(Body):
    """Answers to one spot, each a move."""

    spot: SpotFacts
    answers: Annotated[list[Move], Field(min_length=1, max_length=500)]


class MoveShareFacts(BaseModel):
    """How often a move was chosen, the interval of that share, and perfect play's."""

    move: str
    words: str
    count: int
    share: float
    low: float
    high: float
    perfect: float


class SeriesFacts(BaseModel):
    """How far the frequencies of a series are from perfect play's."""

    count: int
    moves: list[MoveShareFacts]
    distance: float
    low: float
    high: float
    taken: float
    lines: list[str]


# ---- puzzles and lessons -------------------------------------------------------


class PuzzleWish(Body):
    """Which puzzles are wanted; what was `seen` does not come again."""

    game: GameName
    grade: Annotated[int, Field(strict=True, ge=1, le=5)] | None = None
    seen: Annotated[list[PuzzleId], Field(max_length=1000)] = Field(default_factory=list)


class PuzzleFacts(ExerciseFacts):
    """A puzzle without its answer: how hard it is, and of which game."""

    puzzle: str
    grade: int
    stars: str
    title: str
    #: The day whose puzzle it is; empty for all others.
    day: str


class PuzzleSetFacts(BaseModel):
    """The puzzles of a game: how many there are, of each grade."""

    count: int
    grades: dict[str, int]


class SquaresFacts(BaseModel):
    """A line to share that gives nothing away."""

    line: str


class LessonStepFacts(BaseModel):
    """Something that is said or asked; `view` is the position that shows it, if there is one."""

    kind: Literal["say", "ask", "mix", "test"]
    text: str
    form: Form
    principle: str
    view: View | None


class LessonFacts(BaseModel):
    """A lesson step by step, without its answers."""

    game: str
    title: str
    minutes: int
    steps: list[LessonStepFacts]


class LessonAnswer(Body):
    """An answer to a step of a lesson, counted from 1."""

    step: Annotated[int, Field(strict=True, ge=1, le=1000)]
    answer: Annotated[str, Field(strict=True, min_length=1, max_length=1000)]
    id: EventId | None = None


class LessonReply(BaseModel):
    """Whether an answer was right, and why."""

    right: bool
    text: str
    kept: bool
