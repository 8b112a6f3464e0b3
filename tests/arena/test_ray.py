"""The same arena on a real Ray cluster of this machine, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from number_duels.arena.game_result import GameResult
from number_duels.arena.workers import Task
from tests.arena.matches import LIMITS, run, schedule
from tests.arena.test_tournament import games
from tests.conftest import require

ray = pytest.importorskip("ray") if not os.environ.get("NUMBER_DUELS_NO_SKIP") else None


def workers() -> list[int]:
    """The processes that play games for Ray now, or wait to."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if words.startswith(b"ray::work_for"):
            found.append(int(folder.name))
    return found


def test_a_cluster_that_loses_a_worker_plays_the_same_games(tmp_path: Path) -> None:
    require(Path("/proc/self").exists(), "/proc", "run on Linux")
    from number_duels.arena.ray_workers import RayEngine

    killed: list[int] = []

    class Killer(RayEngine):
        """A cluster of which a worker is killed in the middle."""

        def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
            """Kill a worker that is playing, once some games are over."""
            for number, done in enumerate(super().run(tasks)):
                if number >= 3 and not killed:
                    for victim in workers()[:1]:
                        os.kill(victim, signal.SIGKILL)
                        killed.append(victim)
                yield done

    what = schedule("random", "level:1", "perfect", pairs=2)
    run(what, tmp_path / "here.jsonl")
    run(what, tmp_path / "ray.jsonl", engine=Killer(2, LIMITS))
    assert killed
    assert games(tmp_path / "ray.jsonl") == games(tmp_path / "here.jsonl")
