"""`duels arena` with language models: outages, and options that cannot be."""

from __future__ import annotations

import json
import os
import signal
from multiprocessing import get_context
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.arena.engines import Batch, Pool, prepare, work
from number_duels.arena.results import ResultsFile
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.core.player import Outage
from number_duels.players.external import Limits
from number_duels.players.llm.client import STARTING
from tests.patience import PATIENCE_S
from tests.players.behaviours import Behaviours
from tests.players.endpoint import endpoint
from tests.terminal.desk import Desk
from tests.terminal.session import wait_until
from tests.terminal.test_arena import QUICK, Arena, arena, lines

__all__ = ["arena"]  # a fixture


@pytest.mark.parametrize("workers", ["1", "8"])
def test_an_outage_is_one_sentence_and_the_same_command_plays_the_rest(
    workers: str, desk: Desk, arena: Arena
) -> None:
    behaviours = Behaviours()
    with endpoint(behaviours.endpoint) as fake:
        (desk.folder / "players.toml").write_text(
            "[players.down]\nwho = 'llm:down'\npatience = 0.2\n"
        )
        where = ("--url", fake.url, "--seconds", "30", "--players-file", "players.toml")
        players = ("--players", "random", "llm:good", "down")
        words = (*players, *QUICK, *where, "--workers", workers, "--json", "--out", "a.jsonl")
        first = arena(*words)
        assert (first.status, first.out) == (1, "")
        before = lines(desk.folder / "a.jsonl")
        assert "failed: it returned status 503 (Back soon.); retries ended" in first.sentence
        assert first.sentence.endswith(
            f"{len(before)} of 12 games are in a.jsonl. Run the same command to resume."
        )
        asked = behaviours.counts["good"]
        behaviours.up = True
        again = json.loads(arena(*words).out)
    assert again["games"] == 12
    assert all(row["forfeits"] == {} for row in again["rows"])
    kept = {str(game["seed"]) for game in before}
    assert kept <= {str(game["seed"]) for game in lines(desk.folder / "a.jsonl")}
    assert behaviours.counts["good"] >= asked


@pytest.mark.system
def test_an_interrupted_arena_ends_at_once_and_goes_on(desk: Desk) -> None:
    (desk.folder / "endless.py").write_text(
        "import time\ndef choose(view, options, history):\n    time.sleep(600)\n"
    )
    behaviours = Behaviours()
    with endpoint(behaviours.endpoint) as fake:
        players = ("--players", "llm:good", "llm:slow", "random", "py:endless:choose")
        where = ("--url", fake.url, "--seconds", "600", "--workers", "8", "--out", "a.jsonl")
        words = (*players, *QUICK, *where)
        running = desk.process("arena", *words)
        wait_until(lambda: behaviours.counts["slow"] >= 2, "the slow model is asked twice")
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    estimate, interrupted = told.splitlines()
    assert estimate.startswith("About ")
    assert interrupted.startswith("Interrupted; every finished game is in a.jsonl.")


def test_workers_stop_at_an_outage_as_well(tmp_path: Path) -> None:
    behaviours = Behaviours()
    schedule = Schedule(named(["random", "llm:down"]), (nd.load("knot", numbers=4),), 2, 1)
    with endpoint(behaviours.endpoint) as fake:
        engine = Pool(1, Limits(url=fake.url, seconds=30, patience=0.2))
        tournament = Tournament(schedule, ResultsFile(tmp_path / "a.jsonl"))
        with pytest.raises(Outage, match="status 503"):
            tournament.run(engine, lambda _: None)
        tournament.file.close()
    assert (tmp_path / "a.jsonl").read_bytes() == b""


def end_while_a_lock_is_held(limits: Limits, batch: Batch) -> None:
    prepare(limits)
    work(batch)
    with STARTING:
        os.kill(os.getpid(), signal.SIGTERM)
    signal.pause()


@pytest.mark.system
def test_a_worker_ends_while_its_player_holds_a_lock() -> None:
    schedule = Schedule(named(["random", "llm:good"]), (nd.load("knot", numbers=4),), 1, 1)
    (pairing,) = schedule.pairings()
    with endpoint(Behaviours().endpoint) as fake:
        asked = Limits(url=fake.url, seconds=30), tuple(schedule.pairs_of(pairing))
        worker = get_context("spawn").Process(target=end_while_a_lock_is_held, args=asked)
        worker.start()
        worker.join(PATIENCE_S)
    assert worker.exitcode == 1
