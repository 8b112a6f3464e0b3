"""Exercises and what answers to them are worth, worked out in another process.

Nothing is kept between an exercise and its answer: the spot comes back with the answer, and is
opened again by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.questions import labels
from number_duels.core.record import DEFAULT_PLAYERS, Record
from number_duels.review.json import JsonObject, option_json
from number_duels.trainer.answers import MOVE, read_answer
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import Feedback, feedback_json, judge
from number_duels.trainer.series import series, series_json, series_lines
from number_duels.trainer.spot import OpenSpot, Spot
from number_duels.web.db.stored_game import SeatHolder, StoredGame
from number_duels.web.service.analysis import solution
from number_duels.web.service.steps import line_view
from number_duels.web.service.train_books import book_of
from number_duels.web.service.view_models import StepView, View
from number_duels.web.service.views import make_view

ONE, TWO = DEFAULT_PLAYERS
#: Both seats of an exercise are taken, by nobody in particular.
SEATS = SeatHolder(ONE.name, token="-"), SeatHolder(TWO.name, token="-")


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as it comes from a client: where, and in which form."""

    spot: Spot
    form: str
    text: str


@dataclass(frozen=True)
class Judged:
    """What an answer was worth, for the book; and all of it, for who answered."""

    spot: OpenSpot
    #: The answer as one would type it.
    answer: str
    feedback: Feedback
    facts: JsonObject


#: How long a position is looked for, while others wait for their answers.
LOOKING_S = 2.0


@lru_cache(maxsize=8)
def drills(game: AnyGame, time_limit: float) -> Drills:
    """The drills of a game, which know what is easy and what is hard in it."""
    return Drills(solution(game, time_limit))


def draw_drill(
    game: AnyGame, scope: Scope, answers: Sequence[str], seen: Sequence[str], time_limit: float
) -> JsonObject:
    """The next drill of somebody who has seen some, by the answers in their book."""
    learner = book_of(answers).learner(game.name)
    found = drills(game, time_limit).draw(scope, learner, Random(), seen, limit_s=LOOKING_S)
    return exercise_json(found)


def open_exercise(spot: Spot, form: str, time_limit: float) -> JsonObject:
    """A given spot as an exercise."""
    opened = spot.open()
    return exercise_json(Exercise(opened, solution(opened.game, time_limit), form))


def judge_answer(given: GivenAnswer, time_limit: float) -> Judged:
    """What an answer to a spot is worth; a ValueError says what is no answer there."""
    spot = given.spot.open()
    exercise = Exercise(spot, solution(spot.game, time_limit), given.form)
    answer = read_answer(spot, given.text, given.form)
    return judged(exercise, answer.text, judge(exercise, answer))


def judged(exercise: Exercise, answer: str, feedback: Feedback) -> Judged:
    """A verdict with every option in the words of the board, and its line as steps."""
    spot = exercise.spot
    words = {str(move): label for move, label in labels(spot.question).items()}
    facts: JsonObject = {
        **feedback_json(feedback),
        "answer": answer,
        "options": [
            {**option_json(one), "label": words.get(one.move, one.words)}
            for one in exercise.options
        ],
        "steps": [] if feedback.line is None else punishment(spot, feedback.line),
    }
    return Judged(spot, answer, feedback, facts)


def tell_series(spot: Spot, moves: Sequence[str], time_limit: float) -> JsonObject:
    """How far the frequencies of some answers to one spot are from perfect play's."""
    opened = spot.open()
    exercise = Exercise(opened, solution(opened.game, time_limit))
    found = series(exercise, [read_answer(opened, text, MOVE) for text in moves])
    return {**series_json(found), "lines": list(series_lines(found))}


# ---- as a page shows it --------------------------------------------------------


def exercise_json(exercise: Exercise) -> JsonObject:
    """An exercise with its board and its question, and nothing of its answer."""
    about = {"form": exercise.form, "phase": exercise.phase, "level": exercise.level}
    return {**spot_json(exercise.spot, exercise.prompt), **about}


def spot_json(spot: OpenSpot, prompt: str) -> JsonObject:
    """A spot in which a move is asked for, as a page shows it."""
    return {
        "id": spot.id,
        "spot": spot.spot.to_json(),
        "form": MOVE,
        "phase": "",
        "level": "",
        "prompt": prompt,
        "view": spot_view(spot.spot),
    }


def spot_view(where: Spot) -> View:
    """A position as a seat sees it at a table, without what happened before the last turn."""
    stored, match = table_of(where)
    view = make_view(stored, match, where.seat, frozenset(Seat), removed_at=0.0)
    return {**view, "expires": None, "kept_until": None, "log": []}


def punishment(spot: OpenSpot, line: str) -> list[StepView]:
    """A line from the position of a spot, turn by turn."""
    stored, match = table_of(spot.spot)
    return line_view(stored, match, line, match.turn_number)


def table_of(where: Spot) -> tuple[StoredGame, AnyMatch]:
    """A table at which the game of a spot was played so far."""
    match = Record(where.game, where.settings, where.deal, 0, moves=where.moves).match()
    game = match.game
    stored = StoredGame("", game.name, game.settings, where.deal, 0, SEATS, started="")
    return stored, match
