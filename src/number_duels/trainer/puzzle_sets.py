"""Puzzles for other tools: JSON Lines in which each puzzle explains itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from number_duels.core.board import in_words
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.puzzles import Puzzle


def puzzle_lines(puzzles: Iterable[Puzzle], solution: AnySolution) -> Iterator[str]:
    """A line for each puzzle of a game, of which `solution` is the solution.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> line, *_ = puzzle_lines(puzzles("number-knot"), solve(load("number-knot")))
    >>> sorted(json.loads(line))[:6]
    ['answers', 'board', 'deal', 'game', 'grade', 'id']
    """
    return (json.dumps(puzzle_json(puzzle, solution), ensure_ascii=False) for puzzle in puzzles)


def puzzle_json(puzzle: Puzzle, solution: AnySolution) -> dict[str, object]:
    """A puzzle with its board in words, its options with their values, and its answers."""
    spot = puzzle.spot.open()
    exercise = Exercise(spot, solution)
    found = {option.move: option for option in exercise.options}
    moves = list(map(str, spot.options))
    return {
        "id": puzzle.id,
        **spot.spot.to_json(),
        "title": spot.game.title,
        "board": list(in_words(spot.board)),
        "prompt": puzzle.prompt,
        "answers": list(puzzle.answers),
        "value": exercise.value,
        "options": [
            {
                "move": move,
                "words": found[move].words,
                "value": found[move].value,
                "guarantee": found[move].guarantee,
                "probability": found[move].probability,
            }
            for move in moves
        ],
        "themes": list(puzzle.themes),
        "grade": puzzle.grade,
        "note": puzzle.note,
    }
