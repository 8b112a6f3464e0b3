"""The lesson of a game as tasks: what is said, what is asked, and a test at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution
from number_duels.terminal.train.sitting import Remark, Task, Tasks, Verdict
from number_duels.trainer.answers import Answer
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.lessons import TEST, Step, lesson


@dataclass(frozen=True)
class LessonTask(Task):
    """A step of a lesson that asks something."""

    step: Step = field(kw_only=True)

    def judge(self, answer: Answer) -> Feedback:
        """What the lesson says to an answer; where the rules decide, it costs nothing."""
        found = judge(self.exercise, answer)
        right, text = self.step.reply(self.exercise, answer)
        cost = 0.0 if self.step.accepts else found.cost
        said = "Right." if right else "Wrong."
        text = text.removeprefix(said).strip()
        line = None if right or self.step.accepts else found.line
        return replace(
            found,
            right=right,
            cost=cost,
            headline=said,
            sentences=(text,),
            good=(),
            bad=(),
            line=line,
        )


class LessonTasks(Tasks):
    """The steps of a lesson, from where somebody stopped."""

    def __init__(self, game: AnyGame, place: str = "") -> None:
        self._game, self._lesson = game, lesson(game)
        self._steps = self._lesson.steps
        self.count = len(self._steps)
        done = int(place) if place.isdecimal() else 0
        self._next = done if done < self.count else 0
        self._test: list[bool] = []

    @property
    def begins_at(self) -> int:
        """How many steps were done before."""
        return self._next

    @property
    def game(self) -> AnyGame | None:
        return self._game if self._next < self.count else None

    def draw(self, solution: AnySolution) -> Task | Remark:
        step = self._steps[self._next]
        self._next += 1
        what = "test" if step.kind == TEST else step.principle
        facts = tuple(filter(None, [what]))
        if not step.asks:
            return Remark(self._game, step.text, step.board, facts)
        exercise = step.exercise(solution)
        return LessonTask(exercise, "lesson", step.text, facts, str(self._next), step=step)

    def place(self, asked: int) -> str:
        return f"lesson, step {self._next} of {self.count}"

    def answered(self, verdict: Verdict) -> None:
        task = verdict.task
        if isinstance(task, LessonTask) and task.step.kind == TEST:
            self._test.append(verdict.right)

    def summary(self) -> Iterator[str]:
        if self._test and self._next == self.count:
            yield f"The test: {sum(self._test)} of {len(self._test)} right."
            yield f"Now play {self._lesson.title}, or drill it."
