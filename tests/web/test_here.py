"""Two people at one device: one token for both seats, and a curtain before every secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.service.new_game import HERE, GameRequest, new_game
from number_duels.web.service.views import encode, make_view
from tests.clock import ManualClock
from tests.sessions.test_secrecy import play_on, worlds
from tests.some_games import SECRET, SOME_GAMES
from tests.web.browser.visitor import short
from tests.web.in_browser import in_browser
from tests.web.people import Guest, Json

NAMES = ["Ann", "Bo"]


@pytest.fixture
def http(tmp_path: Path) -> Iterator[httpx.Client]:
    with in_browser(tmp_path / "files", clock=ManualClock()) as client:
        yield client


def start(http: httpx.Client, game: str, **wish: Json) -> Guest:
    body = {"game": game, "opponent": HERE, "name": "Ann", "opponent_name": "Bo", **wish}
    answer = http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Guest(http, found["id"], found["token"], found["seat"])


def keys(view: Json) -> set[str]:
    return {action["key"] for action in view["scene"]["actions"]}


def play(both: Guest, rng: Random) -> list[Json]:
    """Play to the end, and return all views."""
    views = [both.view()]
    while not (view := views[-1])["over"]:
        if "ready" in keys(view):
            answer = both.post("ready", {"turn": view["turn"]})
        elif view["draw"]:
            answer = both.post("draw", {"turn": view["turn"], "seat": view["you"]})
        else:
            move = rng.choice(view["options"])
            turn = {"turn": view["turn"], "seat": view["you"]}
            answer = both.post("moves", {"move": move, **turn})
        assert answer.status_code == 200, answer.text
        views.append(answer.json())
    return views


@pytest.mark.parametrize("game", SOME_GAMES)
def test_two_people_play_a_game_and_its_rematch_at_one_device(
    http: httpx.Client, game: str
) -> None:
    http.post("/api/me", json={"name": "Ann"})
    both = start(http, game, settings=short(game))
    views = play(both, Random(1))
    assert {view["you"] for view in views} >= {1, 2}
    assert views[-1] == both.view()
    for view in views:
        assert [side["name"] for side in view["scene"]["sides"]] == NAMES
        assert "You" not in f"{view['scene']['headline']} {view['lines']}"
        assert not any(player["you"] for player in view["players"])
    assert [both.get(what).status_code for what in ("review", "steps", "record")] == [200] * 3
    assert both.get("record").json()["result"] == views[-1]["result"]
    again = both.post("rematch").json()
    swapped = Guest(http, again["id"], again["token"], again["seat"])
    assert again == both.post("rematch").json()
    assert [side["name"] for side in swapped.view()["scene"]["sides"]] == NAMES[::-1]
    play(swapped, Random(2))
    mine = http.get("/api/me").json()
    assert (mine["running"], mine["finished"]) == ([], [])
    assert http.get("/api/me/statistics").json()["games"] == 0


def test_a_secret_choice_is_made_behind_a_curtain(http: httpx.Client) -> None:
    both = start(http, SECRET)
    curtain = both.view()
    assert curtain["scene"]["stage"] == "said"
    assert curtain["scene"]["headline"] == "Pass the device to Ann"
    assert curtain["scene"]["detail"] == "The next screen is for Ann only. Bo, please look away."
    assert (curtain["you"], curtain["options"], curtain["question"]) == (None, [], None)
    ann = both.post("ready").json()
    assert (ann["you"], ann["scene"]["stage"]) == (1, "asked")
    # Somebody who loads the page again may be the other person.
    assert both.view() == curtain
    bo = both.post("moves", {"turn": 1, "move": ann["options"][0], "seat": 1}).json()
    assert bo["scene"]["headline"] == "Pass the device to Bo"
    assert bo == both.view()
    assert both.post("ready").json()["you"] == 2


def test_a_repeated_move_is_not_played_for_the_other_seat(http: httpx.Client) -> None:
    both = start(http, SECRET)
    move = {"turn": 1, "move": both.post("ready").json()["options"][0], "seat": 1}
    assert both.post("moves", move).json() == both.post("moves", move).json()
    assert both.view()["chosen"] == [1]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_no_view_before_it_is_confirmed_depends_on_a_secret(game: str) -> None:
    stored = new_game(GameRequest(game, {}, opponent=HERE, seed=1), "token")
    match, rng = stored.match(), Random(1)
    while not match.outcome:
        for after in worlds(match):
            hidden = [one for one in after if not_for_everybody(one)]
            for seat in nd.Seat:
                assert len({seen(stored, one, seat) for one in hidden}) <= 1
                other = [one for one in hidden if one.seats_ready == {seat.other}]
                assert len({seen(stored, one, seat, seat) for one in other}) <= 1
        play_on(match, rng)


def not_for_everybody(match: AnyMatch) -> bool:
    return bool(match.seats_ready) or not match.hides_nothing_from(None)


def seen(stored: StoredGame, match: AnyMatch, seat: nd.Seat, ready: nd.Seat | None = None) -> bytes:
    view = make_view(stored, match, seat, frozenset(), 0.0, ready=ready, solve_limit=300)
    return encode(view)


def test_no_byte_before_it_is_confirmed_depends_on_a_secret(http: httpx.Client) -> None:
    http.post("/api/me", json={"name": "Ann"})
    heard = []
    for index in (0, 1, -1):
        both = start(http, SECRET, seed=1)
        options = both.post("ready").json()["options"]
        answers = [
            both.post("moves", {"turn": 1, "move": options[index]}),
            both.get(),
            both.get("record"),
            both.get("hint"),
            both.post("ready"),
            Guest(http, both.id).get(),
            http.get("/api/me"),
            http.get("/api/me/records"),
        ]
        heard.append([one.text.replace(both.id, "ID") for one in answers])
        assert both.post("resign").json()["over"]
        assert http.get("/api/me").json()["running"] == []
    # The finished games are in the records of the profile.
    for one in heard:
        one.pop()
    assert heard[0] == heard[1] == heard[2]


def test_what_needs_two_devices_is_refused(http: httpx.Client) -> None:
    both = start(http, SECRET)
    assert both.post("claim").status_code == 409
    assert both.post("seats", {"name": "Cy"}).status_code == 409
    assert both.get("hint").status_code == 403
    refused = {"game": SECRET, "opponent": "friend", "opponent_name": "Bo"}
    assert http.post("/api/games", json=refused).status_code == 422
    answer = http.post("/api/games", json={"game": SECRET})
    friend = Guest(http, answer.json()["id"], answer.json()["token"])
    assert friend.post("moves", {"turn": 1, "move": "1", "seat": 2}).status_code == 403


def test_a_game_at_this_device_is_in_the_list_of_running_games(http: httpx.Client) -> None:
    http.post("/api/me", json={"name": "Ann"})
    start(http, SECRET)
    (line,) = http.get("/api/me").json()["running"]
    assert (line["status"], line["against"], line["your_turn"]) == ("At this device", "Bo", False)
