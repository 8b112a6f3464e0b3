"""A sitting with the trainer: tasks one after the other, each answer judged and written down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from statistics import fmean

from number_duels.core.board import Part
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution
from number_duels.review.words import percent
from number_duels.trainer.answers import MIXTURE, Answer
from number_duels.trainer.book import Book, Card
from number_duels.trainer.book_file import BookFile
from number_duels.trainer.events import AddCard, AnswerGiven, TrainingEvent
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.schedule import scheduler
from number_duels.trainer.series import Series, series
from number_duels.trainer.spot import OpenSpot

#: A miss counts as the first answer to the card that it makes, so it comes a moment later.
MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Task:
    """An exercise, and what is said about it."""

    exercise: Exercise
    #: `drill`, `book`, `puzzle`, …: as the book has it.
    kind: str
    prompt: str
    #: Where it comes from, in a few words.
    facts: tuple[str, ...] = ()
    #: Which puzzle it is, or of which day.
    note: str = ""

    #: What is said about it once it is answered.
    remarks: tuple[str, ...] = ()

    @property
    def spot(self) -> OpenSpot:
        return self.exercise.spot

    @property
    def source(self) -> str:
        """What a card says of where it comes from."""
        return "drill" if self.kind in ("drill", "book") else "puzzle"

    def judge(self, answer: Answer) -> Feedback:
        """What an answer is worth, for what is asked."""
        return judge(self.exercise, answer)


@dataclass(frozen=True)
class Remark:
    """Something that is said, with the position that shows it; nothing is asked."""

    game: AnyGame
    text: str
    board: tuple[Part, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What an answer was worth, and what became of it."""

    task: Task
    answer: Answer
    feedback: Feedback
    #: When the position comes back, in a sentence; empty where it is not in the book.
    comes_back: str
    #: All answers to this spot so far, where it is asked again and again.
    series: Series | None = None

    @property
    def right(self) -> bool:
        return self.feedback.right


class Tasks(ABC):
    """Where tasks come from."""

    #: How many there are at most.
    count: int
    #: Whether it is one spot again and again.
    one_spot = False
    can_skip = True
    #: Whether a position that was missed can be asked once more, at once.
    can_repeat = False

    @property
    @abstractmethod
    def game(self) -> AnyGame | None:
        """The game of the next task, whose solution is needed; None: there are no more."""

    @abstractmethod
    def draw(self, solution: AnySolution) -> Task | Remark:
        """The next task, or something that is said first; a ValueError: why there is none."""

    def answered(self, verdict: Verdict) -> None:  # noqa: B027  # most need not know
        """What was drawn last has been answered."""

    def place(self, asked: int) -> str:
        """Which task it is."""
        return f"{asked} of {self.count}"

    def summary(self) -> Iterator[str]:
        """What is said at the end, besides how many were right."""
        yield from ()


class Sitting:
    """All that is asked and answered between sitting down and getting up."""

    def __init__(self, tasks: Tasks, file: BookFile, clock: Clock = SYSTEM_CLOCK) -> None:
        scheduler()  # says what to install, before anything is answered
        self.tasks, self.file, self.clock = tasks, file, clock
        self.book = file.read()
        self.verdicts: list[Verdict] = []
        self.asked = 0

    def draw(self, solution: AnySolution) -> Task | Remark:
        task = self.tasks.draw(solution)
        self.asked += 1
        return task

    def answer(self, task: Task, answer: Answer) -> Verdict:
        """Judge an answer; it is on disk before anybody sees what it was worth."""
        feedback = task.judge(answer)
        events: list[TrainingEvent] = []
        now = self.clock.now()
        known = self.card(task) is not None
        missed = not feedback.right and feedback.cost > 0 and task.kind != "lesson"
        if missed and not known:
            events.append(AddCard.of(task.spot, now, source=task.source, cost=feedback.cost))
        events.append(
            AnswerGiven.of(
                task.spot,
                now + MOMENT,
                kind=task.kind,
                form=task.exercise.form,
                answer=answer.text,
                cost=feedback.cost,
                right=feedback.right,
                phase=task.exercise.phase,
                note=task.note,
            )
        )
        self.write(*events)
        said = self.comes_back(task) if known or missed else ""
        verdict = Verdict(task, answer, feedback, said, self.series_with(task, answer))
        self.verdicts.append(verdict)
        self.tasks.answered(verdict)
        return verdict

    def series_with(self, task: Task, answer: Answer) -> Series | None:
        """What all answers to a repeated spot tell; a mixture tells everything by itself."""
        if not self.tasks.one_spot or task.exercise.form == MIXTURE or not self.verdicts:
            return None
        given = [verdict.answer for verdict in self.verdicts]
        return series(task.exercise, [*given, answer])

    # ---- the book --------------------------------------------------------------

    def add(self, task: Task) -> str:
        """Put a position into the book because somebody wants it there."""
        if not self.card(task):
            self.write(AddCard.of(task.spot, self.clock.now(), source=task.source, cost=0.0))
        return self.comes_back(task)

    def write(self, *events: TrainingEvent) -> None:
        self.file.append(*events)
        self.book = Book((*self.book.events, *events), self.book.notice)

    def card(self, task: Task) -> Card | None:
        """The card of a position; all others need not be scheduled for it."""
        own = Book(tuple(event for event in self.book.events if event.card == task.spot.id))
        return own.card(task.spot.id)

    def comes_back(self, task: Task) -> str:
        card = self.card(task)
        when = card.comes_back(self.clock.now()) if card else "now"
        return f"In your book; it comes back {'today' if when == 'now' else when}."

    # ---- how it went -----------------------------------------------------------

    @property
    def right(self) -> int:
        return sum(verdict.right for verdict in self.verdicts)

    @property
    def place(self) -> str:
        return self.tasks.place(self.asked)

    @property
    def standing(self) -> str:
        """How it goes so far."""
        return f"{self.right} of {len(self.verdicts)} right" if self.verdicts else ""

    def summary(self) -> Iterator[str]:
        """How it went, in a sentence or two."""
        yield from self.tasks.summary()
        count = len(self.verdicts)
        if not count:
            return
        cost = fmean(verdict.feedback.cost for verdict in self.verdicts) / 2
        lost = f"{percent(cost)} of the points thrown away on average" if cost else "nothing lost"
        yield f"{self.standing}, {lost}."
        missed = {v.task.spot.id for v in self.verdicts if not v.right and self.card(v.task)}
        if missed:
            one = "position that you missed is" if len(missed) == 1 else "that you missed are"
            yield f"{len(missed)} {one} in your book."
