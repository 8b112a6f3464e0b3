"""What requests of a learner and their answers look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictBool, StrictStr

from number_duels.core.game import Seat
from number_duels.sessions.train import Given, State
from number_duels.trainer.spot import Spot
from number_duels.web.api.models import Body

Form = Literal["move", "mixture"]
Phase = Literal["", "opening", "middle", "end"]
Level = Literal["", "easy", "medium", "hard"]
SpotId = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{16}$")]
EventId = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{16,64}$")]
ItemId = Annotated[str, Field(strict=True, pattern="^[a-z0-9-]{0,100}$")]
GameName = Annotated[str, Field(strict=True, max_length=64)]
#: JavaScript has no larger whole numbers.
Whole = Annotated[int, Field(strict=True, gt=-(2**53), lt=2**53)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**53)]
Settings = Annotated[dict[str, Whole | StrictStr], Field(max_length=20)]
Text = Annotated[str, Field(strict=True, max_length=1000)]
#: More than anybody answers in one session.
MAX_TASKS = 100


class SpotFacts(Body):
    """Who decides after which moves, in notation; `deal` as a record has it."""

    game: GameName
    settings: Settings = Field(default_factory=dict)
    deal: Annotated[str, Field(strict=True, max_length=1000)] | None = None
    moves: Annotated[str, Field(strict=True, max_length=2000)] = ""
    seat: Literal[1, 2]

    def read(self) -> Spot:
        return Spot(self.game, self.settings, self.deal, self.moves, Seat(self.seat - 1))


class PlanFacts(Body):
    """What somebody wants to train; with a `spot`, that one again and again."""

    kind: Literal["drill", "book", "puzzle", "daily", "lesson"]
    game: GameName = ""
    settings: Settings = Field(default_factory=dict)
    phase: Phase = ""
    level: Level = ""
    form: Form = "move"
    spot: SpotFacts | None = None
    #: How hard puzzles are.
    grade: Annotated[int, Field(strict=True, ge=1, le=5)] | None = None
    count: Annotated[int, Field(strict=True, ge=1, le=MAX_TASKS)] | None = None
    seed: Count = 0
    #: The day that it is where the learner is.
    day: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")] | None = None


class GivenFacts(Body):
    """An answer of this session."""

    card: SpotId
    answer: Text
    right: StrictBool
    cost: Annotated[float, Field(ge=0, le=2)]


class StateFacts(Body):
    """Where a session is; it is sent back with the next action, as it came."""

    items: Annotated[list[ItemId], Field(max_length=MAX_TASKS)]
    stage: Literal["working", "said", "asked", "told", "over"]
    item: ItemId
    spot: SpotFacts | None
    phase: Phase
    number: Count
    seen: Annotated[list[SpotId], Field(max_length=MAX_TASKS)]
    given: Annotated[list[GivenFacts], Field(max_length=3 * MAX_TASKS)]
    known: Count

    def read(self) -> State:
        """The state; a ValueError where it cannot be one."""
        if self.stage == "told" and not self.given:
            raise ValueError("Nothing was answered in this session yet.")
        return State(
            tuple(self.items),
            self.stage,
            self.item,
            None if self.spot is None else self.spot.read(),
            self.phase,
            self.number,
            tuple(self.seen),
            tuple(Given(one.card, one.answer, one.right, one.cost) for one in self.given),
            self.known,
        )


def state_json(state: State) -> dict[str, object]:
    """A state as `StateFacts` reads it."""
    spot = None if state.spot is None else state.spot.to_json()
    return {**vars(state), "spot": spot, "given": [one._asdict() for one in state.given]}


class TrainAction(Body):
    """What a learner does; an answer with the same `id` is kept once."""

    key: Literal["answer", "next", "skip", "again", "add", "remove"]
    text: Text = ""
    id: EventId | None = None


class TrainWish(Body):
    """A new session, or an action in one."""

    plan: PlanFacts
    state: StateFacts | None = None
    action: TrainAction | None = None


class TrainFacts(BaseModel):
    """The session after it, what there is to see, and what became of the action."""

    state: StateFacts
    #: As `scene_json` writes it, with the question as in the view of a game.
    scene: dict[str, object]
    said: str
