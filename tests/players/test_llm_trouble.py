"""Language models: what becomes of an endpoint that fails, is slow or is not there."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event, Thread

import pytest

from number_duels.core.player import Forfeit, Outage
from number_duels.players.external import LATE
from number_duels.players.llm import client, endpoint
from number_duels.players.llm.endpoint import (
    MAX_LATE,
    EndpointError,
    Gate,
    RetryBudget,
    retry_after_s,
)
from tests.clock import ManualClock
from tests.patience import PATIENCE_S
from tests.players.endpoint import Act, Body, Connection, FakeEndpoint, error, play, raw, say
from tests.players.misbehaviour import cut, dripping_head, silence, slam, stream_error, trickle
from tests.players.model_players import PatientClock, Seated, clock, fake, knot, no_keys, seated

__all__ = ["clock", "fake", "no_keys", "seated"]  # fixtures
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
def test_patience_ends(name: str, fake: FakeEndpoint, clock: PatientClock, seated: Seated) -> None:
    fake.script = [RETRYABLE[name][0]] * 1000
    player = seated(retry_budget_s=3.0)
    with pytest.raises(Outage, match=r"retries ended after 3 seconds"):
        player.choose(knot())
    assert len(player.calls) > 1
    assert 0 < clock.passed < 3.0
    assert player.faults == []


def test_a_random_wait_never_outlasts_the_patience(
    fake: FakeEndpoint, clock: PatientClock, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Short pauses, and after each the longest wait until the next request.
    monkeypatch.setattr(endpoint, "uniform", lambda low, high: low or high)
    fake.script = [RETRYABLE["rate limit"][0]] * 1000
    with pytest.raises(Outage, match=r"retries ended after 3 seconds"):
        seated(retry_budget_s=3.0).choose(knot())
    assert 0 < clock.passed <= 3.0


def test_an_endpoint_that_never_answered_has_less_patience(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [slam] * 1000
    with pytest.raises(Outage, match=r"retries ended after 5 seconds"):
        seated(retry_budget_s=45.0).choose(knot())
    fake.script = [play("S9")]
    (player := seated(retry_budget_s=45.0)).choose(knot())
    fake.script = [slam] * 1000
    with pytest.raises(Outage, match=r"retries ended after 45 seconds"):
        player.choose(knot())


def test_patience_with_who_is_busy_begins_with_the_last_answer_to_anybody(
    fake: FakeEndpoint, clock: PatientClock, seated: Seated
) -> None:
    def busy_with_others(connection: Connection, body: Body) -> None:
        clock.advance(2.5)
        player.chat.gate.answered()
        error(429, "Slow down.")(connection, body)

    fake.script = [busy_with_others] * 3 + [play("S9")]
    player = seated(retry_budget_s=6.0)
    assert str(player.choose(knot())) == "S9"
    assert clock.passed > 6.0


def test_a_shorter_pause_does_not_end_a_longer_one(clock: PatientClock) -> None:
    gate = Gate("here", clock)
    gate.hold(10)
    gate.hold(1)
    asyncio.run(gate.passed())
    assert 10 <= clock.passed <= 10.25


def test_pauses_grow(fake: FakeEndpoint, clock: PatientClock, seated: Seated) -> None:
    fake.script = [RETRYABLE["server error"][0]] * 1000
    player = seated(retry_budget_s=200.0)
    with pytest.raises(Outage):
        player.choose(knot())
    assert len(clock.slept) == len(player.calls) - 1 > 6
    for number, pause in enumerate(clock.slept):
        assert 0.75 <= pause / min(0.5 * 2**number, 20.0) <= 1.25


def test_patience_begins_with_the_error_and_not_with_a_long_thought(
    fake: FakeEndpoint, clock: PatientClock, seated: Seated
) -> None:
    def lost_after_a_while(connection: Connection, body: Body) -> None:
        clock.advance(15)
        cut(connection, body)

    fake.script = [lost_after_a_while, play("S9")]
    player = seated(retry_budget_s=1.0)
    assert str(player.choose(knot())) == "S9"
    assert [call.seconds for call in player.calls] == [15, 0]


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
    act: Act, fake: FakeEndpoint, clock: PatientClock, seated: Seated
) -> None:
    def late(connection: Connection, body: Body) -> None:
        clock.advance(20)
        act(connection, body)

    fake.script = [late]
    player = seated(seconds=20)
    with pytest.raises(Forfeit, match="no complete answer came within 20 seconds") as forfeit:
        player.choose(knot())
    assert forfeit.value.kind == LATE
    assert [call.kind for call in player.calls] == ["late"]
    assert len(fake.bodies) == 1
    assert str(player.choose(knot())) == "A1"  # the next game is played


def test_a_model_that_is_always_late_stops_the_run_with_a_sentence(
    fake: FakeEndpoint, clock: PatientClock, seated: Seated
) -> None:
    def late(connection: Connection, body: Body) -> None:
        clock.advance(20)
        silence(connection, body)

    player = seated(seconds=20)
    fake.script = [*[late] * 4, play("S9"), *[late] * 5]
    for _ in range(4):
        with pytest.raises(Forfeit):
            player.choose(knot())
    assert str(player.choose(knot())) == "S9"  # one in time, and the count begins again
    for _ in range(4):
        with pytest.raises(Forfeit):
            player.choose(knot())
    with pytest.raises(Outage, match=r"answered too late 5 times in a row .* with --seconds\."):
        player.choose(knot())


def test_requests_that_are_late_together_count_once() -> None:
    clock = ManualClock()
    gate, late = Gate("here", clock), EndpointError("late", "no answer came")

    async def burst(size: int) -> None:
        budgets = [RetryBudget(gate, 45) for _ in range(size)]
        clock.advance(20)
        for budget in budgets:
            with pytest.raises(Forfeit):
                await budget.wait(late)

    for _ in range(MAX_LATE - 1):
        asyncio.run(burst(8))
    budget = RetryBudget(gate, 45)
    with pytest.raises(Outage, match="answered too late 5 times in a row"):
        asyncio.run(budget.wait(late))


def test_an_answer_in_time_is_taken(
    fake: FakeEndpoint, clock: PatientClock, seated: Seated
) -> None:
    def in_time(connection: Connection, body: Body) -> None:
        clock.advance(19.9)
        play("S9")(connection, body)

    fake.script = [in_time]
    assert str(seated(seconds=20).choose(knot())) == "S9"


def test_who_shows_no_sign_of_life_is_not_late_but_out_of_reach(
    clock: PatientClock, seated: Seated
) -> None:
    def deaf() -> None:
        """Takes each connection, and lets the time pass once the request is there."""
        with suppress(OSError):
            while True:
                taken.append(server.accept()[0])
                taken[-1].recv(65536)
                clock.advance(20)

    taken: list[socket.socket] = []
    with ExitStack() as stack, socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=deaf, daemon=True).start()
        player = seated(url=f"http://127.0.0.1:{server.getsockname()[1]}/v1", seconds=20)
        with pytest.raises(Outage, match="within 20 seconds, and the endpoint does not respond"):
            player.choose(knot())
        for one in taken:
            stack.enter_context(one)
        server.shutdown(socket.SHUT_RDWR)
    assert [call.kind for call in player.calls] == ["cut"]
    assert len(taken) == 2  # for the move, and for a sign of life


def test_an_endpoint_that_is_not_there(seated: Seated) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        player = seated(
            url=f"http://user:pass@127.0.0.1:{taken.getsockname()[1]}/v1", retry_budget_s=1.0
        )
        with pytest.raises(Outage, match="the connection failed") as outage:
            player.choose(knot())
    assert "127.0.0.1" in outage.value.reason
    assert "pass" not in outage.value.reason


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


def test_an_interruption_before_the_wait_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, begun, ended = client.event_loop(), Event(), list[str]()

    class InterruptedLoop:
        """Is interrupted right after the call has begun."""

        create_task = staticmethod(loop.create_task)

        def call_soon_threadsafe(self, callback: Callable[[], None]) -> None:
            is_first = not begun.is_set()
            loop.call_soon_threadsafe(callback)
            if is_first:
                begun.wait(PATIENCE_S)
                raise KeyboardInterrupt

    async def call() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("call")

    monkeypatch.setattr(client, "event_loop", InterruptedLoop)
    with pytest.raises(KeyboardInterrupt):
        client.run_in_loop(call())
    assert ended == ["call"]


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
    with pytest.raises(
        ValueError,
        match="The key in OPENAI_API_KEY has characters that are not allowed in a key",
    ):
        seated()
