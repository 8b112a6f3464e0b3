"""The computer at a table: it answers by itself, from the seed alone, also after a crash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import httpx
import pytest

import number_duels as nd
from number_duels.solvers import Unsolvable
from number_duels.web.errors import AnswerTimeout
from number_duels.web.service.games import LATE_MOVE_DELAY_S
from tests.clock import ManualClock
from tests.core.playing import filled
from tests.review.positions import SMALL
from tests.some_games import CARDS, SECRET, SOME_GAMES
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, play_out, start, step, until_asked
from tests.web.serving import Server, until


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("game", SOME_GAMES)
def test_random_plays_to_the_end(http: httpx.Client, game: str, seat: int) -> None:
    person = start(http, game, opponent="random", seat=seat, seed=8)
    view = play_out((person,), Random(0))
    assert view["over"]
    names = [player["name"] for player in view["players"]]
    assert names == (["Ann", "Computer"] if seat == 1 else ["Computer", "Ann"])
    assert all(player["present"] for player in view["players"] if not player["you"])


@pytest.mark.parametrize("seat", [1, 2])
def test_a_person_without_a_name_reads_you_and_who_watches_does_not(
    http: httpx.Client, seat: int
) -> None:
    person = start(http, GAME, opponent="random", seat=seat, seed=8, name="", settings=SMALL[GAME])
    view = play_out((person,), Random(0))
    watcher = Guest(http, person.id)
    assert view["players"][seat - 1]["name"] == f"Player {seat}"
    for path in ("", "steps", "review"):
        mine, theirs = (guest.get(path).text for guest in (person, watcher))
        assert "You" in mine or "your" in mine
        assert "You" not in theirs
        assert f"Player {seat}" in theirs
        assert f"Player {3 - seat}" not in mine + theirs
    told = " ".join(line for entry in view["log"] for line in entry["lines"])
    assert "Player " not in told


def test_an_analysis_calls_the_players_by_the_names_that_are_asked_for(http: httpx.Client) -> None:
    asked = {"game": "number-knot", "moves": "S5 A3"}
    found = http.get("/api/analysis", params={**asked, "player": ["You", "Computer"]}).json()
    assert found["verdict"] == "You win if both play perfectly."
    assert http.get("/api/analysis", params=asked).json()["verdict"].startswith("Player 1 wins")
    for names in (["Ann"], ["Ann", "Ann"], ["Ann", "x" * 21]):
        refused = http.get("/api/analysis", params={**asked, "player": names})
        assert refused.status_code == 422


@pytest.mark.parametrize("opponent", ["perfect", "level:1"])
@pytest.mark.parametrize("game", SOME_GAMES)
def test_those_who_solve_play_to_the_end(http: httpx.Client, game: str, opponent: str) -> None:
    person = start(http, game, opponent=opponent, settings=SMALL[game], seed=8)
    view = play_out((person,), Random(0))
    whose = ["your ", view["players"][1]["name"].lower() + "'s "]
    assert view["over"]
    review = person.get("review").json()
    assert set(review["players"]) == {"1", "2"}
    assert len(review["course"]) == 1 + max((one["turn"] for one in review["grades"]), default=0)
    mistakes = [grade for grade in review["grades"] if grade["loss"]]
    assert all(grade["why"].count(" would have kept ") == 1 for grade in mistakes)
    assert all(whose[grade["seat"] - 1] in grade["why"].lower() for grade in mistakes)
    lines = zip(review["course"], review["skill"], review["luck"], strict=True)
    assert all(abs(skill + luck - value) < 1e-9 for value, skill, luck in lines)
    if opponent == "perfect":
        assert all(grade["loss"] == 0 for grade in review["grades"] if grade["seat"] == 2)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_hint_says_the_winning_chance_of_each_option(http: httpx.Client, game: str) -> None:
    person = start(http, game, opponent="random", settings=SMALL[game], seed=4)
    options = until_asked(person)["options"]
    hint = person.get("hint").json()
    assert sorted(option["move"] for option in hint["options"]) == sorted(options)
    assert -1 <= hint["value"] <= 1
    assert hint["text"][0] == hint["advice"][0]
    assert len(hint["advice"]) >= 2
    *before, last = steps = hint["steps"]
    prompt, headline = (hint["scene"][key] for key in ("prompt", "headline"))
    values = [option["value"] for option in hint["options"]]
    if max(values) > min(values):
        assert prompt
        assert [step["detail"] for step in before] == list(filter(None, (prompt, headline)))
        assert last["tables"]
        assert set(last["lines"]) <= set(hint["advice"])
    else:  # every move is as good as any other
        assert [step["detail"] for step in steps if not step["lines"]] == [prompt, headline]
        assert hint["scene"]["tables"]
    # Only the last step has figures.
    assert not any(step["tables"] for step in before)
    assert [len(step["actions"]) for step in (*before, last)] == [*(1 for _ in before), 0]
    person.post("resign")
    assert person.get("hint").status_code == 409


def test_an_opponent_that_cannot_play_is_refused(http: httpx.Client) -> None:
    answers = []
    for game in nd.games():
        most = filled(game, lambda them: them[-1])
        wish = {"game": game, "settings": most, "opponent": "perfect"}
        answers.append(http.post("/api/games", json=wish))
    http.cookies.clear()
    assert {answer.status_code for answer in answers} <= {201, 422}
    assert any("cannot be solved" in answer.text for answer in answers)


def test_a_rematch_takes_the_computer_along(http: httpx.Client) -> None:
    person = start(http, nd.games()[0], opponent="random")
    play_out((person,), Random(0))
    new = person.post("rematch").json()
    http.cookies.clear()
    again = Guest(http, new["id"], new["token"], new["seat"])
    assert again.seat == 2
    assert play_out((again,), Random(1))["players"][0]["who"] == "random"


def test_a_computer_that_cannot_choose_resigns(
    own_server: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = own_server()

    async def prepare(*_: object) -> None:
        pass

    async def choose(*_: object) -> NoReturn:
        raise Unsolvable("too large")

    monkeypatch.setattr(server.service.worker, "prepare", prepare)
    monkeypatch.setattr(server.service.worker, "choose", choose)
    with server.client() as http:
        stream = start(http, GAME, opponent="perfect").listen()
        stream.until(lambda found: found and found[-1]["over"])
        assert stream.events[-1]["result"] == "1-0"
        stream.close()


def test_a_computer_waits_for_a_busy_solver_and_then_plays_on(
    own_server: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time-out under load says nothing about the game, so it ends none."""
    clock = ManualClock()
    server = own_server(clock=clock)
    worker, tries = server.service.worker, 0
    choose = worker.choose

    async def busy(*asked: Any) -> str:
        nonlocal tries
        tries += 1
        if tries <= 2:
            raise AnswerTimeout("The solver did not answer in time.")
        return await choose(*asked)

    monkeypatch.setattr(worker, "choose", busy)
    with server.client() as http:
        wish = {"opponent": "perfect", "settings": SMALL[GAME], "seat": 2, "seed": 1}
        person = start(http, GAME, **wish)
        stream = person.listen()
        stream.until(lambda found: found)
        for expected in (1, 2):
            server.until(lambda expected=expected: tries == expected)
            clock.until_waiting(LATE_MOVE_DELAY_S, after=LATE_MOVE_DELAY_S)
            assert not person.view()["over"]
            clock.advance(LATE_MOVE_DELAY_S)
        stream.until(lambda found: found[-1]["question"])
        stream.close()


