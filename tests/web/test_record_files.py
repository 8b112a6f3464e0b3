"""Record files: the same games at the terminal and in a profile, as the same lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import delete

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.review.json import stats_json
from number_duels.review.player_stats import player_stats
from number_duels.web.db.schema import games
from number_duels.web.service.record_files import MAX_RECORD_CHARS
from tests.review.positions import SMALL
from tests.some_games import CARDS, SECRET, SOME_GAMES
from tests.terminal.desk import Desk
from tests.terminal.script import AGAINST_RANDOM, lines, new_match
from tests.web.browsers import OpenBrowser, in_database, listed
from tests.web.in_browser import in_browser
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, Json, play_out
from tests.web.test_own_records import graded

STARTED = "2026-01-05T12:00:00Z"
PERFECT = nd.Person("Computer", "perfect")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[httpx.Client]:
    """A page without a server, with a profile."""
    with in_browser(tmp_path / "page") as http:
        http.post("/api/me", json={"name": "Ann"})
        yield http


def played(name: str, turns: int | None = None, seed: int = 5) -> nd.Record:
    """What the terminal keeps of a game against Random: all of it, or its first turns."""
    match = new_match(name, seed, AGAINST_RANDOM, SMALL[name])  # type: ignore[arg-type] # numbers
    for _ in lines(match):
        if turns is not None and match.turn_number >= turns:
            break
    return replace(match.record, started=STARTED)


def imported(http: httpx.Client, *records: nd.Record | str) -> httpx.Response:
    texts = [one if isinstance(one, str) else one.to_json() for one in records]
    return http.post("/api/me/records", json={"records": texts})


def exported(http: httpx.Client) -> list[nd.Record]:
    return list(map(nd.Record.from_json, http.get("/api/me/records").text.splitlines()))


def added(answer: httpx.Response) -> int:
    assert answer.status_code == 200, answer.text
    number: int = answer.json()["added"]
    return number


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_game_saved_at_the_terminal_is_played_on_in_the_page_with_the_same_cards(
    page: httpx.Client, game: str, tmp_path: Path
) -> None:
    begun = played(game, turns=2)
    desk = Desk(tmp_path)
    file = desk.keep(begun)
    assert added(imported(page, file.read_text())) == 1
    assert added(imported(page, file.read_text())) == 0
    (line,) = page.get("/api/me").json()["running"]
    ann = Guest(page, line["id"])
    assert ann.view()["players"][0]["name"] == begun.players[0].name
    play_out((ann,), Random(1))
    (record,) = exported(page)
    assert record.moves.startswith(begun.moves)
    assert dealt(record) == record.moves
    assert replace(record, moves="", result="*", reason="") == replace(begun, moves="")
    # Back at the terminal, it is one of the saved games.
    desk.games.mkdir(parents=True)
    (desk.games / "mine.json").write_text(record.to_json())
    reviewed = desk.run("review", str(desk.games / "mine.json"), "--json")
    assert (reviewed.status, reviewed.err) == (0, "")
    assert json.loads(desk.run("stats", "--json").out)["games"] == 1
    assert added(imported(page, record)) == 0


def dealt(record: nd.Record) -> str:
    """The moves of a record, played again with the cards of its seed."""
    match = nd.Match(nd.load(record.game, **record.settings), record.seed)
    for step in record.match().history.steps:
        if step.moves:
            for seat, move in step.moves.items():
                match.submit(seat, move)
        else:
            match.draw()
    return str(match.history)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_game_begun_in_the_page_is_played_on_at_the_terminal(
    page: httpx.Client, game: str, tmp_path: Path
) -> None:
    wish = {"settings": SMALL[game], "opponent": "random", "name": "Ann"}
    started = page.post("/api/games", json={"game": game, **wish}).json()
    ann = Guest(page, started["id"])
    while not (moves := ann.view()["moves"].split()) or len(moves) < 2:
        one_choice(ann)
    (record,) = exported(page)
    assert (record.result, record.seed) == ("*", None)
    desk = Desk(tmp_path)
    file = desk.keep(record)
    resumed = nd.Match.from_record(record.match().game, record)
    done = desk.run("resume", str(file), typed=[line.text for line in lines(resumed)][:1])
    assert f"Resuming {resumed.game.title}" in done.err
    assert "Traceback" not in done.err
    assert nd.Record.from_json(file.read_text()).seed is not None
    # The page knows that it is its own game, although the file does not have the seed.
    assert added(imported(page, record)) == 0


def one_choice(ann: Guest) -> None:
    view = ann.view()
    if view["draw"]:
        ann.post("draw", {"turn": view["turn"]})
    elif view["options"]:
        ann.move(view["turn"], view["options"][0])


def test_finished_games_count_as_at_the_terminal_and_once(
    server: LocalServer, browser: OpenBrowser
) -> None:
    ann = browser("Ann")
    records = [played(name, seed=seed) for name in (SECRET, CARDS) for seed in (1, 2)]
    assert added(imported(ann.http, *records)) == 4
    assert added(imported(ann.http, *records, records[0])) == 0
    found = graded(server, ann)
    expected = stats_json(player_stats(records, max_bytes=None))
    for key in ("games", "won", "drawn", "lost", "figures", "ungraded"):
        assert found[key] == pytest.approx(expected[key]), key
    assert {one["finished"] for one in found["over_time"]} == {STARTED}
    assert sorted(exported(ann.http), key=str) == sorted(records, key=str)
    review = Guest(ann.http, min(listed(ann, "finished"))).get("review")
    assert review.status_code == 200
    # They are still known when the games themselves are gone.
    own = games.c.id.in_(listed(ann, "finished"))
    in_database(server.database, delete(games).where(own))
    assert added(imported(ann.http, *records)) == 0
    assert added(imported(browser("Bo").http, *records)) == 4


def test_resigned_and_forfeited_games_end_as_they_did(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    records = []
    for how in ("resigned.", "forfeits: away for too long."):
        match = played(GAME, turns=2, seed=len(how)).match()
        match.concede(nd.Seat.ONE, how)
        records.append(match.record)
    assert added(imported(ann.http, *records)) == 2
    assert sorted(exported(ann.http), key=str) == sorted(records, key=str)


def test_a_game_played_on_at_the_terminal_replaces_its_beginning(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    begun, ended = played(GAME, turns=2), played(GAME)
    assert added(imported(ann.http, begun)) == 1
    (old,) = listed(ann)
    assert added(imported(ann.http, ended, begun)) == 1
    assert (listed(ann), exported(ann.http)) == (set(), [ended])
    assert Guest(ann.http, old).get().status_code == 404
    assert added(imported(browser("Bo").http, begun, ended, begun)) == 1


def test_games_that_no_profile_can_have_are_left_out(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    one = played(GAME)
    me, computer = one.players
    left = [
        replace(one, players=(me, nd.Person("Bo"))),
        replace(one, players=(nd.Person("A", "random"), computer)),
        replace(one, players=(me, nd.Person("Bot", "bot:./mine"))),
        replace(one, takebacks=1),
        replace(played(GAME, turns=2), takebacks=1),
    ]
    answer = imported(ann.http, *left, one)
    assert added(answer) == 1
    assert sorted(answer.json()["left_out"].values()) == [1, 1, 1, 2]


def test_a_file_that_guesses_a_choice_is_answered_alike_right_or_wrong(
    browser: OpenBrowser,
) -> None:
    ann = browser("Ann")
    table = ann.start(SECRET, opponent="random", settings=SMALL[SECRET])
    (mine,), options = exported(ann.http), table.view()["options"]
    for guess in options:
        guessed = replace(mine, moves=f"{options[0]}/{guess}")
        assert added(imported(ann.http, guessed)) == 1
    assert table.id in listed(ann)
    assert table.view()["turn"] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"moves": "99/1"}, "turn 1"),
        ({"game": "no-such-game"}, "no-such-game"),
        ({"settings": {"no": 1}}, "no"),
        ({"started": "yesterday"}, "when the game started"),
        ({"started": "0001-01-01T00:00:00+14:00"}, "when the game started"),
        ({"result": "1-0", "moves": ""}, "result"),
        ({"format": 2}, "format"),
        ({"reason": "x" * MAX_RECORD_CHARS}, "longer than"),
        ({"players": [{"name": "Ann"}, {"name": "\u0410nn", "who": "random"}]}, "look alike"),
    ],
)
def test_a_line_that_is_no_record_is_refused(browser: OpenBrowser, change: Json, said: str) -> None:
    ann, good = browser("Ann"), played(GAME)
    answer = imported(ann.http, good, json.dumps({**good.as_object(), **change}))
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert answer.json()["error"].startswith("Record 2 cannot be used: ")
    assert exported(ann.http) == [], "all of it or nothing"


def test_without_a_profile_nothing_is_added(browser: OpenBrowser) -> None:
    assert imported(browser().http, played(GAME)).status_code == 401


def test_a_computer_that_cannot_play_a_game_does_not_get_it(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    match: AnyMatch = nd.Match("number-bid", 3, players=(nd.Person("Ann"), PERFECT), numbers=20)
    answer = imported(ann.http, match.record)
    wish = {"game": "number-bid", "settings": {"numbers": 20}, "opponent": "perfect"}
    assert answer.json() == ann.http.post("/api/games", json=wish).json()
    assert (answer.status_code, listed(ann)) == (422, set())
