"""The same arena on a real Ray cluster of this machine, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.games.number_bid import State
from tests.arena.matches import GAMES, LIMITS, lines, run, schedule

ray = pytest.importorskip("ray") if not os.environ.get("NUMBER_DUELS_NO_SKIP") else None

#: Names the file that the first lost worker leaves.
MARK = "TEST_LOST_WORKER"
BOT = Path(__file__).parents[2] / "examples" / "bots" / "any_move.py"


def coin(view: State, _: nd.Seat) -> dict[str, float]:
    """A policy: the lowest number that is left, or the next."""
    low, *more = map(str, view.pool)
    return {low: 0.5, more[0]: 0.5} if more else {low: 1.0}


def coin_once_lost(view: State, seat: nd.Seat) -> dict[str, float]:
    """The same policy; the first process that is asked for it, where a file is named, is lost."""
    if mark := os.environ.get(MARK):
        try:
            Path(mark).touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return coin(view, seat)


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_plays_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from number_duels.arena.engines import RayEngine

    bot, policy = f"bot=bot:{sys.executable} -S {BOT}", f"policy:{__name__}:coin_once_lost"
    what = schedule("level:1", bot, policy, games=GAMES[1:2], pairs=4)
    what = replace(what, salt="ab" * 16)
    run(what, tmp_path / "here.jsonl")
    monkeypatch.setenv(MARK, str(tmp_path / "lost"))
    run(what, tmp_path / "ray.jsonl", engine=RayEngine(2, LIMITS))
    assert (tmp_path / "lost").exists()
    found = lines(tmp_path / "ray.jsonl")
    assert found == lines(tmp_path / "here.jsonl")
    assert not any(game["arena"]["forfeit"] for game in found)  # type: ignore[index]  # JSON
