"""Engines that play the games of a tournament, in local processes or on a Ray cluster."""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import os
import re
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import islice
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Protocol, TypeAlias

from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture
from number_duels.core.player import Outage
from number_duels.core.processes import exit_with_parent
from number_duels.players.external import Limits

Task: TypeAlias = tuple[Fixture, ...]
#: Tasks that are sent together, because sending a short task takes longer than playing it.
Batch: TypeAlias = tuple[Task, ...]
Results: TypeAlias = list[list[GameResult]]
MAX_BATCH = 16
#: A worker returns its results after this time, even if its batch is not finished.
REPORT_SECONDS = 0.02
REPEAT_SECONDS = 0.5
MAX_RESTARTS = 3


class Engine(Protocol):
    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]: ...


class Pool:
    """An engine that plays in worker processes on this machine.

    With early stopping, use `max_batch=1`. Larger batches would play games after a test is decided.
    """

    def __init__(self, workers: int, limits: Limits, max_batch: int = MAX_BATCH) -> None:
        self.workers = workers
        self.limits = limits
        self.max_batch = max_batch

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        queue = Queue(tasks, self.max_batch)
        waiting: dict[Future[Results], Batch] = {}
        attempts: dict[Batch, int] = {}
        others = set(multiprocessing.active_children())
        executor = self.start()
        try:
            while True:
                while len(waiting) < 2 * self.workers and (batch := queue.take()):
                    waiting[submitted(executor, batch)] = batch
                if not waiting:
                    return
                over, _ = wait(waiting, return_when=FIRST_COMPLETED)
                lost: list[Batch] = []
                for future in over:
                    batch = waiting.pop(future)
                    try:
                        results = future.result()
                    except BrokenProcessPool:
                        lost.append(batch)
                        continue
                    queue.put_back(batch[len(results) :])
                    yield from results
                if lost:
                    lost += waiting.values()
                    waiting = {}
                    stop(executor, set(multiprocessing.active_children()) - others)
                    executor = self.start()
                    for batch in lost:
                        waiting[submitted(executor, again(batch, attempts))] = batch
        finally:
            stop(executor, set(multiprocessing.active_children()) - others)

    def start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=prepare,
            initargs=(self.limits,),
        )


def submitted(executor: ProcessPoolExecutor, batch: Batch) -> Future[Results]:
    try:
        return executor.submit(work, batch)
    except RuntimeError as error:  # a broken pool may only report that it is shut down
        lost: Future[Results] = Future()
        lost.set_exception(BrokenProcessPool(str(error)))
        return lost


def stop(executor: ProcessPoolExecutor, workers: Iterable[BaseProcess]) -> None:
    # Only the executor's own thread may join a worker. A second thread would get no exit status.
    ending = Thread(target=executor.shutdown, kwargs={"cancel_futures": True})
    for worker in workers:
        worker.terminate()
    ending.start()
    while ending.is_alive():
        ending.join(REPEAT_SECONDS)
        # A worker can miss a signal that arrives just before it waits for its next task.
        for worker in workers:
            worker.terminate()


class Queue:
    """Waiting tasks. Batches grow as long as the workers finish them in time."""

    def __init__(self, tasks: Iterator[Task], max_batch: int) -> None:
        self.tasks = tasks
        self.unplayed: deque[Task] = deque()
        self.max_batch = max_batch
        self.size = 1

    def take(self) -> Batch:
        back = [self.unplayed.popleft() for _ in range(min(self.size, len(self.unplayed)))]
        return (*back, *islice(self.tasks, self.size - len(back)))

    def put_back(self, unplayed: Batch) -> None:
        self.unplayed.extendleft(reversed(unplayed))
        self.size = 1 if unplayed else min(2 * self.size, self.max_batch)


def again(batch: Batch, attempts: dict[Batch, int]) -> Batch:
    attempts[batch] = attempts.get(batch, 0) + 1
    if attempts[batch] > MAX_RESTARTS:
        raise RuntimeError(
            f"The process playing {batch[0][0].id} was lost {MAX_RESTARTS} times;"
            " something killed it, or a py: function exited."
        )
    return batch


_roster: Roster | None = None


def prepare(limits: Limits) -> None:
    global _roster  # noqa: PLW0603  # a worker's players are kept from task to task
    _roster = Roster(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    told = SimpleQueue[None]()
    signal.signal(signal.SIGTERM, lambda *_: told.put(None))
    Thread(target=leave, args=(told,), daemon=True).start()
    sys.stdout = sys.stderr  # keep players' output out of reports
    exit_with_parent()


def leave(told: SimpleQueue[None]) -> None:
    # This needs a thread of its own. The main thread may hold a lock that closing a player needs.
    told.get()
    try:
        if _roster is not None:
            _roster.close()
        sys.stdout.flush()
    finally:
        os._exit(1)


def work(batch: Batch) -> Results:
    assert _roster is not None
    end, results = perf_counter() + REPORT_SECONDS, []
    for task in batch:
        results.append([play_fixture(fixture, _roster) for fixture in task])
        if perf_counter() > end:
            break
    return results


class RayEngine:
    """An engine that plays on Ray workers, on this machine or on the cluster at `address`."""

    def __init__(self, workers: int, limits: Limits, address: str | None = None) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise ValueError(
                "--engine ray needs Ray: pip install 'number-duels[distributed]'"
            ) from None
        self.ray = ray
        self.workers = workers
        self.limits = limits
        self.address = address
        if address:
            check_reachable(address)

    def start(self) -> int:
        """Join or start a cluster. Return how many games it plays at once."""
        try:
            self.ray.init(
                address=self.address,
                num_cpus=None if self.address else self.workers,
                include_dashboard=None if self.address else False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            what = str(error).strip().splitlines()[0]
            raise RuntimeError(f"Ray cannot be started ({what}).") from None
        resources: dict[str, float] = self.ray.cluster_resources()  # type: ignore[no-untyped-call]  # Ray's own
        return max(1, int(resources.get("CPU", 1)))

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        ray, places = self.ray, self.start()
        work = ray.remote(num_cpus=1, max_retries=MAX_RESTARTS)(work_for)
        waiting: dict[object, Task] = {}
        try:
            while True:
                for task in islice(tasks, 2 * places - len(waiting)):
                    waiting[work.remote(self.limits, task)] = task
                if not waiting:
                    return
                over, _ = ray.wait(list(waiting), num_returns=1)
                for reference in over:
                    task = waiting.pop(reference)
                    try:
                        yield ray.get(reference)
                    except ray.exceptions.RayError as error:
                        cause = getattr(error, "cause", None) or error
                        if isinstance(cause, Outage):
                            raise Outage(cause.reason) from None
                        what = str(cause).strip().splitlines()[0]
                        raise RuntimeError(f"{task[0].id} could not be played ({what}).") from None
        finally:
            ray.shutdown()


def check_reachable(address: str) -> None:
    """Raise ValueError if nothing listens at `address`. Ray would retry for a minute or more."""
    found = re.fullmatch(r"(?:ray://)?(.+):(\d{1,5})", address)
    if not found:  # a keyword of Ray, such as auto
        return
    try:
        socket.create_connection((found[1], int(found[2])), timeout=5).close()
    except OSError as error:
        reason = error.strerror or "no answer"
        raise ValueError(f"There is no Ray cluster at {address} ({reason}).") from None


@cache
def roster_of(limits: Limits) -> Roster:
    found = Roster(limits)
    atexit.register(found.close)
    return found


def work_for(limits: Limits, task: Task) -> list[GameResult]:
    return [play_fixture(fixture, roster_of(limits)) for fixture in task]
