"""Puzzles as tasks: some of a game, and the one of the day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from number_duels.core.game import AnyGame
from number_duels.core.randomness import stream
from number_duels.review.position import AnySolution
from number_duels.terminal.train.sitting import Task, Tasks, Verdict
from number_duels.trainer.answers import Answer
from number_duels.trainer.book import Book
from number_duels.trainer.daily import daily, squares
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import Feedback
from number_duels.trainer.puzzle_feedback import judge_puzzle
from number_duels.trainer.puzzles import Puzzle, puzzles

#: After so many wrong tries the puzzle of the day is explained.
DAILY_TRIES = 3


@dataclass(frozen=True)
class PuzzleTask(Task):
    """A puzzle that is asked."""

    puzzle: Puzzle = field(kw_only=True)
    #: Whether a wrong answer gives nothing away, because it can be tried again.
    again: bool = False

    def judge(self, answer: Answer) -> Feedback:
        found = judge_puzzle(self.puzzle, self.exercise.solution, answer.text)
        if self.puzzle.mistake:
            found = replace(found, cost=0.0)  # nobody plays what is named
        if found.right or not self.again:
            return found
        return replace(found, sentences=("Try again.",), good=(), bad=(), best=(), line=None)


def puzzle_task(
    puzzle: Puzzle, solution: AnySolution, kind: str, note: str, *, again: bool = False
) -> PuzzleTask:
    exercise = Exercise(puzzle.spot.open(), solution)
    facts = (f"puzzle {puzzle.stars}",)
    remarks = () if again else (puzzle.note,)
    return PuzzleTask(
        exercise, kind, puzzle.prompt, facts, note, remarks, puzzle=puzzle, again=again
    )


def fitting_puzzles(game: str, grade: int | None) -> list[Puzzle]:
    """The puzzles of a game with a grade, or all; a ValueError where it has none."""
    return [puzzle for puzzle in puzzles(game) if grade in (None, puzzle.grade)]


class PuzzleTasks(Tasks):
    """Puzzles in an order of chance, those first that were not solved yet."""

    def __init__(self, found: list[Puzzle], book: Book, seed: int, count: int) -> None:
        solved = {answer.note for answer in book.answers if answer.right}
        mixed = stream(seed, "puzzles").sample(found, len(found))
        self._waiting = sorted(mixed, key=lambda puzzle: puzzle.id in solved)[:count]
        self.count = len(self._waiting)

    @property
    def game(self) -> AnyGame | None:
        return self._waiting[0].spot.open().game if self._waiting else None

    def draw(self, solution: AnySolution) -> Task:
        puzzle = self._waiting.pop(0)
        return puzzle_task(puzzle, solution, "puzzle", puzzle.id)


class DailyTasks(Tasks):
    """The puzzle of a day, tried until it is solved or explained."""

    count = 1
    can_skip = False

    def __init__(self, day: date, book: Book) -> None:
        self.day, self.puzzle = day, daily(day)
        self._book = book
        #: What was tried, in this sitting and before.
        self.tries = [a.right for a in book.answers if (a.kind, a.note) == ("daily", str(day))]

    @property
    def is_done(self) -> bool:
        return any(self.tries) or len(self.tries) >= DAILY_TRIES

    @property
    def game(self) -> AnyGame | None:
        return None if self.is_done else self.puzzle.spot.open().game

    def draw(self, solution: AnySolution) -> Task:
        again = len(self.tries) < DAILY_TRIES - 1
        return puzzle_task(self.puzzle, solution, "daily", str(self.day), again=again)

    def place(self, asked: int) -> str:
        return f"try {len(self.tries) + 1} of {DAILY_TRIES}"

    def answered(self, verdict: Verdict) -> None:
        self.tries.append(verdict.right)

    def summary(self) -> Iterator[str]:
        """A line to share."""
        if self.is_done:
            streak = self._book.daily_streak(self.day)
            solved_now = any(self.tries) and not has_solved(self._book, self.day)
            yield squares(self.day, self.tries, streak + solved_now)


def has_solved(book: Book, day: date) -> bool:
    """Whether a book has a day's puzzle solved already."""
    return any(a.right for a in book.answers if (a.kind, a.note) == ("daily", str(day)))
