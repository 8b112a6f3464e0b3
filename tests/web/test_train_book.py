"""The mistake book of a profile: answers, cards, one's own games, and the same file everywhere."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest

from number_duels.trainer.book import (
    AddCard,
    AnswerGiven,
    Book,
    RemoveCard,
    TrainingEvent,
    event_json,
    read_event,
)
from number_duels.trainer.spot import Spot
from number_duels.web.api.training import day_of
from number_duels.web.errors import AnswerTimeout, ApiError
from tests.web.browsers import Browser, OpenBrowser
from tests.web.local import LocalServer
from tests.web.people import Json
from tests.web.test_own_records import graded
from tests.web.training import Training, spot_plan

GAME = "number-knot"
SETTINGS = {"numbers": 6, "life": 5}
SPOT = {"game": GAME, "settings": SETTINGS, "deal": None, "moves": "", "seat": 1}
NOW = datetime.now(UTC)


def ask(one: Browser, method: str, what: str = "", body: object = None) -> httpx.Response:
    return one.http.request(method, f"/api/train/book{what}", json=body)


def book(one: Browser) -> Json:
    answer = ask(one, "GET")
    assert answer.status_code == 200, answer.text
    return answer.json()


def lines(one: Browser) -> list[Json]:
    return [json.loads(line) for line in ask(one, "GET", "/file").text.splitlines()]


def give(one: Browser, move: str, spot: Json = SPOT, **more: object) -> Training:
    """Answer one spot."""
    training = Training(one.http, spot_plan(spot))
    training.act("answer", move, **more)
    return training


def test_answers_are_kept_once_with_what_the_server_found(browser: OpenBrowser) -> None:
    ann, nobody = browser("Ann"), browser()
    give(nobody, "S6")
    assert book(nobody)["answers"] == 0
    for _ in range(2):
        told = give(ann, "A1", id="ab" * 8)
    added, line = lines(ann)
    card, found = read_event(added), read_event(line)
    assert isinstance(card, AddCard), "what was missed is a card"
    assert isinstance(found, AnswerGiven)
    assert (found.id, found.answer, found.kind) == ("ab" * 8, "A1", "drill")
    given = told.state["given"][-1]
    assert (found.right, found.cost) == (given["right"], given["cost"])
    assert found.card == card.card == Spot.from_json(SPOT).open().id
    assert NOW.replace(microsecond=0) <= card.time == found.time


def test_a_card_is_due_until_it_is_answered_and_gone_when_it_is_removed(
    browser: OpenBrowser,
) -> None:
    ann = browser("Ann")
    answer = ask(ann, "POST", body={"spot": SPOT, "source": "analysis", "cost": 0.5})
    assert answer.status_code == 201, answer.text
    card = answer.json()["card"]
    assert book(ann)["due"] == 1
    today = Training(ann.http, {"kind": "book"})
    assert (today.state["item"], today.scene["status"][1:]) == (card, ["new"])
    today.act("answer", "S6")
    after = book(ann)
    assert (after["cards"], after["due"]) == (1, 0)
    assert after["next"]
    again = {"spot": SPOT, "source": "drill"}
    for _ in range(2):
        assert ask(ann, "POST", body=again).json() == {"card": card}
    assert len(lines(ann)) == 2, "it is there already"
    today.act("remove")
    assert "Removed" in today.said
    assert book(ann)["cards"] == 0
    assert len(lines(ann)) == 3
    assert ask(ann, "POST", body=again).status_code == 201
    assert book(ann)["cards"] == 1, "whoever asks for it again has it again"


def test_cards_are_listed_in_words_and_found_by_a_search(browser: OpenBrowser) -> None:
    ann, nobody = browser("Ann"), browser()
    ask(ann, "POST", body={"spot": SPOT, "source": "analysis", "cost": 0.5})
    ask(ann, "POST", body={"spot": {**SPOT, "moves": "A1", "seat": 2}, "source": "game"})

    def found(search: str, one: Browser = ann) -> list[str]:
        answer = ask(one, "GET", f"/cards?search={search}")
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert (told["count"] == 0) == bool(told["note"])
        return [card["position"] for card in told["cards"]]

    assert sorted(found("")) == ["turn 1", "turn 2"]
    assert found("knot analysis") == ["turn 1"]
    assert found("chess") == found("", nobody) == []
    (card,) = ask(ann, "GET", "/cards?search=from your game").json()["cards"]
    assert (card["title"], card["facts"][0]) == ("Number Knot", "from your game")
    assert {part["kind"] for part in card["board"]} == {"meter", "numbers"}
    assert Training(ann.http, spot_plan(card["spot"])).scene["you"] == 2
    assert ask(ann, "DELETE", f"/cards/{card['card']}").status_code == 204
    assert found("") == ["turn 1"]


def test_what_comes_next_is_decided_by_the_server(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    start = {game: ask(ann, "GET", f"?game={game}").json()["start"] for game in (GAME, "")}
    assert [one["kind"] for one in start.values()] == ["lesson", "lesson"]
    assert "Number Knot" in start[GAME]["note"]
    ask(ann, "POST", body={"spot": SPOT, "source": "analysis"})
    assert book(ann)["start"] == {
        "kind": "book",
        "label": "Practice your mistakes",
        "note": "1 mistake to practice today, from all games.",
    }
    assert ask(ann, "GET", "?game=chess").status_code == 422


def test_a_decision_of_ones_own_game_is_added_as_such_and_again_after_it_was_removed(
    browser: OpenBrowser,
) -> None:
    ann = browser("Ann")
    body = {"spot": SPOT, "source": "game", "cost": 0.5}
    card = ask(ann, "POST", body=body).json()["card"]
    (added,) = map(read_event, lines(ann))
    assert isinstance(added, AddCard)
    assert (added.source, added.cost) == ("game", 0.5)
    assert ask(ann, "DELETE", f"/cards/{card}").status_code == 204
    assert ask(ann, "POST", body=body).status_code == 201
    assert book(ann)["cards"] == 1


def test_cards_that_cannot_be_opened_hide_no_others(browser: OpenBrowser) -> None:
    ann = browser("Ann")
    spot = Spot.from_json(SPOT).open()
    good = event_json(AddCard.of(spot, NOW - timedelta(days=1), source="game", cost=0.1))
    early = {**good, "time": event_json(RemoveCard.of(spot.id, NOW - timedelta(days=9)))["time"]}
    foreign = {**SPOT, "game": "chess"}
    bad = [
        {**early, "id": f"{n:016x}", "card": f"{n:016x}", "spot": foreign if n % 2 else SPOT}
        for n in range(60)
    ]
    assert ask(ann, "POST", "/file", {"events": [*bad, good]}).json() == {"added": 61}
    assert book(ann)["due"] == 1
    assert Training(ann.http, {"kind": "book"}).state["item"] == spot.id


def test_without_a_profile_there_is_no_book(browser: OpenBrowser) -> None:
    nobody = browser()
    assert book(nobody)["due"] == 0
    assert ask(nobody, "GET", "/file").text == ""
    for method, what, body in (
        ("POST", "", {"spot": SPOT, "source": "drill"}),
        ("DELETE", f"/cards/{'0f' * 8}", None),
        ("POST", "/games", None),
        ("POST", "/file", {"events": []}),
    ):
        answer = ask(nobody, method, what, body)
        assert (answer.status_code, "create one first" in answer.text) == (401, True)


def test_a_book_is_carried_over_as_a_file_and_merged(browser: OpenBrowser) -> None:
    ann, bo = browser("Ann"), browser("Bo")
    spot = Spot.from_json(SPOT).open()
    events: list[TrainingEvent] = [
        AddCard.of(spot, NOW - timedelta(days=9), source="game", cost=0.5, played="2026-10-01"),
        AnswerGiven.of(
            spot,
            NOW - timedelta(days=8),
            kind="book",
            form="move",
            answer="S6",
            cost=0.0,
            right=True,
        ),
        RemoveCard.of("0f" * 8, NOW),
    ]
    sent = {"events": [event_json(event) for event in events]}
    assert ask(ann, "POST", "/file", sent).json() == {"added": 3}
    assert ask(ann, "POST", "/file", sent).json() == {"added": 0}
    assert Book(tuple(map(read_event, lines(ann)))) == Book(tuple(events))
    assert ask(bo, "POST", "/file", {"events": lines(ann)}).json() == {"added": 3}
    give(bo, "S6")
    refused = bo.redeem(ann.code())
    assert (refused.status_code, "add them to the profile" in refused.text) == (409, True), (
        "a book is something"
    )
    assert bo.redeem(ann.code(), merge=True).status_code == 200
    assert len(lines(bo)) == 4
    assert lines(ann) == lines(bo)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"event": "bribe"}, "not an event"),
        ({"id": "x"}, "id"),
        ({"time": "yesterday"}, "time"),
        (
            {"time": event_json(RemoveCard.of("0f" * 8, NOW + timedelta(days=2)))["time"]},
            "in the future",
        ),
        ({"cost": 3}, "cost"),
        ({"source": "elsewhere"}, "source"),
        ({"spot": {**SPOT, "seat": 9}}, "seat"),
        ({"played": "x" * 7000}, "too long"),
    ],
)
def test_a_line_that_is_no_event_is_refused(browser: OpenBrowser, change: Json, said: str) -> None:
    ann = browser("Ann")
    line = event_json(AddCard.of(Spot.from_json(SPOT).open(), NOW, source="game", cost=0.5))
    answer = ask(ann, "POST", "/file", {"events": [line, {**line, **change}]})
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert answer.json()["error"].startswith("Line 2 ")
    assert lines(ann) == [], "all of it or nothing"


def test_mistakes_of_ones_own_games_become_cards(server: LocalServer, browser: OpenBrowser) -> None:
    ann = browser("Ann")
    table = ann.start(GAME, settings=SETTINGS, opponent="random", seed=5)
    while not (view := table.view())["over"]:
        if view["options"]:
            table.move(view["turn"], view["options"][0])
        else:
            table.until_after(view)
    graded(server, ann)
    read = ask(ann, "POST", "/games").json()
    assert read["read"] == 1
    found = list(map(read_event, lines(ann)))
    assert len(found) == read["cards"] == book(ann)["cards"] > 0
    record = table.get("record").json()
    for event in found:
        assert isinstance(event, AddCard)
        assert (event.source, event.played) == ("game", record["started"][:10])
        assert record["moves"].startswith(event.spot.moves)
        assert event.spot.open().seat == 0
    assert ask(ann, "POST", "/games").json() == {"read": 0, "cards": 0, "more": False}
    assert len(lines(ann)) == read["cards"]


def test_a_day_is_one_that_somebody_has(browser: OpenBrowser) -> None:
    now = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    assert day_of(None, now) == date(2026, 3, 1)
    for day in ("2026-02-28", "2026-03-01", "2026-03-02"):
        assert day_of(day, now).isoformat() == day
    for day in ("2026-02-27", "2026-03-03", "2026-13-01"):
        with pytest.raises(ApiError, match="date"):
            day_of(day, now)
    for day in ("2020-01-01", "2026-13-01", "today"):
        assert ask(browser(), "GET", f"?day={day}").status_code == 422


def test_a_busy_machine_says_so_instead_of_failing(
    browser: OpenBrowser, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_slow(*_: object) -> None:
        raise AnswerTimeout("The game takes too long to solve on this server.")

    monkeypatch.setattr(server.service.worker, "work", too_slow)
    for what in ("", "/cards"):
        answer = ask(browser("Ann"), "GET", what)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        assert answer.json() == {"error": "The game takes too long to solve on this server."}
