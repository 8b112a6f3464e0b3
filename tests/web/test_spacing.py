"""What one client asks for all at once is spread over time, so that moves have their turn."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from number_duels.sessions.train import State
from number_duels.web.app import build
from number_duels.web.config import Config
from number_duels.web.middleware.limits import WAITING
from number_duels.web.rate_limits import (
    MAX_SPACING_S,
    QUESTION_GAP_S,
    REFUSAL_DELAY_S,
    REFUSAL_GAP_S,
    Spacing,
)
from number_duels.web.service.training import TrainStep
from number_duels.web.service.worker_process import WorkerProcess
from tests.clock import ManualClock
from tests.web.people import GAME
from tests.web.test_schema import run

QUESTION = f"/api/analysis?game={GAME}"
BuildApp = Callable[..., FastAPI]


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
        tried = app(question_burst=0.5)
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


def test_questions_that_come_together_are_let_in_one_after_the_other(
    app: BuildApp, clock: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(*_: object) -> dict[str, object]:
        return {}

    async def test() -> None:
        tried = app()
        monkeypatch.setattr(tried.state.service.worker, "ask", answer)
        clock.awake.set()
        assert await ask_together(tried, QUESTION, 4) == {200}
        assert clock.slept == pytest.approx([n * QUESTION_GAP_S for n in (1, 2, 3)])

    run(test())


def test_requests_that_come_together_are_let_in_a_few_at_once(app: BuildApp, clock: Still) -> None:
    async def test() -> None:
        clock.awake.set()
        assert await ask_together(app(admission_rate=50, admission_burst=3), "/nothing", 6) == {404}
        assert clock.slept == pytest.approx([0.02, 0.04, 0.06])

    run(test())


def test_refusals_of_one_client_come_one_after_the_other(app: BuildApp, clock: Still) -> None:
    async def test() -> None:
        clock.awake.set()
        assert await ask_together(app(client_burst=0.5), "/nothing", 3) == {429}
        expected = [REFUSAL_DELAY_S + n * REFUSAL_GAP_S for n in range(3)]
        assert clock.slept == pytest.approx(expected)

    run(test())


STEP = TrainStep(State(()), {}, "", ())


def plan(kind: str) -> dict[str, object]:
    return {"plan": {"kind": kind, "game": "number-knot"}}


def test_who_waits_for_a_book_takes_nobodys_turn(
    app: BuildApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        tried, asked, answered = app(client_requests=1), asyncio.Event(), asyncio.Event()

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


def test_a_class_at_one_address_reads_lessons_and_puzzles(
    app: BuildApp, clock: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def step(*_: object) -> TrainStep:
        return STEP

    async def test() -> None:
        tried = app(question_burst=0.5)
        monkeypatch.setattr(tried.state.training, "step", step)
        clock.awake.set()
        kinds = ("lesson", "puzzle", "daily", "drill", "book")
        found = [await ask(tried, "/api/train/session", plan(kind)) for kind in kinds]
        assert found == [200, 200, 200, 429, 429]
        assert await ask(tried, "/api/train/book") == 429

    run(test())


def test_nobody_waits_for_ever_and_each_client_for_itself() -> None:
    spacing = Spacing(1.0)
    delays = [spacing.delay("Ann", 0.0) for _ in range(100)]
    assert max(delays) == MAX_SPACING_S
    assert spacing.delay("Bo", 0.0) == 0
    assert spacing.delay("Ann", MAX_SPACING_S + 2) == 0


def test_a_process_stands_back_from_its_first_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before it runs anything of ours it is busy with its libraries."""
    asked: list[tuple[int, int]] = []

    async def test() -> None:
        process = WorkerProcess(Config(), niceness=7)
        started, _ = process._start()
        assert started._processes is not None
        assert asked == [(next(iter(started._processes)), os.nice(0) + 7)]
        assert await process.run("a", 30, os.nice, 0) == os.nice(0) + 7
        process.close()

    really = os.setpriority

    def set_priority(_: int, pid: int, niceness: int) -> None:
        asked.append((pid, niceness))
        really(os.PRIO_PROCESS, pid, niceness)

    monkeypatch.setattr(os, "setpriority", set_priority)
    run(test())
