"""Bad input gets the right status and one sentence, in every answer the same headers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import httpx
import pytest

import number_duels as nd
from number_duels.web.api.validation import ALLOWED
from tests.some_games import SOME_GAMES
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, join, pair, start
from tests.web.serving import Server

SETTING = next(iter(nd.load(GAME).settings))


def refused(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert list(body) == ["error"]
    sentence: str = body["error"]
    assert sentence.endswith((".", "…"))
    assert "\n" not in sentence
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return sentence


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({}, 422),
        ({"game": "chess"}, 422),
        ({"game": GAME, "settings": {"nothing": 1}}, 422),
        ({"game": GAME, "settings": {SETTING: 99}}, 422),
        ({"game": GAME, "settings": {SETTING: True}}, 422),
        ({"game": GAME, "settings": {SETTING: "\ud800"}}, 422),
        ({"game": GAME, "settings": {SETTING: 10**400}}, 422),
        ({"game": GAME, "seat": 3}, 422),
        ({"game": GAME, "name": "x" * 21}, 422),
        ({"game": GAME, "name": " Ann"}, 422),
        ({"game": GAME, "name": "A\nnn"}, 422),
        ({"game": GAME, "name": "\ud800"}, 422),
        ({"game": GAME, "name": "Player 2"}, 422),
        ({"game": GAME, "opponent": "human"}, 422),
        ({"game": GAME, "opponent": "bot:rm"}, 422),
        ({"game": GAME, "deal": "1 2 3"}, 422),
        ({"game": GAME, "seed": 2**128}, 422),
        ({"game": GAME, "first": 3}, 422),
        ({"game": GAME, "unknown": 1}, 422),
        ([], 422),
    ],
)
def test_a_game_that_cannot_be_had(http: httpx.Client, wish: object, status: int) -> None:
    headers = {"Content-Type": "application/json"}
    refused(http.post("/api/games", content=json.dumps(wish), headers=headers), status)


@pytest.mark.parametrize("body", ["{", "", "[" * 5000, '{"game": ' + "9" * 5000 + "}", "\xff"])
def test_a_body_that_is_not_json(http: httpx.Client, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    content = body.encode("latin-1")
    answer = http.post("/api/games", content=content, headers=headers)
    refused(answer, 400 if body else 422)


def test_a_large_body_is_refused(http: httpx.Client) -> None:
    refused(http.post("/api/games", content=b"x" * 10_000_000), 413)


def test_a_body_in_chunks_is_refused(http: httpx.Client) -> None:
    refused(http.post("/api/games", content=iter([b"{}"])), 411)


@pytest.mark.parametrize("id", ["nothing", "%00", "..%2F", "x" * 300, "ü"])
def test_a_game_that_is_not_there(http: httpx.Client, id: str) -> None:  # noqa: A002
    refused(http.get(f"/api/games/{id}"), 404)
    refused(http.get(f"/api/games/{id}/events"), 404)


def test_addresses_that_are_not_there_or_not_used_that_way(http: httpx.Client) -> None:
    refused(http.get("/nothing"), 404)
    refused(http.get("/static/../app.py"), 404)
    refused(http.delete("/api/games"), 405)
    refused(http.get("/docs"), 404)


def test_head_is_answered_as_get_without_the_body(http: httpx.Client) -> None:
    game = start(http, GAME).id
    pages = ("/", "/train", "/record", f"/play/{game}", f"/rules/{GAME}", f"/analysis/{GAME}")
    reads = ("/api", "/api/catalogue", "/api/me", f"/api/games/{game}", f"/api/games/{game}/record")
    for path in (*pages, *reads, "/healthz", "/static/favicon.svg", "/nothing", "/api/qr"):
        get, head = http.get(path), http.head(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        for name in ("Content-Length", "Content-Type", "Cache-Control"):
            assert head.headers[name] == get.headers[name], path


def test_head_of_a_stream_ends_at_once_and_brings_nobody(
    http: httpx.Client, server: LocalServer
) -> None:
    one, _ = pair(http, GAME)
    for path in (f"/api/games/{one.id}/events", f"/api/events?game={one.id}"):
        answer = http.head(path, headers={"Authorization": f"Bearer {one.token}"})
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert one.id not in " ".join(server.service.streams)
    assert http.head("/api/games/nothing/events").status_code == 404


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({}, "The field game is missing; send it."),
        ({"name": "x" * 21}, "The field name is too long; use at most 20 characters."),
        ({"name": 7}, "The field name is invalid; use text."),
        ({"seat": 3}, "The field seat is invalid; use 1 or 2."),
        ({"first": 3}, "The field first is invalid; use 1, 2 or 'random'."),
        ({"seed": -1}, "The field seed is too small; use at least 0."),
        ({"seed": 0.5}, "The field seed is invalid; use a whole number."),
        ({"settings": []}, "The field settings is invalid; use an object."),
        (
            {"settings": {SETTING: True}},
            f"The field settings.{SETTING} is invalid; use a whole number or text.",
        ),
        ({"more": 1}, "The field more is unknown; leave it out."),
        ([], "The body is invalid; use an object."),
    ],
)
def test_a_field_that_does_not_fit_is_told_in_plain_words(
    http: httpx.Client, wish: object, sentence: str
) -> None:
    body = {"game": GAME, **wish} if isinstance(wish, dict) and wish else wish
    assert refused(http.post("/api/games", json=body), 422) == sentence


def test_a_query_or_an_id_that_does_not_fit_is_told_in_plain_words(http: httpx.Client) -> None:
    spot, plan = {"game": GAME, "seat": 1}, {"kind": "drill", "game": GAME}
    action = {"plan": plan, "action": {"key": "answer", "id": "x"}}
    found = [
        http.get("/api/analysis", params={"game": GAME, "first": "3"}),
        http.get("/api/analysis", params={"game": GAME, "player": "Ann"}),
        http.delete("/api/train/book/cards/x"),
        http.post("/api/train/session", json=action),
        http.post("/api/train/book", json={"spot": spot, "source": "game", "cost": 3}),
        http.post("/api/me/redeem", json={"code": ""}),
    ]
    letters = "characters, each a digit or a letter from a to f"
    assert [refused(answer, 422) for answer in found] == [
        "The field first is invalid; use '1' or '2'.",
        "The field player has too few entries; send at least 2.",
        f"The field card is invalid; use 16 {letters}.",
        f"The field action.id is invalid; use 16 to 64 {letters}.",
        "The field cost is too large; use at most 2.0.",
        "The field code is empty; fill it in.",
    ]
    day = http.get("/api/train/book", params={"day": "today"})
    assert refused(day, 422).startswith("This is not a date; write it like 20")


def test_every_pattern_of_the_description_has_words(http: httpx.Client) -> None:
    found = set(re.findall(r'"pattern":\s*"([^"]*)"', http.get("/api").text))
    assert found == ALLOWED.keys()


def test_a_wrong_token_is_refused_everywhere(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    wrong = Guest(http, one.id, "wrong")
    for what in ("", "events", "record", "steps", "hint", "review"):
        refused(wrong.get(what), 401)
    for what in ("moves", "draw", "resign", "rematch"):
        refused(wrong.post(what, {"turn": 1, "move": "1"} if what == "moves" else {}), 401)
    basic = {"Authorization": "Basic eDp5"}
    refused(http.get(f"/api/games/{one.id}", headers=basic), 401)
    other, _ = pair(http, GAME)
    refused(Guest(http, one.id, other.token).get(), 401)


def test_a_spectator_cannot_play(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    spectator = Guest(http, one.id)
    refused(spectator.move(1, one.view()["options"][0]), 401)
    for what in ("draw", "resign", "rematch"):
        refused(spectator.post(what), 401)
    refused(spectator.get("hint"), 401)


def test_a_full_table(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    refused(Guest(http, one.id).post("seats", {"name": "Cy"}), 409)
    alone = start(http, GAME, opponent="random")
    refused(Guest(http, alone.id).post("seats", {"name": "Cy"}), 409)


def test_two_names_must_differ(http: httpx.Client) -> None:
    host = start(http, GAME)
    refused(Guest(http, host.id).post("seats", {"name": "Ann"}), 422)
    assert join(host, "Bö ☺").view()["players"][1]["name"] == "Bö ☺"


@pytest.mark.parametrize(
    "name",
    [
        "\u0410nn",  # a Cyrillic letter
        "\uff21nn",  # a wide one
        "ANN",
        "A nn",
        "\u3164",  # nothing to see
        "\u2800\u2800",
        "\u0301",
        "Bo\u200b",
        "\u202eoB",
        "B" + "\u0301" * 9,
        "A\u200dnn",
        *("Ann\u180b", "Ann\u180f", "Ann\ufe0f", "Ann\U000e0100"),
    ],
)
def test_a_name_that_looks_like_another_or_like_nothing(http: httpx.Client, name: str) -> None:
    host = start(http, GAME)
    refused(Guest(http, host.id).post("seats", {"name": name}), 422)


def test_names_of_many_alphabets_are_welcome(http: httpx.Client) -> None:
    for name in (
        "Zo\u00eb",
        "\u0410\u043d\u043d\u0430",
        "\u7d05",
        "\U0001f98a",
        "Anne",
        "Ali 2",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0645\u06cc\u200c\u0631\u0627",
    ):
        assert join(start(http, GAME), name).view()["players"][1]["name"] == name


def test_names_that_differ_by_a_joiner_look_alike(http: httpx.Client) -> None:
    host = start(http, GAME, name="\u0645\u06cc\u200c\u0631\u0627")
    refused(Guest(http, host.id).post("seats", {"name": "\u0645\u06cc\u0631\u0627"}), 422)


def test_nobody_begins_under_the_name_of_who_comes_later(http: httpx.Client) -> None:
    for name in ("\u0420layer 2", "PIayer 2"):
        refused(http.post("/api/games", json={"game": GAME, "name": name}), 422)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_moves_that_cannot_be_made(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game)
    view = one.view()
    if view["draw"]:
        refused(one.move(1, "k"), 409)
        refused(two.post("draw"), 409)
        view = one.post("draw").json()
    option = view["options"][0]
    refused(one.move(2, option), 409)
    refused(one.move(1, "no move at all"), 422)
    refused(one.post("moves", {"turn": 0, "move": option}), 422)
    refused(one.post("moves", {"turn": "1", "move": option}), 422)
    refused(one.post("moves", {"turn": 1}), 422)
    refused(one.post("moves", {"turn": 1, "move": 7}), 422)
    refused(one.post("draw"), 409)
    if view["to_move"] == [1]:
        refused(two.move(1, option), 409)
    one.post("resign")
    for guest in (one, two):
        refused(guest.move(1, option), 409)
        refused(guest.post("draw", {"turn": view["turn"] + 1}), 409)


def test_an_option_that_is_gone_is_refused_with_what_there_is(http: httpx.Client) -> None:
    one, two = pair(http, GAME)
    gone = one.view()["options"][0]
    assert one.move(1, gone).status_code == two.move(1, two.view()["options"][1]).status_code == 200
    sentence = refused(one.move(2, gone), 422)
    assert all(option in sentence for option in one.view()["options"])


def test_facts_have_their_time(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    refused(one.get("review"), 409)
    refused(one.get("hint"), 403)


@pytest.mark.parametrize(
    "position",
    [
        {},
        {"game": "chess"},
        {"game": GAME, "moves": "nonsense"},
        {"game": GAME, "set": "nothing"},
        {"game": GAME, "set": "nothing=1"},
        {"game": GAME, "set": f"{SETTING}=99"},
        {"game": GAME, "first": "3"},
        {"game": GAME, "deal": "1 2"},
    ],
)
def test_positions_that_there_are_not(http: httpx.Client, position: dict[str, str]) -> None:
    refused(http.get("/api/analysis", params=position), 422)


def forwarded(network: int, number: int) -> dict[str, str]:
    """What a proxy says of a client."""
    return {"X-Forwarded-For": f"2001:db8:0:{network}::{number}"}


def until_refused(ask: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """The answers up to the first that says that it was too much; a refusal takes its time."""
    answers = [ask(0)]
    while answers[-1].status_code != 429:
        assert len(answers) < 100, "there is no limit"
        answers.append(ask(len(answers)))
    return answers


def test_too_many_requests(own_server: Callable[..., Server]) -> None:
    server = own_server(request_rate=0.1, request_burst=20, waiting_requests=0)
    with server.client() as http:
        answers = until_refused(lambda _: http.get("/nothing"))
        assert len(answers) > 20
        refused(http.get("/"), 429)
        # Whoever has one IPv6 address has all of its network.
        until_refused(lambda number: http.get("/nothing", headers=forwarded(0, number)))
        assert http.get("/nothing", headers=forwarded(1, 0)).status_code == 404
    assert answers[0].status_code == 404
    refused(answers[-1], 429)
    assert answers[-1].headers["retry-after"]


def test_players_have_a_share_of_their_own(own_server: Callable[..., Server]) -> None:
    server = own_server(request_rate=0.1, request_burst=5, waiting_requests=0)
    with server.client() as http:
        one, two = pair(http, GAME)
        until_refused(lambda _: http.get("/nothing"))
        refused(Guest(http, one.id).get(), 429)
        refused(Guest(http, one.id, "wrong").get(), 429)
        assert one.move(1, one.view()["options"][0]).status_code == 200
        assert two.view()["chosen"] == [1]


def test_too_many_streams_of_one_client(strict_server: Server) -> None:
    with strict_server.client() as http:
        one, _ = pair(http, GAME)
        streams = [one.listen() for _ in range(3)]
        for stream in streams:
            stream.until_version(1)
        streams.append(one.listen())
        assert streams[-1].status == 429
        for stream in streams:
            stream.close()
