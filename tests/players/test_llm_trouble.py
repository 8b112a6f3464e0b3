"""Language models: what becomes of an endpoint that fails, is slow or is not there."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from number_duels.core.player import Forfeit, Outage
from number_duels.players.external import LATE
from number_duels.players.llm import client
from number_duels.players.llm.errors import retry_after_s
from tests.players.endpoint import Act, Body, Connection, FakeEndpoint, error, play, raw, say
from tests.players.misbehaviour import cut, dripping_head, silence, slam, stream_error, trickle
from tests.players.model_players import Seated, fake, knot, seated

__all__ = ["fake", "seated"]  # fixtures
KEY = "sk-very-secret-0123456789"
RETRYABLE = {
    "rate limit": (error(429, "Slow down.", Retry_After="0.01"), "busy"),
    "rate limit in milliseconds": (error(429, "Slow down.", retry_after_ms="5"), "busy"),
    "rate limit without a word": (error(429, "Slow down."), "busy"),
    "server error": (error(500, "Oh no."), "failing"),
    "bad gateway": (raw(b"<html>502</html>", "text/html", 502), "failing"),
    "error in a stream": (stream_error, "failing"),
    "error with status 200": (raw(b'{"error": {"message": "no"}}', "application/json"), "failing"),
    "cut in the middle": (cut, "cut"),
    "cut at once": (slam, "cut"),
    "an end that is none": (say('{"move": "S9"}', None), "cut"),
    "a page": (raw(b"<html>Welcome</html>", "text/html"), "garbled"),
    "malformed JSON": (raw(b'{"choices": [', "application/json"), "garbled"),
    "another JSON": (raw(b"[1, 2]", "application/json"), "garbled"),
    "no choices": (raw(b"{}", "application/json"), "garbled"),
    "JSON without a bottom": (raw(b"[" * 100_000, "application/json"), "garbled"),
    "event without a bottom": (
        raw(b"data: " + b"[" * 100_000 + b"\n\n", "text/event-stream"),
        "garbled",
    ),
    "a number that is none": (raw(b'{"choices": Infinity}', "application/json"), "garbled"),
    "malformed event": (raw(b"data: {no\n\n", "text/event-stream"), "garbled"),
    "binary event": (raw(b"data: \xff\xfe\n\n", "text/event-stream"), "garbled"),
    "another event": (raw(b'data: {"choices": [7]}\n\n', "text/event-stream"), "cut"),
    "numbers for text": (
        raw(b'{"choices": [{"message": {"content": 7}}]}', "application/json"),
        "garbled",
    ),
}


@pytest.mark.parametrize("name", RETRYABLE)
def test_what_may_pass_is_tried_again_and_is_not_the_models_fault(
    name: str, fake: FakeEndpoint, seated: Seated
) -> None:
    act, kind = RETRYABLE[name]
    fake.script = [act, act, play("S9")]
    player = seated(retry_budget_s=10.0)
    assert str(player.choose(knot())) == "S9"
    assert player.faults == []
    assert [call.kind for call in player.calls] == [kind, kind, "answered"]


@pytest.mark.parametrize("name", ["rate limit", "server error", "cut at once", "malformed JSON"])
def test_patience_ends(name: str, fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [RETRYABLE[name][0]] * 1000
    player = seated(retry_budget_s=1.0)
    with pytest.raises(Outage, match="patience ends"):
        player.choose(knot())
    assert len(player.calls) > 1
    assert player.faults == []


def test_pauses_grow(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [RETRYABLE["server error"][0]] * 1000
    player = seated(retry_budget_s=1.0)
    with pytest.raises(Outage):
        player.choose(knot())
    assert len(player.calls) < 12  # 0.01 + 0.02 + 0.04 + …, each give or take a quarter


def test_patience_begins_with_the_error_and_not_with_a_long_thought(
    fake: FakeEndpoint, seated: Seated
) -> None:
    def lost_after_a_while(connection: Connection, body: Body) -> None:
        time.sleep(0.6)
        cut(connection, body)

    fake.script = [lost_after_a_while, play("S9")]
    player = seated(retry_budget_s=0.3)
    assert str(player.choose(knot())) == "S9"


def test_who_asks_for_more_than_patience_is_not_waited_for(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [error(429, "Come back tomorrow.", Retry_After="86400")]
    with pytest.raises(Outage, match="Come back tomorrow"):
        seated().choose(knot())


def test_a_pause_may_be_a_number_or_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after_s({"retry-after": "7"}, now) == 7
    assert retry_after_s({"retry-after-ms": "1500", "retry-after": "7"}, now) == 1.5
    later = format_datetime(now + timedelta(seconds=30), usegmt=True)
    assert retry_after_s({"retry-after": later}, now) == 30
    assert retry_after_s({"retry-after": "-3"}, now) == 0
    for nothing in ("soon", "", "inf", "nan"):
        assert retry_after_s({"retry-after": nothing}, now) is None


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (error(401, "Invalid key."), "status 401 (Invalid key.)"),
        (error(403, "Not here."), "status 403 (Not here.)"),
        (error(404, "No such model."), "status 404 (No such model.)"),
        (error(429, "You have no credit.", code="insufficient_quota"), "You have no credit."),
        (raw(b"gone\nfor good", "text/plain", 410), "status 410 (gone for good)"),
    ],
)
def test_what_will_not_pass_is_an_outage_at_once(
    act: Act, says: str, fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [act]
    player = seated()
    with pytest.raises(Outage) as outage:
        player.choose(knot())
    assert says in outage.value.reason
    assert fake.url in outage.value.reason
    assert len(fake.bodies) == 1


def test_a_model_that_is_not_there_is_named(seated: Seated) -> None:
    with pytest.raises(Outage, match="The model 'huge' does not exist"):
        seated("huge").choose(knot())


@pytest.mark.parametrize("act", [silence, trickle, dripping_head])
def test_the_time_limit_is_for_the_whole_answer(
    act: Act, fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [act]
    player = seated(seconds=0.4)
    with pytest.raises(Forfeit, match=r"no whole answer came within 0\.4 seconds") as forfeit:
        player.choose(knot())
    assert forfeit.value.kind == LATE
    assert [call.kind for call in player.calls] == ["late"]
    assert len(fake.bodies) == 1


def test_who_shows_no_sign_of_life_is_not_late_but_out_of_reach(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SIGN_OF_LIFE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:  # connections are taken, and that is all
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        player = seated(url=url, seconds=0.2, retry_budget_s=0.5)
        with pytest.raises(Outage, match=r"within 0\.2 seconds, nor any sign of life"):
            player.choose(knot())
    assert {call.kind for call in player.calls} == {"cut"}


def test_after_a_time_out_the_next_game_is_played(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [silence]
    player = seated(seconds=0.4)
    with pytest.raises(Forfeit):
        player.choose(knot())
    player.limits = replace(player.limits, seconds=20.0)
    assert str(player.choose(knot())) == "A1"


def test_an_endpoint_that_is_not_there(seated: Seated) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        player = seated(
            url=f"http://user:pass@127.0.0.1:{taken.getsockname()[1]}/v1", retry_budget_s=0.1
        )
        with pytest.raises(Outage, match="there is no connection") as outage:
            player.choose(knot())
    assert "127.0.0.1" in outage.value.reason
    assert "pass" not in outage.value.reason.replace("patience", "")


def test_a_model_can_be_asked_where_an_event_loop_runs_already(seated: Seated) -> None:
    async def notebook() -> object:
        return seated().choose(knot())

    assert str(asyncio.run(notebook())) == "A1"


def test_an_interruption_ends_the_call_and_not_the_player(
    fake: FakeEndpoint, seated: Seated
) -> None:
    def interrupt(connection: Connection, body: Body) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        silence(connection, body)

    fake.script = [interrupt]
    player = seated()
    with pytest.raises(KeyboardInterrupt):
        player.choose(knot())
    assert str(player.choose(knot())) == "A1"
    assert [call.kind for call in player.calls] == ["interrupted", "answered"]


# ---- keys ------------------------------------------------------------------------


def test_the_key_comes_from_the_environment(
    fake: FakeEndpoint, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.key = KEY
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
    assert str(seated(url="").choose(knot())) == "A1"
    assert fake.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_an_endpoint_of_ones_own_needs_no_key(fake: FakeEndpoint, seated: Seated) -> None:
    assert str(seated().choose(knot())) == "A1"
    assert fake.headers[0]["Authorization"] == "Bearer none"


def test_a_key_is_never_repeated(
    fake: FakeEndpoint,
    seated: Seated,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fake.script = [
        error(500, f"Who is {KEY}?"),
        raw(json.dumps({"error": f"no {KEY}"}).encode(), "application/json"),
        say(f"You are {KEY}."),
        say("", refusal=f"Not for {KEY}"),
    ]
    player = seated()
    player.choose(knot())
    fake.key = "another"
    with pytest.raises(Outage, match=r"Incorrect API key provided: \(key\)\.") as outage:
        player.choose(knot())
    everything = f"{player.kept()} {player.faults} {outage.value} {caplog.text} {player.chat.place}"
    assert "Incorrect" in everything
    assert KEY not in everything
    assert KEY not in json.dumps(fake.bodies)


def test_a_key_that_is_none_is_said_without_repeating_it(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "schlüssel")
    with pytest.raises(ValueError, match="The key in OPENAI_API_KEY has letters that no key has"):
        seated()
