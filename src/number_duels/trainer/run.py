"""A run: as many puzzles as one can in three minutes, each harder than the last, three strikes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby

from number_duels.trainer.puzzles import GRADES, Puzzle, games_with_puzzles, puzzles

RUN_SECONDS = 180.0
MAX_WRONG = 3
#: How many puzzles of each grade but the last come before the next grade.
PUZZLES_PER_GRADE = 6


@dataclass(frozen=True)
class Run:
    """A run as a value: what is asked, when it began, what was answered; a clock is passed in.

    >>> run = start_run("number-knot", seed=7, now=100.0)
    >>> run = run.answered(run.puzzle.answers[0], now=110.0).answered("none of them", now=120.0)
    >>> run.score, run.wrong, run.seconds_left(now=130.0), run.is_over(now=280.0)
    (1, 1, 150.0, True)
    """

    #: All that may be asked, in order.
    puzzles: tuple[Puzzle, ...]
    #: When, by the clock that is passed in.
    began: float
    #: Which were right.
    answers: tuple[bool, ...] = ()

    @property
    def puzzle(self) -> Puzzle | None:
        """What is asked now; None where all puzzles are answered or too many were wrong."""
        done = len(self.answers)
        return self.puzzles[done] if done < len(self.puzzles) and not self.is_lost else None

    @property
    def score(self) -> int:
        """How many answers were right."""
        return sum(self.answers)

    @property
    def wrong(self) -> int:
        """How many answers were wrong."""
        return len(self.answers) - self.score

    @property
    def is_lost(self) -> bool:
        """Whether three answers were wrong."""
        return self.wrong >= MAX_WRONG

    @property
    def longest_row(self) -> int:
        """The most right answers one after the other."""
        return max((len(list(row)) for right, row in groupby(self.answers) if right), default=0)

    def seconds_left(self, now: float) -> float:
        """How much time there is, of three minutes."""
        return max(0.0, self.began + RUN_SECONDS - now)

    def is_over(self, now: float) -> bool:
        """Whether no more answers count."""
        return not self.seconds_left(now) or self.puzzle is None

    def answered(self, move: str, now: float) -> Run:
        """With an answer to the puzzle that is asked, in notation; after the end nothing counts."""
        if self.puzzle is None or self.is_over(now):
            return self
        return replace(self, answers=(*self.answers, self.puzzle.is_right(move)))


def start_run(game: str | None, seed: int, now: float) -> Run:
    """A run of one game's puzzles, or of all games' together: the same for the same seed.

    >>> run = start_run("number-knot", seed=7, now=100.0)
    >>> run.puzzle == start_run("number-knot", seed=7, now=200.0).puzzle
    True
    """
    names = games_with_puzzles() if game is None else (game,)
    ordered = sorted(
        (puzzle for name in names for puzzle in puzzles(name)),
        key=lambda puzzle: (puzzle.grade, _digest(seed, puzzle.id)),
    )
    asked: list[Puzzle] = []
    for grade, same in groupby(ordered, key=lambda puzzle: puzzle.grade):
        asked += list(same)[: None if grade == GRADES[-1] else PUZZLES_PER_GRADE]
    return Run(tuple(asked), now)


def best_score(runs: Iterable[Run]) -> int:
    """The best of some runs."""
    return max((run.score for run in runs), default=0)


def _digest(seed: int, puzzle_id: str) -> str:
    """An order that no version of Python changes."""
    return sha256(f"run {seed} {puzzle_id}".encode()).hexdigest()
