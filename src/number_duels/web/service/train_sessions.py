"""One step of a training session, worked out in another process.

Nothing is kept between two steps: the state of the session comes back with the next action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from number_duels.core.clock import SystemClock
from number_duels.core.game import AnyGame
from number_duels.core.record import DEFAULT_PLAYERS
from number_duels.core.scene import OVER, scene_json
from number_duels.review.json import JsonObject
from number_duels.sessions.train import Plan, State, Task, TrainSession
from number_duels.trainer.book import Book, TrainingEvent
from number_duels.web.service.analysis import solution
from number_duels.web.service.question_views import asked

#: How long a position is looked for, while others wait for their answers.
LOOKING_S = 2.0
ONE, TWO = DEFAULT_PLAYERS
#: What leaves the present task, so that it need not be opened again.
GOING_ON = ("next", "skip")


@dataclass(frozen=True)
class TrainRequest:
    """What a learner wants: a new session, or an action in one."""

    plan: Plan
    state: State | None
    #: The action; empty where a session begins.
    key: str
    text: str
    event_id: str
    now: datetime


@dataclass(frozen=True)
class TrainStep:
    """The session after an action, and what its book has to keep."""

    state: State
    scene: JsonObject
    #: What became of the action, in a sentence.
    said: str
    events: tuple[TrainingEvent, ...]


@dataclass(frozen=True)
class RequestClock(SystemClock):
    """The time at which a request came."""

    time: datetime = field(kw_only=True)

    def now(self) -> datetime:
        return self.time


class RequestBook:
    """A book as the database has it, and what is new in it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.book = Book.of_lines(lines)
        self.new: list[TrainingEvent] = []

    def read(self) -> Book:
        return self.book

    def append(self, *events: TrainingEvent) -> None:
        self.new += events


def open_session(asked_for: TrainRequest, book: RequestBook) -> TrainSession:
    clock = RequestClock(time=asked_for.now)
    return TrainSession(asked_for.plan, book, clock, asked_for.state, looking_s=LOOKING_S)


def game_needed(asked_for: TrainRequest, lines: Sequence[str]) -> AnyGame | None:
    """The game whose solution a step needs; None where it needs none."""
    session = open_session(asked_for, RequestBook(lines))
    if asked_for.key in GOING_ON:
        session.act(asked_for.key)
    work = session.work()
    return work.game if work else None


def take_step(asked_for: TrainRequest, lines: Sequence[str], time_limit: float) -> TrainStep:
    """Do what is asked for; a ValueError says why that cannot be."""
    book = RequestBook(lines)
    session = open_session(asked_for, book)
    said = ""
    if asked_for.key not in GOING_ON:
        do_work(session, time_limit)
    if asked_for.key:
        said = session.act(asked_for.key, asked_for.text, asked_for.event_id)
        do_work(session, time_limit)
    return TrainStep(session.state, seen(session), said, tuple(book.new))


def do_work(session: TrainSession, time_limit: float) -> None:
    while work := session.work():
        work.run(solution(work.game, time_limit))


def seen(session: TrainSession) -> JsonObject:
    """What the learner looks at, with the question as a page draws it."""
    scene, task = session.scene(), session.task
    question = None
    if scene.question and isinstance(task, Task):
        spot = task.spot
        question = asked(spot.game, spot.view, spot.seat, spot.board, (ONE.name, TWO.name))
    return {**scene_json(scene), "question": question, "over": scene.stage == OVER}
