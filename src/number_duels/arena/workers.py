"""Where the games of an arena are played: processes of this machine, or what does the same.

An engine takes pairs of games as it finds room for them and gives back each as soon
as it is over. A pair whose worker was lost is played again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeAlias

from number_duels.arena.game_runner import Played, play
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture
from number_duels.players.external import Limits

#: Games that are played one after the other by the same worker.
Task: TypeAlias = tuple[Fixture, ...]
#: How often a pair is begun anew when its worker is lost.
ATTEMPTS = 3


class Engine(Protocol):
    """Plays games somewhere."""

    def run(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, list[Played]]]:
        """Every task with its games, in the order in which they end."""


class Pool:
    """Worker processes on this machine."""

    def __init__(self, workers: int, limits: Limits) -> None:
        self.workers = workers
        self.limits = limits

    def run(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, list[Played]]]:
        """Play all tasks; tasks are asked for only as workers have room."""
        waiting: dict[Future[list[Played]], Task] = {}
        attempts: dict[Task, int] = {}
        others = set(multiprocessing.active_children())
        executor = self.start()
        try:
            while True:
                for task in islice(tasks, 2 * self.workers - len(waiting)):
                    waiting[executor.submit(work, task)] = task
                if not waiting:
                    return
                over, _ = wait(waiting, return_when=FIRST_COMPLETED)
                lost: list[Task] = []
                for future in over:
                    task = waiting.pop(future)
                    try:
                        yield task, future.result()
                    except BrokenProcessPool:
                        lost.append(task)
                if lost:
                    lost += waiting.values()
                    waiting = {}
                    executor = self.start()
                    for task in lost:
                        waiting[executor.submit(work, again(task, attempts))] = task
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
                child.join()

    def start(self) -> ProcessPoolExecutor:
        """Workers that are ready for games."""
        return ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=prepare,
            initargs=(self.limits,),
        )


def again(task: Task, attempts: dict[Task, int]) -> Task:
    """A task that goes to another worker; not for ever."""
    attempts[task] = attempts.get(task, 0) + 1
    if attempts[task] > ATTEMPTS:
        raise RuntimeError(
            f"The worker of {task[0].id} was lost {ATTEMPTS} times;"
            " something kills it, or a py: function ends its process."
        )
    return task


# ---- in a worker process ---------------------------------------------------------

_roster: Roster | None = None


def prepare(limits: Limits) -> None:
    """Make a worker: it has a roster of its own, and leaves nobody behind when it is ended."""
    global _roster  # noqa: PLW0603  # a worker's players are kept from task to task
    _roster = Roster(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    signal.signal(signal.SIGTERM, leave)
    sys.stdout = sys.stderr  # what a function prints is no part of a report
    threading.Thread(target=end_with_starter, daemon=True).start()


def end_with_starter() -> None:
    """Notice that the one who started us was killed, and end too."""
    starter = multiprocessing.parent_process()
    if starter is not None:
        starter.join()
        os.kill(os.getpid(), signal.SIGTERM)


def leave(*_: object) -> None:
    """End this worker and every program that it started."""
    if _roster is not None:
        _roster.close()
    sys.stdout.flush()
    os._exit(1)


def work(task: Task) -> list[Played]:
    """Play the games of a task."""
    assert _roster is not None
    return [play(fixture, _roster) for fixture in task]
