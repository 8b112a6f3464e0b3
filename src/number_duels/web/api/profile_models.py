"""What requests about a profile and their answers look like."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictBool

from number_duels.web.api.models import Body, Name, Nothing, TallyFacts

__all__ = ["Me", "Nothing", "ProfileName", "Redeeming", "Statistics", "TransferCode"]


class ProfileName(Body):
    """What somebody is called in new games."""

    name: Name = ""


class Redeeming(Body):
    """A code; `merge` says whether the games of this browser come along, if it has any."""

    code: Annotated[str, Field(strict=True, min_length=1, max_length=64)]
    merge: StrictBool | None = None


class TransferCode(BaseModel):
    """A code to be typed in another browser, and the seconds in which it works, once."""

    code: str
    expires_s: int


class GameLine(BaseModel):
    """One game of a profile; the board is there while it runs, the game itself while `kept`."""

    id: str
    game: str
    title: str
    settings: dict[str, int | str]
    seat: int
    names: list[str]
    opponent: str
    your_turn: bool
    over: bool
    result: str
    reason: str
    updated: str
    board: list[dict[str, object]] | None
    #: Whether the other seat is taken.
    seated: bool
    kept: bool
    #: Whom one plays against, and how it stands or ended, in words.
    against: str
    status: str


class Me(BaseModel):
    """A profile with its games, the latest first; nobody's is empty, and was never created."""

    name: str
    created: str | None
    running: list[GameLine]
    finished: list[GameLine]


class ScoreFacts(BaseModel):
    """How often somebody won, and the mean of the chances thrown away; 1 is a whole game."""

    games: int
    won: int
    drawn: int
    lost: int
    thrown_away_a_game: float | None


class TotalFacts(TallyFacts):
    """The figures of several games."""

    games: int


class GroupFacts(ScoreFacts):
    """Games that have something in common."""

    figures: TotalFacts
    opponents: dict[str, ScoreFacts]


class GameGroupFacts(GroupFacts):
    """The games with one name."""

    title: str


class ResultFacts(BaseModel):
    """One finished game; its id while it is kept."""

    started: str
    finished: str
    game: str
    opponent: str
    name: str
    result: Literal["won", "drawn", "lost"]
    thrown_away: float | None
    #: The cost as people read it.
    cost: str | None
    id: str | None
    against: str


class Statistics(ScoreFacts):
    """A profile's own record, as `duels stats --json` has it, by game, person and month, too."""

    streak: int
    longest_streak: int
    opponents: dict[str, ScoreFacts]
    people: dict[str, ScoreFacts]
    by_game: dict[str, GameGroupFacts]
    months: dict[str, GroupFacts]
    over_time: list[ResultFacts]
    phases: dict[str, TotalFacts]
    figures: TotalFacts
    left_out: dict[str, int]
    ungraded: dict[str, int]
    #: Games whose decisions are still to be graded.
    waiting: int
    #: What a page draws, as `scene_json` writes it.
    scene: dict[str, object]
