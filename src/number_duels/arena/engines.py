"""Where the games of a tournament are played: in processes on this machine, or on a Ray cluster.

An engine takes pairs of games as workers are free, and gives back each pair as soon as it is
over. A pair whose worker died is played again.
"""

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
from threading import Thread
from time import perf_counter
from typing import Protocol, TypeAlias

from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture
from number_duels.core.player import Outage
from number_duels.core.processes import exit_with_parent
from number_duels.players.external import Limits

#: Games that are played one after the other by the same worker.
Task: TypeAlias = tuple[Fixture, ...]
#: Tasks that travel together: to hand out a short one takes longer than to play it.
Batch: TypeAlias = tuple[Task, ...]
#: The results of the first tasks of a batch.
Results: TypeAlias = list[list[GameResult]]
MAX_BATCH = 16
#: A worker reports what it has played after this time.
REPORT_SECONDS = 0.02
#: How long a worker has to end before it is told again.
REPEAT_SECONDS = 0.5
#: How often a pair is started again when its worker dies.
MAX_RESTARTS = 3


class Engine(Protocol):
    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """The results of each task, or of each game of it, in the order in which they end."""


class Pool:
    """Worker processes on this machine; batches of 1 play nothing that may not be needed."""

    def __init__(self, workers: int, limits: Limits, max_batch: int = MAX_BATCH) -> None:
        self.workers = workers
        self.limits = limits
        self.max_batch = max_batch

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """Play all tasks; the next is fetched only when a worker will soon be free for it."""
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
    """A batch on its way; one that is lost at once if a worker has just died."""
    try:
        return executor.submit(work, batch)
    except RuntimeError as error:  # a pool that has just broken may only say that it is shut down
        lost: Future[Results] = Future()
        lost.set_exception(BrokenProcessPool(str(error)))
        return lost


def stop(executor: ProcessPoolExecutor, workers: Iterable[BaseProcess]) -> None:
    """End all workers, whatever they are doing.

    The executor's own thread joins its processes. Nobody else may: of two who wait for one
    process, one learns nothing, and takes it for alive. A signal that comes just before a worker
    begins to wait for its next task is not heard of until another one comes, so it is repeated.
    """
    ending = Thread(target=executor.shutdown, kwargs={"cancel_futures": True})
    for worker in workers:
        worker.terminate()
    ending.start()
    while ending.is_alive():
        ending.join(REPEAT_SECONDS)
        for worker in workers:
            worker.terminate()


class Queue:
    """Tasks in batches: one at a time, and more while workers play whole batches in no time."""

    def __init__(self, tasks: Iterator[Task], max_batch: int) -> None:
        self.tasks = tasks
        self.unplayed: deque[Task] = deque()
        self.max_batch = max_batch
        self.size = 1

    def take(self) -> Batch:
        back = [self.unplayed.popleft() for _ in range(min(self.size, len(self.unplayed)))]
        return (*back, *islice(self.tasks, self.size - len(back)))

    def put_back(self, unplayed: Batch) -> None:
        """What a worker had no time for is played before all else."""
        self.unplayed.extendleft(reversed(unplayed))
        self.size = 1 if unplayed else min(2 * self.size, self.max_batch)


def again(batch: Batch, attempts: dict[Batch, int]) -> Batch:
    """The batch, for another worker; a RuntimeError if it has lost too many."""
    attempts[batch] = attempts.get(batch, 0) + 1
    if attempts[batch] > MAX_RESTARTS:
        raise RuntimeError(
            f"The worker of {batch[0][0].id} was lost {MAX_RESTARTS} times;"
            " something kills it, or a py: function ends its process."
        )
    return batch


# ---- in a worker process ---------------------------------------------------------


_roster: Roster | None = None


def prepare(limits: Limits) -> None:
    """Set up a worker process: a roster of its own, which it closes when it is terminated."""
    global _roster  # noqa: PLW0603  # a worker's players are kept from task to task
    _roster = Roster(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    signal.signal(signal.SIGTERM, leave)
    sys.stdout = sys.stderr  # what a function prints is no part of a report
    exit_with_parent()


def leave(*_: object) -> None:
    """End this worker and every program that it started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # told again, its programs keep their time
    try:
        if _roster is not None:
            _roster.close()
        sys.stdout.flush()
    finally:  # an error in a handler would only end the game that it came upon
        os._exit(1)


def work(batch: Batch) -> Results:
    """The results of a batch, as far as there is time for it; the first task is always played."""
    assert _roster is not None
    end, results = perf_counter() + REPORT_SECONDS, []
    for task in batch:
        results.append([play_fixture(fixture, _roster) for fixture in task])
        if perf_counter() > end:
            break
    return results


# ---- on a Ray cluster ------------------------------------------------------------


class RayEngine:
    """Workers wherever Ray has them: on this machine, or on the cluster at an address."""

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
        """Join the cluster, or make one on this machine; how many games it plays at once."""
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
        """The results of each task, as tasks end; a lost worker's tasks are played again."""
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
    """Refuse an address at which nobody listens: Ray itself would try for a minute or more."""
    found = re.fullmatch(r"(?:ray://)?(.+):(\d{1,5})", address)
    if not found:  # a word of Ray's own, such as auto
        return
    try:
        socket.create_connection((found[1], int(found[2])), timeout=5).close()
    except OSError as error:
        reason = error.strerror or "no answer"
        raise ValueError(f"There is no Ray cluster at {address} ({reason}).") from None


@cache
def roster_of(limits: Limits) -> Roster:
    """A worker's players, kept from task to task, and let go when the worker ends."""
    found = Roster(limits)
    atexit.register(found.close)
    return found


def work_for(limits: Limits, task: Task) -> list[GameResult]:
    return [play_fixture(fixture, roster_of(limits)) for fixture in task]
