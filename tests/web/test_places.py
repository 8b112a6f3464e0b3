"""Where on the board an answer is, what it would do, and what was done last."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import httpx
import pytest

from tests.documented import DOCUMENTED
from tests.some_games import SOME_GAMES, both_choose
from tests.web.people import GAME, Guest, Json, pair, until_asked


def answers(question: Json) -> Iterator[Json]:
    """Every answer, and all that they lead to."""
    for answer in question["answers"]:
        yield answer
        if "next" in answer:
            yield from answers(answer["next"])


def shown(part: Json) -> list[str]:
    """What can be pointed at in a part, in reading order."""
    if part["kind"] == "grid":
        return [str(n) for row in part["rows"] for n in row]
    if part["kind"] == "numbers":
        return [str(n) if n in part["left"] else "" for n in part["numbers"]]
    return list(part.get("cards", ()))


def is_number(text: str) -> bool:
    return text.isdecimal()


@pytest.mark.parametrize("game", DOCUMENTED)
def test_every_number_lies_on_the_board(http: httpx.Client, game: str) -> None:
    rng, guests = Random(game), pair(http, game)
    asked = 0
    while asked < 6 and not guests[0].view()["over"]:
        for guest in guests:
            view = guest.view()
            if view["draw"]:
                view = guest.post("draw").json()
            if not view["question"]:
                continue
            asked += 1
            for answer in answers(view["question"]):
                check(answer, view)
            assert guest.move(view["turn"], rng.choice(view["options"])).status_code == 200


def check(answer: Json, view: Json) -> None:
    """An answer is where its number is shown, on a part that its player may take from."""
    places = [(view["board"][at["part"]], at["place"]) for at in answer["at"]]
    if is_number(answer["text"]):
        ((part, place),) = places
        assert shown(part)[place] == answer["text"]
        assert part["owner"] in (view["you"], None)
    assert ("move" in answer) == bool(answer["note"])


def last_of(guest: Guest) -> Json:
    return guest.view()["last"]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_what_was_done_last(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game)
    assert last_of(one) is None
    drawn = None
    if one.view()["draw"]:
        drawn = one.post("draw").json()["last"]["drawn"]
        # A card in a hand is its owner's to see.
        assert last_of(two) == {"turn": 1, "when": "Turn 1", "moves": {}, "drawn": "?", "won": None}
    moves = {"1": until_asked(one)["options"][0]}
    one.move(1, moves["1"])
    if both_choose(game):
        assert last_of(one) is None
        moves["2"] = two.view()["options"][0]
        two.move(1, moves["2"])
    when = "Round 1" if both_choose(game) else "Turn 1"
    last = {"turn": 1, "when": when, "moves": moves, "drawn": drawn, "won": None}
    assert last_of(two) == last


def test_an_only_answer_says_why(http: httpx.Client) -> None:
    one, two = pair(http, GAME, settings=dict.fromkeys(("cards", "rounds"), 2))
    assert one.view()["question"]["forced"] == ""
    for guest, move in ((one, "1"), (two, "2")):
        assert guest.move(1, move).status_code == 200
    assert one.view()["question"]["forced"] == "It is the only number left."
