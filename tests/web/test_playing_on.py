"""After a game: every step of it, how a mistake is punished, and the same position once more."""

from __future__ import annotations

from random import Random

import httpx
import pytest

import number_duels as nd
from tests.review.positions import SMALL
from tests.some_games import SOME_GAMES
from tests.web.browsers import Browser, listed
from tests.web.people import Json, play_out, start


def before(grade: Json, record: Json) -> str:
    """The game up to a decision, in notation."""
    return " ".join([*record["moves"].split()[: grade["turn"] - 1], grade["drawn"]]).strip()


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_mistake_can_be_made_good(http: httpx.Client, game: str) -> None:
    person = start(http, game, opponent="perfect", settings=SMALL[game], seed=8)
    play_out((person,), Random(0))
    record = person.get("record").json()
    steps = person.get("steps").json()
    assert [step["move"] for step in steps] == ["", *record["moves"].split()]
    assert all(step["changed"] and step["words"] for step in steps[1:])
    joined = [step["drawn"] + "/".join(step["moves"].values()) for step in steps]
    assert joined == [step["move"] for step in steps]
    grades = person.get("review").json()["grades"]
    for grade in (grade for grade in grades if grade["loss"]):
        line = grade["line"]["steps"]
        turns = grade["line"]["moves"].split()[grade["turn"] - 1 :]
        assert [step["move"] for step in line] == ["", *turns]
        assert line[0]["board"] == steps[grade["turn"] - 1]["board"] or grade["drawn"]
        assert line[1]["moves"][str(grade["seat"])] == grade["move"]
    grade = [grade for grade in grades if grade["seat"] == 1][-1]
    moves = before(grade, record)
    wish = {key: record[key] for key in ("settings", "deal")}
    again = start(http, game, opponent="perfect", moves=moves, **wish)
    view = again.view()
    assert view["moves"] == moves
    assert view["turn"] == grade["turn"]
    assert grade["best"][0] in view["options"]
    assert ("first moves" in str(view["log"][0])) == (moves != "" or record["deal"] is not None)
    assert again.move(grade["turn"], grade["best"][0]).status_code == 200
    play_out((again,), Random(0))
    record = again.get("record").json()
    assert nd.Record.from_json(again.get("record").text).match().result == record["result"]
    assert record["moves"].startswith(moves)


def test_a_position_tried_again_is_in_nobodys_record(http: httpx.Client) -> None:
    ann = Browser(http, "Ann")
    other = ann.start("number-knot", opponent="random")
    again = ann.start("number-knot", opponent="random", moves="S5 A3")
    assert listed(ann) == {other.id}
    assert again.post("resign").status_code == 200
    assert again.view()["you"] == 1
    assert listed(ann, "finished") == set()


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"moves": "S5"}, "against the computer"),
        ({"opponent": "random", "moves": "S5 S5"}, "turn 2"),
        ({"opponent": "random", "moves": "nonsense"}, "turn 1"),
        ({"opponent": "random", "moves": "S5 A1 S9"}, "over after these moves"),
    ],
)
def test_moves_that_nobody_can_go_on_from(http: httpx.Client, wish: Json, reason: str) -> None:
    answer = http.post("/api/games", json={"game": "number-knot", **wish})
    assert answer.status_code == 422
    assert reason in answer.json()["error"]
