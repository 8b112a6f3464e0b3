"""Functions that the worker processes run, for moves, hints, reviews and analyses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Chance, Seat
from number_duels.core.player import AnyMatch, Player, situation
from number_duels.core.questions import labels
from number_duels.core.scene import Frame, frame_json, scene_json
from number_duels.core.settings import read_settings
from number_duels.games import find, load
from number_duels.players.registry import seat_player
from number_duels.review.json import (
    JsonObject,
    habit_json,
    option_json,
    players_json,
    position_json,
    turns_json,
)
from number_duels.review.position import AnySolution
from number_duels.sessions.analyze import AnalyzeSession
from number_duels.sessions.narration import trimmed
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.review import ReviewSession
from number_duels.sessions.scene_tables import hint_of, hint_steps, scene_lines
from number_duels.solvers import solve
from number_duels.solvers.solver import is_kept
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import AnswerTimeout
from number_duels.web.service.runner import progress
from number_duels.web.service.solve_limits import load_solvers
from number_duels.web.service.view_models import AnswerView, QuestionView
from number_duels.web.service.views import asked, board, first_lines

#: The time limit for building a game's strategy arrays, once per game.
MAX_ARRAYS_SECONDS = 10.0
#: A time limit of zero opens only cached solutions.
KEPT_ONLY = 0.0


class SolveTimeout(AnswerTimeout):
    """Raised if solving a game takes longer than this server allows."""


@dataclass(frozen=True)
class AnalysisRequest:
    game: str
    moves: str = ""
    deal: str | None = None
    first: str | None = None
    settings: tuple[str, ...] = ()
    line: str = ""
    names: tuple[str, str] = (str(Seat.ONE), str(Seat.TWO))


def load_libraries() -> None:
    # Otherwise, the first call would have to wait.
    load_solvers()


def give_up_after(
    seconds: float, title: str, clock: Clock = SYSTEM_CLOCK
) -> Callable[[float], None]:
    end = clock.monotonic() + seconds

    def report(share: float) -> None:
        progress.report(share)
        if clock.monotonic() >= end:
            raise SolveTimeout(
                f"{title} with these settings takes too long to solve on this server now;"
                " try again in a moment."
            )

    return report


@lru_cache(maxsize=8)
def player(who: str, game: AnyGame, time_limit: float) -> Player:
    found = seat_player(who, game, give_up_after(time_limit, game.title))
    assert found is not None
    return found


@lru_cache(maxsize=8)
def opened(game: AnyGame, time_limit: float) -> AnySolution:
    return solve(game, progress=give_up_after(time_limit, game.title))


def solution(game: AnyGame, time_limit: float) -> AnySolution:
    """Return the solution of a game, with its strategy arrays if they are cached."""
    found = opened(game, time_limit)
    with suppress(SolveTimeout):  # without arrays, each state's strategy is computed
        found.open_arrays(give_up_after(KEPT_ONLY, game.title))
    return found


class LateSolution(AnySolution):
    def __init__(self, game: AnyGame, time_limit: float) -> None:
        self.game, self.time_limit = game, time_limit

    def __getattr__(self, name: str) -> object:
        if "tables" in vars(self):
            raise AttributeError(name)
        vars(self).update(vars(solution(self.game, self.time_limit)))
        return getattr(self, name)


def make_ready(game: AnyGame, time_limit: float) -> bool:
    """Solve a game, and build its strategy arrays if that is quick.

    Return whether the solution is in the cache.
    """
    if not is_kept(game):
        opened.cache_clear()  # it was removed from the cache and must be solved again
    found = opened(game, time_limit)
    with suppress(SolveTimeout):
        found.open_arrays(give_up_after(min(time_limit, MAX_ARRAYS_SECONDS), game.title))
    return is_kept(game)


def prepare(who: str, game: AnyGame, time_limit: float) -> None:
    player(who, game, time_limit)


def choose(stored: StoredGame, match: AnyMatch, seat: Seat, time_limit: float) -> str:
    # The same match always gives the same move.
    computer = player(stored.seats[seat].who, stored.game, time_limit)
    return str(computer.choose(situation(match, seat)))


def hint(stored: StoredGame, match: AnyMatch, seat: Seat, time_limit: float) -> JsonObject:
    solved = solution(stored.game, time_limit)
    position, scene = hint_of(solved, match.history, seat, stored.names_for(seat))
    advised = (line for table in scene.tables for line in table.sentences)
    return {
        "text": [*scene_lines(scene)],
        "advice": [scene.detail, *advised, *scene.lines],
        "value": position.value,
        "options": [option_json(option) for option in position.options.get(seat, ())],
        "scene": scene_json(scene),
        "steps": [scene_json(step) for step in hint_steps(scene)],
    }


def steps_view(stored: StoredGame, match: AnyMatch, viewer: Seat | None) -> list[JsonObject]:
    names, more = stored.names_for(viewer), first_lines(stored)
    return steps_json(ReplaySession.of(match, viewer, names, more).frames)


def steps_json(frames: Sequence[Frame]) -> list[JsonObject]:
    moves = [after.at[len(before.at) :].strip() for before, after in pairwise(frames)]
    return [
        frame_json(replace(frame, lines=tuple(trimmed(frame.lines)))) | {"move": move}
        for frame, move in zip(frames, ("", *moves), strict=True)
    ]


def review_game(
    match: AnyMatch, names: tuple[str, str], viewer: Seat | None, time_limit: float
) -> JsonObject:
    session = ReviewSession(match, names, () if viewer is None else (viewer,))
    while work := session.work():
        work.run(solution(work.game, time_limit))
    scene, found = session.scene(), session.review
    assert found
    grades, mistakes = turns_json(found), iter(found.mistakes)
    for finding, grade in zip(scene.findings, grades, strict=True):
        if finding.frames:
            line = next(mistakes).line
            grade["why"] = " ".join([*finding.verdict.sentences, finding.right])
            grade["line"] = {
                "moves": line.moves,
                "value": line.left.value,
                "steps": steps_json(finding.frames),
            }
    return {
        "text": list(scene.lines),
        "course": list(found.course),
        "skill": list(found.skill),
        "luck": list(found.luck),
        "grades": grades,
        "players": players_json(found),
        "habits": [habit_json(habit) for habit in found.habits],
        "decisive": next((grade for grade in grades if grade["decisive"]), None),
        "scene": scene_json(scene),
    }


def analysis(request: AnalysisRequest, time_limit: float) -> JsonObject:
    session = session_of(request)
    game, state, turn = session.game, session.history.state, session.history.turn
    while work := session.work():
        work.run(solution(game, time_limit))
    position, scene, spot = session.position, session.scene(), session.spot
    assert position
    options = {}
    for seat, found in position.options.items():
        words = {str(move): label for move, label in labels(game.question(state, seat)).items()}
        options[str(seat + 1)] = [{**option_json(one), "label": words[one.move]} for one in found]
    return {
        **position_json(game, str(session.history), position),
        "title": scene.title,
        "verdict": scene.detail,
        "advice": [
            line for table in scene.tables for line in table.sentences if table.kind == "options"
        ],
        "options": options,
        "board": board(game, state),
        "draws": [str(event) for event in turn.odds] if isinstance(turn, Chance) else [],
        "scene": {**scene_json(scene), "question": question_of(session)},
        "spot": spot and spot.spot.to_json(),
    }


def question_of(session: AnalyzeSession) -> QuestionView | None:
    if not session.asked:
        return None
    game, state, seat = session.game, session.history.state, session.asked[0]
    found = asked(game, state, seat, game.board(state), session.names)
    return keyed(found, partial(session.at_with, seat))


def keyed(question: QuestionView, key: Callable[[str], str]) -> QuestionView:
    answers: list[AnswerView] = []
    for answer in question["answers"]:
        if "next" in answer:
            answers.append({**answer, "next": keyed(answer["next"], key)})
        else:
            answers.append({**answer, "move": key(answer["move"])})
    return {**question, "answers": answers}


def session_of(request: AnalysisRequest) -> AnalyzeSession:
    return AnalyzeSession(
        game_of(request), request.deal, request.moves, request.names, request.line
    )


def game_of(request: AnalysisRequest) -> AnyGame:
    chosen = read_settings(request.settings, find(request.game).describe_settings())
    if request.first is not None:
        chosen["first"] = int(request.first)
    return load(request.game, **chosen)
