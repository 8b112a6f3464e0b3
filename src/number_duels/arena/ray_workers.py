"""The same games on a Ray cluster: Ray carries tasks, starts workers and repeats what is lost."""

from __future__ import annotations

import atexit
import logging
import re
import socket
from collections.abc import Iterator
from functools import cache
from itertools import islice

from number_duels.arena.game_result import GameResult
from number_duels.arena.game_runner import play_fixture
from number_duels.arena.roster import Roster
from number_duels.arena.workers import MAX_RESTARTS, Task
from number_duels.core.player import Outage
from number_duels.players.external import Limits


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
