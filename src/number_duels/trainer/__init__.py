"""Training: drills, puzzles, lessons, and a book of your own mistakes.

>>> from random import Random
>>> import number_duels as nd
>>> from number_duels.trainer import Drills, Learner, Scope, judge, read_answer
>>> drills = Drills(nd.solve(nd.load("number-knot", numbers=6)))
>>> exercise = drills.draw(Scope(), Learner(), Random(7))
>>> feedback = judge(exercise, read_answer(exercise.spot, exercise.best[0], "move"))
>>> feedback.right, feedback.cost
(True, 0.0)
"""

from number_duels.trainer.book import Learner, MissRate
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import MIXED, MOVE, Answer, Exercise, read_answer
from number_duels.trainer.feedback import BestReply, Feedback, MoveShare, Series, judge, series
from number_duels.trainer.lessons import Lesson, lesson
from number_duels.trainer.puzzles import Puzzle, daily, judge_puzzle, puzzle_lines, puzzles, squares
from number_duels.trainer.spot import OpenSpot, Spot

__all__ = [
    "Drills",
    "Scope",
    "MOVE",
    "MIXED",
    "Exercise",
    "Spot",
    "OpenSpot",
    "Answer",
    "read_answer",
    "judge",
    "Feedback",
    "BestReply",
    "Learner",
    "MissRate",
    "series",
    "Series",
    "MoveShare",
    "puzzles",
    "Puzzle",
    "puzzle_lines",
    "judge_puzzle",
    "daily",
    "squares",
    "lesson",
    "Lesson",
]
