"""The application in one thread, as a browser runs it: the same answers, and files that stay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

import number_duels as nd
import record_page_answers
from number_duels.core.game import Seat
from number_duels.core.scene import Side
from number_duels.web.pyodide import Call
from number_duels.web.service import views
from record_page_answers import JSON
from tests.clock import ManualClock
from tests.some_games import SECRET, SOME_GAMES
from tests.web.in_browser import InBrowser, MemoryStorage, in_browser
from tests.web.local import LocalServer
from tests.web.people import Guest, Json

SMALL: dict[str, dict[str, int]] = {
    "high-low-battle": {"cards": 5, "rounds": 3},
    "number-stack-showdown": {"target": 12, "highest": 4, "copies": 2},
}


def new_game(http: httpx.Client, game: str, **wish: Json) -> Guest:
    """A game against a computer, with the same cards and the same computer every time."""
    wish = {"opponent": "level:2", "seed": 5, "settings": SMALL.get(game, {}), **wish}
    answer = http.post("/api/games", json={"game": game, "name": "Ann", **wish})
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Guest(http, found["id"], None, found["seat"])


def play_to_the_end(ann: Guest) -> None:
    rng = Random(1)
    while not (view := ann.view())["over"]:
        if view["draw"]:
            assert ann.post("draw", {"turn": view["turn"]}).status_code == 200
        elif view["options"]:
            move = rng.choice(view["options"])
            assert ann.move(view["turn"], move).status_code == 200


def kept_of(http: httpx.Client, game: str) -> dict[str, Json]:
    """What somebody with a profile sees of a game: played, reviewed, graded and trained."""
    http.post("/api/me", json={"name": "Ann"})
    ann = new_game(http, game)
    play_to_the_end(ann)
    while (statistics := http.get("/api/me/statistics").json())["waiting"]:
        pass
    settings = [f"{name}={value}" for name, value in SMALL.get(game, {}).items()]
    return {
        "record": ann.get("record").json(),
        "review": ann.get("review").json(),
        "steps": ann.get("steps").json(),
        "statistics": without_ids(statistics),
        "records": http.get("/api/me/records").text,
        "analysis": http.get("/api/analysis", params={"game": game, "set": settings}).json(),
        "mistakes": http.post("/api/train/book/games").json(),
        "book": len(http.get("/api/train/book/file").text.splitlines()),
    }


def without_ids(statistics: Json) -> Json:
    return {**statistics, "over_time": [{**one, "id": ""} for one in statistics["over_time"]]}


@pytest.mark.parametrize("game", SOME_GAMES)
def test_the_same_choices_are_kept_and_graded_as_on_a_server(
    game: str, tmp_path: Path, own_server: Callable[..., LocalServer]
) -> None:
    with own_server(ManualClock()).client() as http:
        expected = kept_of(http, game)
    with in_browser(tmp_path / "files", clock=ManualClock()) as http:
        assert kept_of(http, game) == expected


def test_games_and_the_profile_are_there_again(tmp_path: Path) -> None:
    storage = MemoryStorage()
    with in_browser(tmp_path / "first", storage) as http:
        http.post("/api/me", json={"name": "Ann"})
        ann = new_game(http, SECRET, opponent="random")
        move = ann.view()["options"][-1]
        assert ann.move(1, move).status_code == 200
        saved = dict(storage.files)
    # What was answered was saved before; nothing depends on a proper end.
    storage.files = saved
    with in_browser(tmp_path / "second", storage) as http:
        again = Guest(http, ann.id)
        view = again.view()
        assert view["you"] == ann.seat
        assert move not in view["options"]
        (line,) = http.get("/api/me").json()["running"]
        assert line["id"] == ann.id
        play_to_the_end(again)


def test_a_game_with_an_id_of_its_own_starts_once(tmp_path: Path) -> None:
    start = Call(
        "POST",
        "/api/games",
        {"content-type": "application/json"},
        json.dumps({"game": SECRET, "opponent": "random"}).encode(),
        game="chosen",
    )
    with in_browser(tmp_path) as http:
        within = http._transport
        assert isinstance(within, InBrowser)
        first, second = (within.run(within.server.answer(start)) for _ in range(2))
        assert (first.status, json.loads(first.body)["id"]) == (201, "chosen")
        assert (second.status, json.loads(second.body)["error"]) == (
            409,
            "This game has already started.",
        )
        assert Guest(http, "chosen").view()["you"] == 1


@pytest.mark.parametrize("game", SOME_GAMES)
def test_what_the_build_records_is_what_python_does_later(game: str, tmp_path: Path) -> None:
    build = tmp_path / "build"
    files = asyncio.run(record_page_answers.record(build, [game], seeds=[1], opponents=["random"]))
    checked = 0
    with in_browser(tmp_path / "page") as http:
        server = http._transport
        assert isinstance(server, InBrowser)

        def ask(method: str, path: str, body: str = "", **options: Any) -> str:
            call = Call(method, path, JSON, body.encode(), **options)
            answer = server.run(server.server.answer(call))
            assert answer.status < 300
            return answer.body.decode()

        def check(tree: Any, seed: int, done: tuple[str, ...] = ()) -> None:
            nonlocal checked
            for action, (number, rest) in tree.items():
                checked += 1
                new = f"game-{checked}"
                ask("POST", "/api/games", wish, game=new, seed=seed, settled=True)
                for step in (*done, action):
                    what, _, body = step.partition(" ")
                    ask("POST", f"/api/games/{new}/{what}", body, settled=True)
                seen = json.loads(ask("GET", f"/api/games/{new}"))
                recorded = json.loads(replies["views"][number].replace(name, new))
                assert {**recorded, "expires": seen["expires"]} == seen
                check(rest, seed, (*done, action))

        for key, answer in json.loads(files["prepared.json"]).items():
            if "game" in answer:
                name, wish = answer["game"], key.partition("/api/games ")[2]
                replies = json.loads(files[f"replies/{name}.json"])
                for seed, tree in replies["seeds"]:
                    check(tree, seed)
    rules = nd.load(game)
    is_shuffled = rules.start(Random(1)) != rules.start(Random(2))
    assert len(files) == (1 if is_shuffled else 2)
    assert checked >= (0 if is_shuffled else 3)


def test_with_a_full_storage_the_game_goes_on_and_is_saved_when_there_is_room(
    tmp_path: Path,
) -> None:
    storage = MemoryStorage()
    with in_browser(tmp_path / "first", storage) as http:
        ann = new_game(http, SECRET, opponent="random")
        before, storage.full = dict(storage.files), True
        for turn in (1, 2):
            assert ann.move(turn, ann.view()["options"][0]).status_code == 200
        assert not kept(http)
        assert storage.files == before
        storage.full = False
        view = ann.view()
        assert kept(http)
    with in_browser(tmp_path / "second", storage) as http:
        assert Guest(http, ann.id).view()["log"] == view["log"]


def kept(http: httpx.Client) -> bool:
    within = http._transport
    assert isinstance(within, InBrowser)
    return within.kept


def test_json_is_the_same_without_orjson(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {
        "sides": (Side("Ann", "you"),),
        "seat": Seat.TWO,
        "cost": 0.1,
        "text": "Größe",
        "no": None,
    }
    expected = views.encode(value)
    monkeypatch.setattr(views, "orjson", None)
    assert views.encode(value) == expected