def interrupted(server: Server) -> None:
    """The computer plays the same whether or not its server ends in the middle."""
    wish = {"opponent": "random", "seat": 2, "seed": 6}
    with server.client() as http:
        games = (SECRET, CARDS)
        whole = {game: play_out((start(http, game, **wish),), Random(1)) for game in games}
        halves = {game: (start(http, game, **wish), Random(1)) for game in games}
        for person, rng in halves.values():
            before = person.view()
            if not step(person, rng):
                person.until_after(before)
        server.kill()
        server.restart()
        for game, (person, rng) in halves.items():
            assert play_out((person,), rng)["moves"] == whole[game]["moves"]


def test_the_computer_goes_on_after_an_interruption(own_server: Callable[..., Server]) -> None:
    interrupted(own_server())


def test_the_computer_goes_on_after_a_crash(own_process: Callable[..., Server]) -> None:
    interrupted(own_process())


def test_a_killed_server_leaves_no_solver_behind(own_process: Callable[..., Server]) -> None:
    server = own_process()
    assert server.process is not None
    pid = server.process.pid
    with server.client() as http:
        start(http, GAME, opponent="perfect", settings=SMALL[GAME])
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert children
    server.kill()
    until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


@pytest.mark.parametrize("game", SOME_GAMES)
def test_an_analysis_gives_the_exact_value_of_any_position(http: httpx.Client, game: str) -> None:
    pairs = [f"{name}={value}" for name, value in SMALL[game].items()]
    inquiry: dict[str, object] = {"game": game, "set": pairs}
    moves: list[str] = []
    drawing = False
    while True:
        answer = http.get("/api/analysis", params={**inquiry, "moves": " ".join(moves)})  # type: ignore[dict-item] # httpx takes lists, too
        assert answer.status_code == 200, answer.text
        found = answer.json()
        if "result" in found:
            break
        if found["draws"]:
            moves.append(found["draws"][0])
            drawing = True
            continue
        best = [options[0]["move"] for options in found["options"].values()]
        assert all(option["label"] for options in found["options"].values() for option in options)
        begun = [moves.pop()] if drawing else []
        moves.append("".join([*begun, "/".join(best)]))
        drawing = False
    assert found["result"] in ("1-0", "0-1", "1/2-1/2")
