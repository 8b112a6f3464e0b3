"""The same arena on a real Ray cluster of this machine, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.arena.game_result import GameResult
from number_duels.arena.workers import Task
from number_duels.games.number_bid import State
from tests.arena.matches import GAMES, LIMITS, run, schedule
from tests.arena.test_tournament import games
from tests.conftest import require

ray = pytest.importorskip("ray") if not os.environ.get("NUMBER_DUELS_NO_SKIP") else None

BOT = Path(__file__).parents[2] / "examples" / "bots" / "any_move.py"


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


def coin(view: State, _: nd.Seat) -> dict[str, float]:
    """A policy: the lowest number that is left, or the next."""
    low, *more = map(str, view.pool)
    return {low: 0.5, more[0]: 0.5} if more else {low: 1.0}


def test_a_cluster_plays_the_same_games_of_players_from_outside(tmp_path: Path) -> None:
    from number_duels.arena.ray_workers import RayEngine

    bot, policy = f"bot=bot:{sys.executable} -S {BOT}", f"policy:{__name__}:coin"
    what = schedule("level:1", bot, policy, games=GAMES[1:2], pairs=4)
    what = replace(what, salt="ab" * 16)
    run(what, tmp_path / "here.jsonl")
    run(what, tmp_path / "ray.jsonl", engine=RayEngine(2, LIMITS))
    found = games(tmp_path / "ray.jsonl")
    assert found == games(tmp_path / "here.jsonl")
    assert not any(game["arena"]["forfeit"] for game in found)  # type: ignore[index]  # JSON
