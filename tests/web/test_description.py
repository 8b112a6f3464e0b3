"""The description at `/api`: complete, and no request that fits or breaks it crashes the server."""

from __future__ import annotations

from random import Random

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance

import number_duels as nd
from number_duels.trainer.drills import may_mix
from tests.patience import PATIENCE_S
from tests.review.positions import SMALL
from tests.web.people import GAME, Guest, Json, pair, play_out, start, until_asked
from tests.web.serving import Server

EXAMPLES = 400


def test_the_catalogue_has_every_game(http: httpx.Client) -> None:
    found = http.get("/api/catalogue").json()
    assert tuple(game["name"] for game in found["games"]) == nd.games()
    for facts in found["games"]:
        game = nd.load(facts["name"])
        assert facts["rules"] == game.rules
        assert sum(section["for_keyboard"] for section in facts["sections"]) == 1
        assert plain(read_again(facts["sections"])) == plain(facts["rules"])
        defaults = {name: about["default"] for name, about in facts["settings"].items()}
        assert defaults == game.settings
        assert facts["turns"] == ("first" in game.settings)
        assert facts["mixes"] == may_mix(game)
        assert len(set(facts["opponents"].values())) == len(found["opponents"])
        assert "plays a random move on about" in facts["opponents"]["level:1"]
        start, *later = facts["preview"]
        assert later
        assert all(board != start for board in later)
    assert found["opponents"][0]["who"] == "random"


def read_again(sections: Json) -> str:
    """Rules as a page of text, made from what a page gets as data."""
    lines: list[str] = []
    for section in sections:
        lines.append(section["title"])
        for block in section["blocks"]:
            for number, item in enumerate(block["items"], 1):
                mark = {"paragraph": "", "bullets": "-", "numbered": f"{number}."}[block["kind"]]
                words = [
                    w if isinstance(w, str) else f"--set {w['name']}={w['value']}" for w in item
                ]
                lines.append(f"{mark} {''.join(words)}")
    return "\n".join(lines)


def plain(text: str) -> str:
    return " ".join(text.split())


def test_words_say_what_they_are(http: httpx.Client) -> None:
    seen: set[str] = set()
    for game in nd.games():
        one, two = pair(http, game, settings=SMALL[game], seed=3)
        play_out((one, two), Random(3))
        told = [*one.get("steps").json(), one.view(), *one.view()["log"]]
        assert all(len(entry["kinds"]) == len(entry["lines"]) for entry in told)
        seen.update(*(entry["kinds"] for entry in told))
    assert seen == {"said", "heading", "rule", "board"}


def test_a_question_is_asked_without_what_a_keyboard_needs(http: httpx.Client) -> None:
    for game in nd.games():
        question = until_asked(start(http, game, opponent="random", seed=4))["question"]
        while question:
            assert question["prompt"]
            assert not question["text"].endswith((":", ">", " "))
            question = question["answers"][0].get("next")


@pytest.mark.slow
def test_no_request_crashes_the_server(server: Server, http: httpx.Client) -> None:
    description = schemathesis.openapi.from_url(f"{server.url}/api", timeout=PATIENCE_S)
    seats = [*pair(http, GAME), start(http, GAME, opponent="random")]
    over, _ = pair(http, GAME)
    over.post("resign")
    guests: list[Guest] = [*seats, over, Guest(http, over.id), Guest(http, "nothing")]

    asked = set()
    for found in description.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # a stream has no end to wait for

        @given(case=operation.as_strategy(), guest=st.sampled_from(guests))
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def ask(case: Json, guest: Guest) -> None:
            if "id" in case.path_parameters:
                case.path_parameters["id"] = guest.id
            answer = case.call(headers=guest.headers, timeout=PATIENCE_S)
            case.validate_response(
                answer, checks=[schemathesis.checks.not_a_server_error, response_schema_conformance]
            )

        ask()
        asked.add(operation.label)
    assert {"POST /api/games/{id}/moves", "GET /api/me", "POST /api/train/session"} < asked
    assert len(asked) > 30


def test_a_question_names_nobody_on_a_page(http: httpx.Client) -> None:
    for name in ("Ann", ""):
        question = start(http, "number-bid", opponent="random", name=name).view()["question"]
        assert (question["text"], question["prompt"]) == ("Choose your bid", "Enter your bid:")
