"""The trainer by HTTP: every kind of session; its state is foreign input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import httpx
import pytest

import number_duels as nd
from number_duels.core.clock import SystemClock
from number_duels.sessions.train import MIN_SERIES
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import daily, find_puzzle
from tests.review.positions import SMALL
from tests.some_games import SECRET, both_choose
from tests.web.local import LocalServer
from tests.web.people import Json
from tests.web.training import Training, moves_of, spot_plan

#: Where perfect play chooses by chance.
MIXED = {"game": "high-low-battle", "settings": {"cards": 5}, "deal": None, "moves": "", "seat": 1}
KNOT = {"game": "number-knot", "settings": {"numbers": 6}, "deal": None, "moves": "", "seat": 1}
KNOT_DRILL = {"kind": "drill", "game": "number-knot", "settings": {"numbers": 6}}


@pytest.mark.parametrize("game", SMALL)
def test_a_drill_is_answered_and_judged_by_the_solution(http: httpx.Client, game: str) -> None:
    one = Training(http, {"kind": "drill", "game": game, "settings": SMALL[game]})
    spot, asked = one.spot, one.state
    assert one.scene["you"] == spot.seat + 1
    # Some moves are reached in two ways: 6 and then 4, or 4 and then 6.
    assert set(moves_of(one.scene["question"])) == set(map(str, spot.options))
    assert [one.scene[name] for name in ("verdict", "tables", "frames")] == [None, [], []]
    values = nd.solve(spot.game).values(spot.state, spot.seat)
    for move in spot.options:
        one.state = asked
        told = one.act("answer", str(move))
        gap = max(values.values()) - values[move]
        given = one.state["given"][-1]
        if not both_choose(game):
            assert given["cost"] == pytest.approx(gap, abs=1e-6)
            assert given["right"] == (gap < 1e-6)
        assert told["verdict"]["right"] == given["right"]
        assert bool(told["frames"]) == (not given["right"])
        assert {row["good"] for table in told["tables"] for row in table["rows"]} <= {True, False}


def test_what_was_seen_does_not_come_again(http: httpx.Client) -> None:
    one = Training(http, {**KNOT_DRILL, "phase": "end", "count": 12})
    for _ in range(11):
        one.act("skip")
    assert len(one.state["seen"]) == len(set(one.state["seen"])) == 12


def test_a_mixed_strategy_is_read(http: httpx.Client) -> None:
    one = Training(http, spot_plan(MIXED, form="mixed"))
    assert one.scene["mixed"]
    assert "How often" in one.scene["prompt"]
    asked = one.state
    told = one.act("answer", "1:50 5:50")
    assert not told["verdict"]["right"]
    spot = nd.load("high-low-battle", cards=5)
    odds = nd.solve(spot).strategy(spot.start(), nd.Seat.ONE)
    one.state = asked
    told = one.act("answer", " ".join(f"{move}:{100 * p:.6f}" for move, p in odds.items()))
    assert told["verdict"]["right"]


def test_a_spot_that_is_answered_again_tells_a_series(http: httpx.Client) -> None:
    one = Training(http, spot_plan(MIXED, count=MIN_SERIES))
    for _ in range(MIN_SERIES - 1):
        one.act("answer", "5")
        one.act("next")
    told = one.act("answer", "5")
    series = told["tables"][-1]
    assert series["title"] == f"{MIN_SERIES} answers"
    first = series["rows"][0]
    assert (first["words"], first["cells"][0], first["share"]) == ("play 5", "100%", 1.0)
    assert first["range"][0] < 1.0
    assert one.act("next")["over"]


def test_a_puzzle_comes_without_its_answer_and_is_judged_by_what_it_asks(
    http: httpx.Client,
) -> None:
    one = Training(http, {"kind": "puzzle", "game": "number-knot", "grade": 1, "seed": 3})
    for _ in range(4):
        puzzle, asked = find_puzzle(one.state["item"]), one.state
        assert puzzle.grade == 1
        assert [one.scene[name] for name in ("verdict", "tables")] == [None, []]
        for move in sorted(moves_of(one.scene["question"]), key=puzzle.is_right):
            one.state = asked
            told = one.act("answer", move)
            assert told["verdict"]["right"] == puzzle.is_right(move)
            assert puzzle.is_right(move) or not told["tables"], "a second try follows"
            given = one.state["given"][-1]
            assert not (puzzle.mistake and given["cost"]), "nobody plays what is named"
            one.scene = told
        one.act("next")


class Dated(SystemClock):
    """A clock on which it is always the same time of the same day."""

    def now(self) -> datetime:
        return datetime(2026, 12, 3, 23, 59, tzinfo=UTC)


def test_the_puzzle_of_the_day_has_three_tries_and_is_explained(
    own_server: Callable[..., LocalServer],
) -> None:
    clock = Dated()
    today = clock.now().date()
    puzzle = daily(today)
    with own_server(clock).client() as http:
        http.post("/api/me", json={"name": "Ann"})
        one = Training(http, {"kind": "daily", "day": str(today)})
        wrong = next(m for m in moves_of(one.scene["question"]) if not puzzle.is_right(m))
        for number in (1, 2, 3):
            assert one.scene["status"][1] == f"try {number} of 3"
            told = one.act("answer", wrong)
            assert not told["verdict"]["right"]
            assert bool(told["tables"]) == (number == 3), "nothing is given away before"
            one.act("next")
        assert one.scene["over"]
        assert one.scene["share"].endswith("⬛⬛⬛")
        again = Training(http, {"kind": "daily", "day": str(today)})
        assert (again.scene["over"], again.scene["share"]) == (True, one.scene["share"])
        tomorrow = Training(http, {"kind": "daily", "day": str(today + timedelta(days=1))})
        solved = tomorrow.act("answer", daily(today + timedelta(days=1)).answers[0])
        assert solved["share"].endswith("🟩 · streak 1")
        # An explained puzzle can be practised. That changes no result.
        practised = again.act("again")
        assert practised["status"][1] == "practice"
        told = again.act("answer", puzzle.answers[0])
        assert (told["verdict"]["right"], told["share"]) == (True, one.scene["share"])


def test_the_puzzle_of_any_past_day_is_found_by_its_date(
    own_server: Callable[..., LocalServer],
) -> None:
    clock = Dated()
    today = clock.now().date()
    with own_server(clock).client() as http:
        headers = {"Accept": "text/html"}
        for day in (today, today - timedelta(days=9), today + timedelta(days=1)):
            found = http.get("/api/train/daily", params={"day": str(day)}).json()
            assert (found["day"], found["game"]) == (str(day), daily(day).game)
            assert found["scene"]["prompt"] == daily(day).prompt
            assert (found["streak"], found["due"]) == ("", "")
            answer = http.get(f"/daily/{day}", headers=headers)
            assert answer.status_code == 200
            assert f'content="http://{answer.url.netloc.decode()}/daily/{day}"' in answer.text
        assert http.get("/api/train/daily").json()["day"] == str(today)
        for named, said in {
            "2026-12-05": "The puzzle for 2026-12-05 is not available yet.",
            "2026-02-30": "is not a date; write it as 2026-12-03.",
            "20261203": "is not a date; write it as 2026-12-03.",
        }.items():
            answer = http.get(f"/daily/{named}", headers=headers)
            assert answer.status_code == 404
            assert said in answer.text
            asked = {"plan": {"kind": "daily", "day": named}}
            assert http.post("/api/train/session", json=asked).status_code == 422


def test_a_lesson_is_told_without_its_answers_and_replies(http: httpx.Client) -> None:
    steps = lesson("number-knot").steps
    one = Training(http, {"kind": "lesson", "game": "number-knot"})
    for step in steps:
        assert step.praise == "" or step.praise not in str(one.scene)
        if step.asks:
            assert one.scene["prompt"] == step.text
            if step.accepts:
                told = one.act("answer", step.accepts[0])
                assert told["verdict"]["right"]
                assert step.praise in told["verdict"]["sentences"]
                one.act("next")
            else:
                one.act("skip")
        else:
            assert one.scene["lines"] == step.text.splitlines()
            one.act("next")
    assert one.scene["over"]


def test_a_question_with_the_opponents_card_does_not_tell_what_a_card_does(
    http: httpx.Client,
) -> None:
    one = Training(http, {"kind": "lesson", "game": SECRET})
    while not one.scene["against"]:
        one.act("skip" if one.scene["question"] else "next")
    assert {answer["note"] for answer in one.scene["question"]["answers"]} == {""}


STATE = {
    "items": [""],
    "stage": "asked",
    "item": "",
    "spot": KNOT,
    "phase": "",
    "number": 1,
    "seen": [],
    "given": [],
    "known": 0,
}
ANSWER = {"key": "answer", "text": "S5"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"plan": {"kind": "drill", "game": "chess"}}, "chess"),
        ({"plan": {"kind": "drill"}}, "game"),
        ({"plan": {**KNOT_DRILL, "settings": {"numbers": 0}}}, "numbers"),
        ({"plan": {**KNOT_DRILL, "level": "absurd"}}, "level"),
        ({"plan": {**KNOT_DRILL, "count": 1000}}, "count"),
        ({"plan": {**KNOT_DRILL, "kind": "cheat"}}, "kind"),
        ({"plan": spot_plan({**KNOT, "moves": "S9 S9"})}, "S9"),
        ({"plan": spot_plan({**KNOT, "seat": 2})}, "has no decision"),
        ({"plan": spot_plan({**KNOT, "moves": "S" * 3000})}, "moves"),
        ({"state": None}, "state"),
        ({"state": {**STATE, "spot": MIXED}}, "another game"),
        ({"state": {**STATE, "spot": {**KNOT, "seat": 3}}}, "seat"),
        ({"state": {**STATE, "seen": ["x"]}}, "seen"),
        ({"state": {**STATE, "number": 2**64}}, "number"),
        ({"state": {**STATE, "spot": {**KNOT, "settings": {"life": -(2**64)}}}}, "settings"),
        ({"state": {**STATE, "stage": "told"}}, "has no answer yet"),
        ({"state": {**STATE, "stage": "over"}}, "There is no question"),
        ({"action": {"key": "answer", "text": "S9"}}, "not available"),
        ({"action": {"key": "answer", "text": "9:99999999999"}}, "not available"),
        ({"action": {"key": "remove"}}, "not possible"),
        ({"action": {**ANSWER, "id": "../../x"}}, "id"),
        (
            {
                "plan": {"kind": "puzzle", "game": "number-knot"},
                "state": {**STATE, "spot": None, "item": "number-knot-none"},
            },
            "number-knot-none",
        ),
        (
            {"plan": {"kind": "book"}, "state": {**STATE, "spot": None, "item": "0f" * 8}},
            "not in your book",
        ),
        (
            {
                "plan": {"kind": "lesson", "game": "number-knot"},
                "state": {**STATE, "spot": None, "item": "999"},
            },
            "steps",
        ),
    ],
)
def test_foreign_input_is_refused_in_a_sentence(
    http: httpx.Client, change: Mapping[str, Json], said: str
) -> None:
    body: dict[str, Json] = {"plan": KNOT_DRILL, "state": STATE, "action": ANSWER, **change}
    if "plan" in change and "state" not in change:
        del body["state"], body["action"]
    answer = http.post("/api/train/session", json=body)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["error"]
    assert answer.json()["error"].endswith(".")
