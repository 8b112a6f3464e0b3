"""What an answer to a puzzle is worth: the engine's verdict, for what the puzzle asks."""

from __future__ import annotations

from dataclasses import replace

from number_duels.review.position import AnySolution
from number_duels.trainer.answers import MOVE, read_answer
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.puzzles import Puzzle


def judge_puzzle(puzzle: Puzzle, solution: AnySolution, text: str) -> Feedback:
    """The verdict on an answer as it was typed; a ValueError for what is no option.

    Where a puzzle asks for the mistake, its cost and its punishment explain the right answer.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> puzzle = next(one for one in puzzles("number-knot") if one.mistake)
    >>> judge_puzzle(puzzle, solve(load(puzzle.game)), puzzle.best[0]).headline
    'Wrong: this one costs nothing.'
    """
    spot = puzzle.spot.open()
    feedback = judge(Exercise(spot, solution), read_answer(spot, text, MOVE))
    if not puzzle.mistake:
        return feedback
    said = feedback.headline.replace("Wrong", "Right", 1)
    if feedback.right:
        said = "Wrong: this one costs nothing."
    return replace(feedback, right=not feedback.right, headline=said)
