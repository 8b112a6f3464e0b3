"""Where the games of a tournament are played: in processes on this machine.

An engine takes pairs of games as workers are free, and gives back each pair as soon as it is
over. A pair whose worker died is played again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeAlias

from number_duels.arena.game_result import GameResult
from number_duels.arena.game_runner import play_fixture
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture
from number_duels.core.processes import exit_with_parent
from number_duels.players.external import Limits

#: Games that are played one after the other by the same worker.
Task: TypeAlias = tuple[Fixture, ...]
#: How often a pair is started again when its worker dies.
MAX_RESTARTS = 3


class Engine(Protocol):
    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """The results of each task, in the order in which tasks end."""


class Pool:
    """Worker processes on this machine."""

    def __init__(self, workers: int, limits: Limits) -> None:
        self.workers = workers
        self.limits = limits

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """Play all tasks; the next is fetched only when a worker will soon be free for it."""
        waiting: dict[Future[list[GameResult]], Task] = {}
        attempts: dict[Task, int] = {}
        others = set(multiprocessing.active_children())
        executor = self.start()
        try:
            while True:
                for task in islice(tasks, 2 * self.workers - len(waiting)):
                    waiting[submitted(executor, task)] = task
                if not waiting:
                    return
                over, _ = wait(waiting, return_when=FIRST_COMPLETED)
                lost: list[Task] = []
                for future in over:
                    task = waiting.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        lost.append(task)
                if lost:
                    lost += waiting.values()
                    waiting = {}
                    executor.shutdown()
                    executor = self.start()
                    for task in lost:
                        waiting[submitted(executor, again(task, attempts))] = task
        finally:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            # The executor's own thread joins its processes. Nobody else may: of two who wait for
            # one process, one learns nothing, and takes it for alive.
            executor.shutdown(cancel_futures=True)

    def start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=prepare,
            initargs=(self.limits,),
        )


def submitted(executor: ProcessPoolExecutor, task: Task) -> Future[list[GameResult]]:
    """A task on its way; one that is lost at once if a worker has just died."""
    try:
        return executor.submit(work, task)
    except BrokenProcessPool as error:
        lost: Future[list[GameResult]] = Future()
        lost.set_exception(error)
        return lost


def again(task: Task, attempts: dict[Task, int]) -> Task:
    """The task, for another worker; a RuntimeError if it has lost too many."""
    attempts[task] = attempts.get(task, 0) + 1
    if attempts[task] > MAX_RESTARTS:
        raise RuntimeError(
            f"The worker of {task[0].id} was lost {MAX_RESTARTS} times;"
            " something kills it, or a py: function ends its process."
        )
    return task


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
    try:
        if _roster is not None:
            _roster.close()
        sys.stdout.flush()
    finally:  # an error in a handler would only end the game that it came upon
        os._exit(1)


def work(task: Task) -> list[GameResult]:
    assert _roster is not None
    return [play_fixture(fixture, _roster) for fixture in task]
