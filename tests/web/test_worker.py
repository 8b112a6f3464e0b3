"""Computers answer whatever else is being solved, and what cannot be solved costs a refusal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NoReturn

import httpx
import pytest

import number_duels as nd
from number_duels.core.clock import Clock
from number_duels.core.game import AnyGame
from number_duels.solvers import Unsolvable
from number_duels.web.config import Config
from number_duels.web.errors import AnswerTimeout, ApiError
from number_duels.web.service import solver_tasks
from number_duels.web.service.solver_tasks import SolveTimeout
from number_duels.web.service.worker import (
    PING_TIMEOUT_S,
    REFUSAL_MEMORY_S,
    TIMEOUT_MEMORY_S,
    SolveQueue,
    SolverWorker,
)
from number_duels.web.service.worker_process import (
    KILL_DELAY_S,
    START_TIMEOUT_S,
    FairLock,
    WorkerProcess,
)
from tests.clock import ManualClock
from tests.patience import PATIENCE_S
from tests.review.positions import SMALL
from tests.web import niceness
from tests.web.local import PATIENT_CLOCK, LocalServer
from tests.web.people import GAME, Guest, start, until_asked
from tests.web.serving import run

#: Small enough to be tried, and not done in any test's time.
SLOW = {"game": "number-bid", "set": "numbers=16"}
BID: str = "number-bid"
SLOW_GAME: AnyGame = nd.load(BID, numbers=16)
QUICK_GAME: AnyGame = nd.load(GAME, **SMALL[GAME])
OTHER_CLIENT = "127.0.0.2"
#: The lowest priority that a process can have.
LEAST_PRIORITY = 19


@contextmanager
def solver(config: Config, clock: Clock = PATIENT_CLOCK) -> Iterator[SolverWorker]:
    found = SolverWorker(config, clock)
    try:
        yield found
    finally:
        found.close()


async def ask(found: SolverWorker, game: AnyGame, client: str = "Ann") -> None:
    await found.ask(client, game, solver_tasks.prepare, "perfect", game)


# ---- nobody is starved ---------------------------------------------------------


@pytest.mark.usefixtures("own_cache")
def test_unsolvable_questions_take_no_computer_away(own_server: Callable[..., LocalServer]) -> None:
    server = own_server()
    with server.client() as http:
        until_asked(start(http, GAME, opponent="perfect", settings=SMALL[GAME], seed=1))

        def attack() -> None:
            transport = httpx.HTTPTransport(local_address=OTHER_CLIENT)
            with httpx.Client(
                base_url=server.url, transport=transport, timeout=PATIENCE_S
            ) as client:
                for _ in range(3):
                    try:
                        client.get("/api/analysis", params=SLOW)
                    except httpx.HTTPError:
                        return

        attackers = [Thread(target=attack, daemon=True) for _ in range(40)]
        for one in attackers:
            one.start()
        waiting = server.service.worker._questions
        most = Config().questions
        server.until(lambda: waiting[OTHER_CLIENT] == most)  # the others are refused
        person = start(http, GAME, opponent="perfect", settings=SMALL[GAME], seed=2)
        until_asked(person)
        assert person.get("hint").status_code == 200
        assert waiting[OTHER_CLIENT] == most, "nothing was answered meanwhile"
        server.kill()
        for one in attackers:
            one.join()


def test_clients_have_their_turns_one_after_the_other() -> None:
    async def test() -> None:
        lock, order = FairLock(), []

        async def work(client: str) -> None:
            async with lock.turn(client):
                await asyncio.sleep(0)
                order.append(client)

        tasks = [asyncio.create_task(work(client)) for client in "aaaaabbc"]
        await asyncio.sleep(0)
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert "".join(order) == "aabcaba"
        async with lock.turn("d"):
            pass

    run(test())


def test_a_game_is_solved_once_for_all_who_wait_at_the_first_turn_of_any() -> None:
    async def test() -> None:
        solved: list[int] = []
        games: list[AnyGame] = [nd.load(BID, numbers=n) for n in (3, 4, 5)]

        async def solve(game: AnyGame) -> None:
            await asyncio.sleep(0)
            solved.append(int(game.settings["numbers"]))
            if len(solved) == 2:
                raise Unsolvable("too large")

        queue = SolveQueue(solve)
        asked = [("a", 0), ("a", 1), ("a", 2), ("b", 2), ("c", 2)]
        done = await asyncio.gather(
            *(queue.solve(client, games[number]) for client, number in asked),
            return_exceptions=True,
        )
        assert solved == [3, 5, 4], "not behind all that the first client asked for"
        assert [str(problem) for problem in done] == [
            "None",
            "None",
            "too large",
            "too large",
            "too large",
        ]

    run(test())


def test_one_client_cannot_wait_for_everything() -> None:
    async def test() -> None:
        with solver(Config(questions=2, patience=1)) as found:
            waiting = [asyncio.create_task(ask(found, SLOW_GAME)) for _ in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(ApiError, match="Too many positions"):
                await ask(found, QUICK_GAME)
            await ask(found, QUICK_GAME, "Bo")
            for one in waiting:
                one.cancel()

    run(test())


# ---- what cannot be solved -----------------------------------------------------


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(
    ("problem", "seconds"),
    [
        (AnswerTimeout("The solver did not answer in time."), TIMEOUT_MEMORY_S),
        (SolveTimeout("Number Bid takes too long."), TIMEOUT_MEMORY_S),
        (Unsolvable("Number Bid needs too much memory."), REFUSAL_MEMORY_S),
    ],
)
def test_a_game_that_took_too_long_is_tried_again_long_before_one_that_cannot_be_solved(
    monkeypatch: pytest.MonkeyPatch, problem: Unsolvable, seconds: float
) -> None:
    async def test() -> None:
        clock, tries = ManualClock(), 0

        async def fail(*_: object) -> NoReturn:
            nonlocal tries
            tries += 1
            raise problem

        with solver(Config(), clock) as found:
            monkeypatch.setattr(found.solving, "run", fail)
            monkeypatch.setattr(found.moves, "run", not_cached)
            monkeypatch.setattr(found.answers, "run", not_cached)
            for later, expected in ((0.0, 1), (seconds - 1, 1), (1.0, 2)):
                clock.advance(later)
                with pytest.raises(Unsolvable) as refusal:
                    await ask(found, SLOW_GAME)
                assert str(refusal.value) == str(problem)
                assert isinstance(refusal.value, AnswerTimeout) == isinstance(
                    problem, AnswerTimeout
                )
                assert tries == expected

    run(test())


async def not_cached(*_: object) -> NoReturn:
    raise SolveTimeout("The solution is not cached.")


@pytest.mark.usefixtures("own_cache")
def test_a_solver_without_memory_costs_a_refusal_and_no_game(
    own_server: Callable[..., LocalServer],
) -> None:
    server = own_server(solve_memory="40")
    with server.client() as http:
        wish = {"game": "number-bid", "settings": {"numbers": 14}, "opponent": "perfect"}
        answer = http.post("/api/games", json={**wish, "name": "Ann"})
        http.cookies.clear()
        assert answer.status_code in (201, 422)
        if answer.status_code == 201:  # it took long to find out: the computer gives up
            stream = Guest(http, answer.json()["id"]).listen()
            stream.until(lambda found: found and found[-1]["over"])
            stream.close()
        again = http.get("/api/analysis", params={"game": "number-bid", "set": "numbers=14"})
        assert again.status_code == 422
        assert "memory" in again.text


@pytest.mark.usefixtures("own_cache")
def test_a_server_that_stops_resigns_no_game(own_server: Callable[..., LocalServer]) -> None:
    server = own_server()
    wish = {"opponent": "perfect", "settings": {"numbers": 16}}
    with server.client() as http:
        person = start(http, BID, **wish)
        assert person.move(1, "1").status_code == 200
        assert server.stop() == 0
        server.restart()
        assert not person.view()["over"], "the computer was thinking, and goes on"
        server.kill()


@pytest.mark.usefixtures("own_cache")
def test_a_server_that_stops_refuses_what_it_has_not_solved(
    own_server: Callable[..., LocalServer],
) -> None:
    server = own_server()
    with server.client() as http, ThreadPoolExecutor(1) as threads:
        asked = threads.submit(http.get, "/api/analysis", params=SLOW)
        server.until(lambda: server.service.worker.solved_share(SLOW_GAME) is not None)
        assert http.get("/api/solving", params=SLOW).json()["share"] is not None
        assert server.stop() == 0
        assert asked.result().status_code == 503
    assert "Traceback" not in server.log


def test_a_process_that_dies_or_hangs_is_replaced() -> None:
    async def test() -> None:
        clock = ManualClock()
        process = WorkerProcess(Config(), clock=clock)
        first = await process.run("a", 30, os.getpid)
        with pytest.raises(Unsolvable, match="memory"):
            await process.run("a", 30, os._exit, 1)
        hanging = asyncio.create_task(process.run("a", 30, signal.pause))
        until = 30 + KILL_DELAY_S
        await asyncio.to_thread(clock.until_waiting, until, after=until)
        clock.advance(until)
        with pytest.raises(AnswerTimeout):
            await hanging
        last = await process.run("a", 30, os.getpid)
        assert first != last != os.getpid()
        assert not Path(f"/proc/{first}").exists()
        process.close()

    run(test())


def test_the_time_of_an_answer_is_counted_from_when_its_process_is_there() -> None:
    async def test() -> None:
        clock, there = ManualClock(), Future[None]()

        class Slow(WorkerProcess):
            def start(self) -> tuple[ProcessPoolExecutor, Future[None]]:
                return super().start()[0], there

        process = Slow(Config(), clock=clock)
        asked = asyncio.create_task(process.run("a", 30, abs, -3))
        await asyncio.to_thread(clock.until_waiting, START_TIMEOUT_S, after=START_TIMEOUT_S)
        clock.advance(START_TIMEOUT_S - 1)
        there.set_result(None)
        assert await asked == 3
        process.close()

    run(test())


def test_who_is_cancelled_when_a_process_is_closed_is_cancelled() -> None:
    """And is not refused: a background task would go on, and a server that stops wait for it."""

    async def test() -> None:
        clock = ManualClock()
        process = WorkerProcess(Config(), clock=clock)
        asked = asyncio.create_task(process.run("a", 30, signal.pause))
        await asyncio.to_thread(clock.until_waiting, 30 + KILL_DELAY_S)
        process.close()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    run(test())


def test_ready_tells_when_computers_cannot_answer() -> None:
    async def test() -> None:
        clock = ManualClock()
        with solver(Config(), clock) as found:
            assert await found.trouble() is None, "nobody has needed one yet"
            await found.moves.run("a", 30, os.getpid)
            assert await found.trouble() is None
            busy = asyncio.create_task(found.moves.run("a", 30, signal.pause))
            await asyncio.to_thread(clock.until_waiting, 30 + KILL_DELAY_S)
            asked = asyncio.create_task(found.trouble())
            await asyncio.to_thread(clock.until_waiting, PING_TIMEOUT_S)
            clock.advance(PING_TIMEOUT_S)
            assert "solver does not answer" in str(await asked)
            busy.cancel()

    run(test())


# ---- how processes start -------------------------------------------------------


def processes(worker: SolverWorker) -> list[WorkerProcess]:
    found = [worker.moves, worker.answers, worker.solving]
    return [runner for runner in found if isinstance(runner, WorkerProcess)]


def test_computers_have_loaded_what_they_need_before_anybody_asks() -> None:
    async def test() -> None:
        with solver(Config()) as found:
            found.start()
            moves, answers, solving = processes(found)
            started, _ = moves.start()
            assert await moves.run("a", 30, eval, "'numpy' in __import__('sys').modules")
            assert moves.start()[0] is started
            assert answers._pool is solving._pool is None

    run(test())


def test_a_server_is_ready_while_its_computers_start() -> None:
    async def test() -> None:
        with solver(Config()) as found:
            found.start()
            moves, _, _ = processes(found)
            moves._ready = Future()  # it takes long
            assert await moves.responds(0.01)

    run(test())


def test_a_process_starts_at_the_usual_priority_and_then_stands_back() -> None:
    """With a low one, importing its libraries could take minutes on a busy machine."""

    async def test() -> None:
        process = WorkerProcess(Config(), 7, PATIENT_CLOCK, niceness.load)
        usual, least = os.nice(0), min(os.nice(0) + 7, LEAST_PRIORITY)
        assert await process.run("a", 30, niceness.seen) == (usual, least)
        process.close()

    run(test())


def test_ctrl_c_in_a_terminal_is_for_the_server_alone() -> None:
    """A terminal interrupts every process; the server would then end with a traceback of this."""

    async def test() -> None:
        process = WorkerProcess(Config(), clock=PATIENT_CLOCK)
        pid = await process.run("a", 30, os.getpid)
        os.kill(pid, signal.SIGINT)
        assert await process.run("a", 30, os.getpid) == pid
        process.close()

    run(test())
