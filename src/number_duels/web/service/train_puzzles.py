"""Puzzles as a page shows them, without their answers; and what an answer is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from random import Random

from number_duels.review.json import JsonObject
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.puzzle_feedback import judge_puzzle
from number_duels.trainer.puzzles import Puzzle, find_puzzle, puzzles
from number_duels.web.service.analysis import solution
from number_duels.web.service.train_exercises import Judged, judged, spot_json


def choose_puzzle(game: str, grade: int | None, seen: Collection[str]) -> str:
    """The id of a puzzle that fits; a ValueError says so where none is left."""
    known = set(seen)
    fitting = [one.id for one in puzzles(game) if grade in (None, one.grade)]
    left = [one for one in fitting if one not in known]
    if not left:
        raise ValueError("There are no more of these puzzles; choose another grade.")
    return Random().choice(left)


def puzzle_set_json(game: str) -> JsonObject:
    """How many puzzles a game has, of each grade."""
    found = puzzles(game)
    return {
        "count": len(found),
        "grades": {str(grade): n for grade, n in sorted(Counter(p.grade for p in found).items())},
    }


def open_puzzle(puzzle_id: str, day: str) -> JsonObject:
    """A puzzle with its board and what is asked, and nothing of its answer."""
    puzzle = find_puzzle(puzzle_id)
    spot = puzzle.spot.open()
    return {
        **spot_json(spot, puzzle.prompt),
        "puzzle": puzzle.id,
        "grade": puzzle.grade,
        "stars": puzzle.stars,
        "title": spot.game.title,
        "day": day,
    }


def judge_answer(puzzle_id: str, text: str, time_limit: float) -> Judged:
    """What an answer to a puzzle is worth, for what the puzzle asks."""
    puzzle: Puzzle = find_puzzle(puzzle_id)
    spot = puzzle.spot.open()
    solved = solution(spot.game, time_limit)
    feedback = judge_puzzle(puzzle, solved, text)
    if puzzle.mistake:
        feedback = replace(feedback, cost=0.0)  # nobody plays what is named
    feedback = replace(feedback, sentences=(*feedback.sentences, puzzle.note))
    return judged(Exercise(spot, solved), str(spot.game.parse(text)), feedback)
