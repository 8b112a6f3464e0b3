"""The trainer by HTTP: drills, exact feedback, series; a spot is foreign input."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from pydantic import BaseModel

import number_duels as nd
from number_duels.core.clock import SystemClock
from number_duels.trainer.daily import daily
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import find_puzzle, puzzles
from number_duels.trainer.spot import Spot
from number_duels.web.api import train_models as models
from tests.some_games import both_choose
from tests.web.local import LocalServer
from tests.web.people import Json

#: Where perfect play chooses by chance.
MIXED = {"game": "high-low-battle", "settings": {"cards": 5}, "deal": None, "moves": "", "seat": 1}
KNOT = {"game": "number-knot", "settings": {"numbers": 6}, "deal": None, "moves": "", "seat": 1}
PUZZLES = puzzles("number-knot")
FIRST_GRADE = [puzzle.id for puzzle in PUZZLES if puzzle.grade == 1]

#: What each answer is described as.
DESCRIBED: dict[str, type[BaseModel]] = {
    "drill": models.ExerciseFacts,
    "exercise": models.ExerciseFacts,
    "answer": models.FeedbackFacts,
    "series": models.SeriesFacts,
    "puzzle": models.PuzzleFacts,
}


def post(http: httpx.Client, what: str, body: Mapping[str, object]) -> Json:
    answer = http.post(f"/api/train/{what}", json=body)
    assert answer.status_code == 200, answer.text
    described = DESCRIBED[what].model_validate(answer.json())
    assert answer.json().keys() == described.model_dump().keys()
    return answer.json()


def small(game: str) -> dict[str, int]:
    """Settings with which a game is solved in a moment."""
    sizes = {"cards": 5, "rounds": 3, "numbers": 6, "target": 20, "highest": 6, "copies": 2}
    known = nd.load(game).settings
    return {name: size for name, size in sizes.items() if name in known}


@pytest.mark.parametrize(
    "game",
    [name if small(name) else pytest.param(name, marks=pytest.mark.slow) for name in nd.games()],
)
def test_a_drill_is_answered_and_judged_by_the_solution(http: httpx.Client, game: str) -> None:
    found = post(http, "drill", {"game": game, "settings": small(game)})
    spot = Spot.from_json(found["spot"]).open()
    assert found["id"] == spot.id
    assert found["view"]["you"] == spot.seat + 1
    assert found["view"]["options"] == [str(move) for move in spot.options]
    assert not {"best", "options", "value"} & found.keys(), "the answer is not told with it"
    solution = nd.solve(spot.game)
    values = solution.values(spot.state, spot.seat)
    for move in spot.options:
        told = post(http, "answer", {"spot": found["spot"], "answer": str(move)})
        gap = max(values.values()) - values[move]
        if not both_choose(game):
            assert told["cost"] == pytest.approx(gap, abs=1e-6)
            assert told["right"] == (gap < 1e-6)
        assert told["right"] == (str(move) in told["best"])
        assert bool(told["steps"]) == (not told["right"])
        assert not told["kept"], "nobody is there to keep it for"
    assert {option["move"] for option in told["options"]} == {str(m) for m in spot.options}


def test_what_was_seen_does_not_come_again(http: httpx.Client) -> None:
    seen: list[str] = []
    for _ in range(12):
        found = post(http, "drill", {**KNOT_DRILL, "seen": seen})
        assert found["id"] not in seen
        seen.append(found["id"])


KNOT_DRILL = {"game": "number-knot", "settings": {"numbers": 6}, "phase": "end"}


def test_a_mixture_is_read(http: httpx.Client) -> None:
    asked = post(http, "exercise", {"spot": MIXED, "form": "mixture"})
    assert "how often" in asked["prompt"]
    told = post(http, "answer", {"spot": MIXED, "form": "mixture", "answer": "1:50 5:50"})
    assert told["reader"]["taken"] > 0
    assert not told["right"]
    perfect = " ".join(f"{o['move']}:{100 * o['probability']:.6f}" for o in told["options"])
    told = post(http, "answer", {"spot": MIXED, "form": "mixture", "answer": perfect})
    assert told["right"]
    assert told["reader"]["taken"] < 0.001


def test_a_series_tells_the_distance_from_perfect_play(http: httpx.Client) -> None:
    told = post(http, "series", {"spot": MIXED, "answers": ["5"] * 20})
    assert told["count"] == 20
    shares = {one["move"]: one for one in told["moves"]}
    assert shares["5"]["share"] == 1
    assert shares["5"]["low"] > shares["5"]["perfect"]
    assert told["low"] < told["distance"] <= told["high"]


def test_a_puzzle_comes_without_its_answer_and_is_judged_by_what_it_asks(
    http: httpx.Client,
) -> None:
    known = http.get("/api/train/puzzles?game=number-knot").json()
    assert sum(known["grades"].values()) == known["count"]
    for asks_for_mistake in (False, True):
        seen = [one.id for one in PUZZLES if bool(one.mistake) is not asks_for_mistake]
        found = post(http, "puzzle", {"game": "number-knot", "grade": 1, "seen": seen})
        puzzle = find_puzzle(found["puzzle"])
        assert (puzzle.grade, bool(puzzle.mistake)) == (1, asks_for_mistake)
        assert not {"best", "options", "trap", "themes", "answers"} & found.keys()
        for move in found["view"]["options"]:
            told = post(http, "answer", {"puzzle": puzzle.id, "answer": move, "kind": "puzzle"})
            assert told["right"] == puzzle.is_right(move)
            assert not (puzzle.mistake and told["cost"]), "nobody plays what is named"


class Dated(SystemClock):
    """A clock on which it is always the same time of the same day."""

    def now(self) -> datetime:
        return datetime(2026, 2, 3, 23, 59, tzinfo=UTC)


def test_the_puzzle_of_the_day_is_the_days(own_server: Callable[..., LocalServer]) -> None:
    clock = Dated()
    today = clock.now().date()
    with own_server(clock).client() as http:
        found = http.get("/api/train/daily").json()
        assert (found["puzzle"], found["day"]) == (daily(today).id, today.isoformat())
        other = daily(today - timedelta(days=1))
        for note in (today.isoformat(), "", "2020-01-01"):
            body = {"puzzle": other.id, "answer": other.answers[0], "kind": "daily", "note": note}
            assert http.post("/api/train/answer", json=body).status_code == 422
        sent = {"spot": KNOT, "answer": "S5", "kind": "daily", "note": today.isoformat()}
        answer = http.post("/api/train/answer", json=sent)
        assert (answer.status_code, "puzzle of the day" in answer.text) == (422, True)
        http.post("/api/me", json={"name": "Ann"})
        puzzle = daily(today)
        body = {"puzzle": puzzle.id, "answer": puzzle.answers[0], "kind": "daily"}
        post(http, "answer", {**body, "note": today.strftime("%Y%m%d")})
        assert http.get("/api/train/book").json()["streak"] == 1, "however the day is written"
        line = http.get("/api/train/daily/squares?tries=01&streak=2").json()["line"]
        assert line.endswith("⬛🟩 · streak 2")


def test_a_lesson_is_told_without_its_answers_and_replies(http: httpx.Client) -> None:
    found = http.get("/api/train/lessons/number-knot").json()
    described = models.LessonFacts.model_validate(found)
    steps = lesson("number-knot").steps
    assert [step.text for step in described.steps] == [step.text for step in steps]
    assert "praise" not in json.dumps(found)
    asked = next(n for n, step in enumerate(steps, 1) if step.accepts)
    step = steps[asked - 1]
    path = "/api/train/lessons/number-knot/answer"
    reply = http.post(path, json={"step": asked, "answer": step.accepts[0]}).json()
    assert reply == {"right": True, "text": step.praise, "kept": False}
    for number in (1, 1000):
        assert http.post(path, json={"step": number, "answer": "S5"}).status_code == 422


@pytest.mark.parametrize(
    ("what", "body", "said"),
    [
        ("drill", {"game": "chess"}, "chess"),
        ("drill", {"game": "number-knot", "settings": {"numbers": 0}}, "numbers"),
        ("drill", {"game": "number-knot", "level": "absurd"}, "level"),
        ("drill", {"game": "number-knot", "seen": ["x"]}, "seen"),
        ("exercise", {"spot": {**KNOT, "moves": "S9 S9"}}, "S9"),
        ("exercise", {"spot": {**KNOT, "seat": 2}}, "nothing to decide"),
        ("exercise", {"spot": {**KNOT, "seat": 3}}, "seat"),
        ("exercise", {"spot": {**KNOT, "moves": "S" * 3000}}, "moves"),
        ("answer", {"spot": KNOT, "answer": "S9"}, "not available"),
        ("answer", {"spot": KNOT, "answer": "9:99999999999", "form": "mixture"}, "mixture"),
        ("answer", {"spot": MIXED, "answer": "5", "form": "die"}, "form"),
        ("answer", {"spot": KNOT, "answer": "S5", "kind": "cheat"}, "kind"),
        ("answer", {"spot": KNOT, "answer": "S5", "id": "../../x"}, "id"),
        ("answer", {"answer": "S5"}, "spot"),
        ("answer", {"puzzle": "number-knot-none", "answer": "S5"}, "number-knot-none"),
        ("puzzle", {"game": "chess"}, "chess"),
        ("puzzle", {"game": "number-knot", "grade": 1, "seen": FIRST_GRADE}, "no more"),
        ("series", {"spot": KNOT, "answers": []}, "answers"),
        ("series", {"spot": KNOT, "answers": ["S5"] * 501}, "answers"),
    ],
)
def test_foreign_input_is_refused_in_a_sentence(
    http: httpx.Client, what: str, body: Mapping[str, object], said: str
) -> None:
    answer = http.post(f"/api/train/{what}", json=body)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["error"]
    assert answer.json()["error"].endswith(".")
