"""Requests of one client are counted and spread over time, so that others can move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from number_duels.sessions.train import State
from number_duels.web import request_limits
from number_duels.web.app import build
from number_duels.web.config import Config
from number_duels.web.request_limits import (
    REFUSAL_DELAY_S,
    REFUSALS_PER_S,
    WAITING,
    RateLimiter,
    RequestRates,
)
from number_duels.web.service.training import TrainStep
from tests.clock import ManualClock
from tests.web.people import GAME
from tests.web.serving import run

QUESTION = f"/api/analysis?game={GAME}"
BuildApp = Callable[..., FastAPI]
CLIENTS = ("Ann", "Bo", "Cy", "Di")


def test_a_share_fills_at_its_rate_and_never_above_its_burst() -> None:
    clock = ManualClock()
    limiter = RateLimiter(rate=0.5, burst=2, clock=clock)

    def at_once() -> int:
        return next(number for number in range(9) if limiter.delay("Ann") is None)

    assert at_once() == 2
    clock.advance(1)
    assert at_once() == 0
    clock.advance(1)
    assert at_once() == 1
    clock.advance(1000)
    assert at_once() == 2
    assert limiter.delay("Bo") == 0, "each client has its own"


def test_only_so_many_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MAX_CLIENTS", 3)
    limiter = RateLimiter(rate=0.001, burst=1, clock=ManualClock())
    for who in CLIENTS:
        assert limiter.delay(who) == 0
    # The last three are: the one that asked longest ago has a full share again.
    assert [limiter.delay(who) for who in reversed(CLIENTS)] == [None, None, None, 0]


def test_only_so_many_seats_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MAX_SEATS", 3)
    rates = RequestRates(Config(), ManualClock())
    for token in (*CLIENTS[:3], CLIENTS[0], CLIENTS[3]):
        rates.remember_seat(token)
    assert [rates.is_seat(token) for token in CLIENTS] == [True, False, True, True]


@dataclass
class Still(ManualClock):
    """A clock that stands still; whoever sleeps is written down, and wakes when told to."""

    slept: list[float] = field(default_factory=list)
    awake: asyncio.Event = field(default_factory=asyncio.Event)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await self.awake.wait()


@pytest.fixture
def clock() -> Still:
    return Still()


@pytest.fixture
def app(tmp_path: Path, clock: Still) -> BuildApp:
    """An application that needs no database for what is asked here."""
    return lambda **limits: build(f"sqlite:///{tmp_path / 'games'}", Config(**limits), clock)


async def ask(app: FastAPI, path: str, body: object = None) -> int:
    """The status of an answer."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        if body is None:
            return (await client.get(path)).status_code
        return (await client.post(path, json=body)).status_code


async def ask_together(app: FastAPI, path: str, times: int) -> set[int]:
    return set(await asyncio.gather(*(ask(app, path) for _ in range(times))))


def test_a_refused_question_is_answered_after_what_was_asked_later(
    app: BuildApp, clock: Still
) -> None:
    async def test() -> None:
        tried = app(expensive_burst=0.5)
        refused = asyncio.create_task(ask(tried, QUESTION))
        while not clock.slept:
            assert not refused.done(), "it was refused at once"
            await asyncio.sleep(0)
        assert await ask(tried, "/healthz") == 200
        assert not refused.done()
        clock.awake.set()
        assert await refused == 429
        assert clock.slept == [REFUSAL_DELAY_S]

    run(test())


def test_requests_that_come_together_are_let_in_a_few_at_once(app: BuildApp, clock: Still) -> None:
    async def test() -> None:
        clock.awake.set()
        assert await ask_together(app(request_rate=50, request_burst=3), "/nothing", 6) == {404}
        assert clock.slept == pytest.approx([0.02, 0.04, 0.06])

    run(test())


def test_refusals_of_one_client_come_one_after_the_other(app: BuildApp, clock: Still) -> None:
    async def test() -> None:
        clock.awake.set()
        tried = app(request_burst=0.5, waiting_requests=0)
        assert await ask_together(tried, "/nothing", 3) == {429}
        expected = [REFUSAL_DELAY_S + n / REFUSALS_PER_S for n in range(3)]
        assert clock.slept == pytest.approx(expected)

    run(test())


STEP = TrainStep(State(()), {}, "", ())


def plan(kind: str) -> dict[str, object]:
    return {"plan": {"kind": kind, "game": "number-knot"}}


def test_who_waits_for_a_book_takes_nobodys_turn(
    app: BuildApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        tried, asked, answered = app(requests_at_once=1), asyncio.Event(), asyncio.Event()

        async def work(*_: object) -> dict[str, object]:
            asked.set()
            await answered.wait()
            return {}

        monkeypatch.setattr(tried.state.service.worker, "work", work)
        waiting = asyncio.create_task(ask(tried, "/api/train/book"))
        await asked.wait()
        assert await ask(tried, "/nothing") == 404
        answered.set()
        assert await waiting == 200

    run(test())


@pytest.mark.parametrize("what", ["session", "book/games", "book/cards/0f"])
def test_neither_do_those_who_send_something(what: str) -> None:
    assert WAITING.fullmatch(f"/api/train/{what}")
    assert not WAITING.fullmatch("/api/train/book/file"), "to read it takes a while"


def test_a_client_waits_for_itself_and_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MAX_CLIENTS", 3)

    async def test() -> None:
        rates, begun = RequestRates(Config(requests_at_once=2), ManualClock()), list[str]()

        async def ask(client: str, name: str) -> None:
            async with rates.turns(client):
                begun.append(name)
                await asyncio.sleep(0)

        asked = [("Ann", "a1"), ("Ann", "a2"), ("Ann", "a3"), ("Bo", "b1")]
        await asyncio.gather(*(ask(client, name) for client, name in asked))
        assert begun == ["a1", "a2", "b1", "a3"]
        anns = rates.turns("Ann")
        for who in ("Bo", "Cy"):
            rates.turns(who)
        assert rates.turns("Ann") is anns
        for who in ("Bo", "Cy", "Di"):
            rates.turns(who)
        assert rates.turns("Ann") is not anns, "only so many clients are remembered"

    run(test())


def test_a_class_at_one_address_reads_lessons_and_puzzles(
    app: BuildApp, clock: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(*_: object) -> TrainStep:
        return STEP

    async def test() -> None:
        tried = app(expensive_burst=0.5)
        monkeypatch.setattr(tried.state.training, "step", step)
        clock.awake.set()
        kinds = ("lesson", "puzzle", "daily", "drill", "book")
        found = [await ask(tried, "/api/train/session", plan(kind)) for kind in kinds]
        assert found == [200, 200, 200, 429, 429]
        assert await ask(tried, "/api/train/book") == 429

    run(test())
