"""A tournament: the same games whatever happens to it on the way."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

import number_duels as nd
from number_duels.arena import engines
from number_duels.arena.engines import MAX_BATCH, Engine, Pool, Queue, Task, submitted
from number_duels.arena.results import GameResult, ResultsFile, read_results
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.tournament import Tournament
from tests.arena.matches import (
    GAMES,
    LIMITS,
    ROSTER,
    in_process,
    lines,
    results_of,
    run,
    schedule,
)

KNOT = GAMES[3:4]
T = TypeVar("T")


def test_every_line_is_a_record_and_a_result_that_can_be_read_again(tmp_path: Path) -> None:
    played = run(schedule("random", "perfect", pairs=1), tmp_path / "a.jsonl").counting()
    assert read_results(tmp_path / "a.jsonl") == played
    for line in (tmp_path / "a.jsonl").read_text().splitlines():
        record = nd.Record.from_json(line)
        match = nd.Match.from_record(nd.load(record.game, **record.settings), record)
        assert match.result == record.result


class Stopped(Exception):
    """Somebody pulls the plug."""


def stop_after(number: int, what: Tournament, engine: Engine) -> None:
    """Play until some games are in the file."""
    seen = 0

    def on_result(_: GameResult) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            raise Stopped

    with pytest.raises(Stopped):
        what.run(engine, on_result)
    what.file.close()


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    what = schedule("random", "level:1", "perfect", games=GAMES[:2])
    run(what, tmp_path / "whole.jsonl")
    path = tmp_path / "cut.jsonl"
    stop_after(5, Tournament(what, ResultsFile(path)), in_process())
    kept = path.read_text().splitlines()
    assert len(kept) == 5
    again: list[str] = []
    second = Tournament(what, ResultsFile(path))
    second.run(in_process(), lambda result: again.append(result.fixture))
    assert len(again) == second.total - 5
    assert set(kept) <= set(path.read_text().splitlines())
    assert lines(path) == lines(tmp_path / "whole.jsonl")


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    what = schedule("random", "perfect", games=GAMES[:1])
    path = tmp_path / "a.jsonl"
    run(what, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-25])
    run(what, path)
    assert lines(path) == [{**json.loads(line), "started": ""} for line in whole.splitlines()]


def test_a_finished_run_plays_nothing_again(tmp_path: Path) -> None:
    what = schedule("random", "perfect", games=GAMES[:1])
    run(what, tmp_path / "a.jsonl")
    before = (tmp_path / "a.jsonl").read_bytes()
    run(what, tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == before


def test_a_finished_file_can_be_read_by_whom_it_could_be_before(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch(0o644)
    path.chmod(0o664)
    run(schedule("random", "perfect", games=GAMES[:1], pairs=1), path)
    assert path.stat().st_mode & 0o777 == 0o664
    assert list(tmp_path.glob("*.part")) == []


def test_more_pairs_keep_those_that_were_played(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(schedule("random", "perfect", games=GAMES[:1], pairs=2), path)
    kept = path.read_text().splitlines()
    run(schedule("random", "perfect", games=GAMES[:1], pairs=4), path)
    assert path.read_text().splitlines()[:4] == kept
    assert len(read_results(path)) == 8


def test_a_question_asked_later_takes_no_game_out_of_the_file(tmp_path: Path) -> None:
    what = schedule("perfect", "random", games=KNOT, pairs=60)
    path = tmp_path / "a.jsonl"
    run(what, path)
    before = path.read_text().splitlines()
    tournament = run(what, path, Sprt(0, 100))
    assert sorted(path.read_text().splitlines()) == sorted(before)
    assert len(tournament.counting()) == 2 * tournament.pairings[0].needed < len(before)


def test_another_player_by_the_same_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(schedule("me=random", "perfect", games=GAMES[:1]), path)
    with closing(ResultsFile(path)) as file, pytest.raises(ValueError, match="with the same name"):
        Tournament(schedule("me=level:1", "perfect", games=GAMES[:1]), file)


def test_fewer_pairs_than_there_are_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(schedule("random", "perfect", games=GAMES[:1], pairs=3), path)
    with closing(ResultsFile(path)) as file, pytest.raises(ValueError, match="has more pairs"):
        Tournament(schedule("random", "perfect", games=GAMES[:1], pairs=2), file)


@pytest.mark.parametrize("other", [{"seed": 2}, {"games": GAMES[1:2]}])
def test_the_games_of_two_schedules_are_never_mixed(tmp_path: Path, other: dict[str, int]) -> None:
    path = tmp_path / "a.jsonl"
    run(schedule("random", "perfect", games=GAMES[:1], pairs=2), path)
    changed = {"games": GAMES[:1], "pairs": 2, **other}
    with closing(ResultsFile(path)) as file, pytest.raises(ValueError, match="another arena"):
        Tournament(schedule("random", "perfect", **changed), file)  # type: ignore[arg-type]  # a table


def test_a_file_without_results_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"dear": "diary"}\n')
    with pytest.raises(ValueError, match="line 1"):
        ResultsFile(path)
    assert path.read_text() == '{"dear": "diary"}\n'


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"loss": ', '"loss": "x", "was": '),
        ('"name": "random"', '"name": "\\u001b[2J"'),
        ('"event": "', '"event": ["'),
        ('"result": "', '"result": "?'),
        ('"pair": 1', '"pair": null'),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(tmp_path: Path, good: str, bad: str) -> None:
    path = tmp_path / "a.jsonl"
    run(schedule("random", "perfect", games=GAMES[:1], pairs=1), path)
    text = path.read_text()
    assert good in text
    path.write_text(text.replace(good, bad, 1))
    with pytest.raises(ValueError, match="line 1"):
        read_results(path)


def test_two_tournaments_cannot_write_one_file(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "a.jsonl")
    with pytest.raises(ValueError, match="Another arena"):
        ResultsFile(tmp_path / "a.jsonl")
    file.close()
    ResultsFile(tmp_path / "a.jsonl").close()


# ---- worker processes ------------------------------------------------------------


class Workers(Executor):
    """An executor in this process; at the batch of this number it is lost, with all that follow."""

    def __init__(self, lost_at: int | None = None) -> None:
        self.lost_at = lost_at
        self.count = 0

    def submit(self, work: Callable[..., T], /, *batch: Any, **_: Any) -> Future[T]:
        done: Future[T] = Future()
        if self.lost_at is None or self.count < self.lost_at:
            done.set_result(work(*batch))
        elif self.count == self.lost_at:
            done.set_exception(BrokenProcessPool("a worker was lost"))
        self.count += 1
        return done


class LocalPool(Pool):
    """A pool without processes, whose first executors are lost."""

    def __init__(self, *lost_at: int, max_batch: int = MAX_BATCH) -> None:
        super().__init__(2, LIMITS, max_batch)
        self.executors = [*map(Workers, lost_at)]
        self.started = 0

    def start(self) -> ProcessPoolExecutor:
        self.started += 1
        found = self.executors.pop(0) if self.executors else Workers()
        return cast(ProcessPoolExecutor, found)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is a worker."""
    monkeypatch.setattr(engines, "_roster", ROSTER)


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("lost_at", [(), (0,), (2, 0)])
def test_workers_play_the_same_games_also_if_some_are_lost(
    tmp_path: Path, lost_at: tuple[int, ...]
) -> None:
    what = schedule("random", "level:1", games=KNOT, pairs=12)
    run(what, tmp_path / "whole.jsonl")
    pool = LocalPool(*lost_at)
    run(what, tmp_path / "hurt.jsonl", engine=pool)
    assert lines(tmp_path / "hurt.jsonl") == lines(tmp_path / "whole.jsonl")
    assert pool.started == len(lost_at) + 1


@pytest.mark.usefixtures("local")
def test_games_that_lose_every_worker_end_the_run(tmp_path: Path) -> None:
    what = schedule("random", "level:1", games=KNOT, pairs=1)
    with closing(ResultsFile(tmp_path / "a.jsonl")) as file:
        with pytest.raises(RuntimeError, match="was lost 3 times"):
            Tournament(what, file).run(LocalPool(0, 0, 0, 0), lambda _: None)
        Tournament(what, file).run(LocalPool(0, 0, 0), lambda _: None)
    assert len(lines(tmp_path / "a.jsonl")) == 2


class Killer(Pool):
    """A pool of which a worker is killed in the middle."""

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """Kill a worker after the third result."""
        others = set(multiprocessing.active_children())
        for number, done in enumerate(super().run(tasks)):
            if number == 2:
                victim = next(p for p in multiprocessing.active_children() if p not in others)
                assert victim.pid is not None
                os.kill(victim.pid, signal.SIGKILL)
            yield done


@pytest.mark.system
def test_worker_processes_play_the_same_games_also_if_one_is_killed(tmp_path: Path) -> None:
    what = schedule("random", "level:1", pairs=12)
    run(what, tmp_path / "whole.jsonl")
    run(what, tmp_path / "hurt.jsonl", engine=Killer(2, LIMITS))
    assert lines(tmp_path / "hurt.jsonl") == lines(tmp_path / "whole.jsonl")


@pytest.mark.system
def test_no_worker_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait, terminate = os.waitpid, BaseProcess.terminate
    told: Counter[BaseProcess] = Counter()
    twice = threading.Event()

    def slow_wait(pid: int, flags: int) -> tuple[int, int]:
        """As on a busy machine: the pool's thread, which learns of an end, goes on late."""
        found = wait(pid, flags)
        if found[0] and threading.current_thread() is not threading.main_thread():
            assert twice.wait(600)
        return found

    def counted(worker: BaseProcess) -> None:
        told[worker] += 1
        if told[worker] == 2:
            twice.set()
        terminate(worker)

    before = set(multiprocessing.active_children())
    what = Tournament(schedule("random", "perfect", games=KNOT), ResultsFile(tmp_path / "a"))
    monkeypatch.setattr(os, "waitpid", slow_wait)
    monkeypatch.setattr(BaseProcess, "terminate", counted)
    stop_after(2, what, Pool(2, LIMITS))
    assert set(multiprocessing.active_children()) <= before


def test_a_worker_reports_in_time_and_what_it_had_no_time_for_is_played_next() -> None:
    task: Task = ()
    queue = Queue(iter([task] * 20), max_batch=8)
    sizes = []
    for played in (1, 2, 4, 3, 1, 2, 4):
        batch = queue.take()
        sizes.append(len(batch))
        queue.put_back(batch[played:])
    assert sizes == [1, 2, 4, 8, 1, 2, 4]
    assert [len(queue.take()), len(queue.take())] == [
        3,
        0,
    ]  # all 20 were handed out, each once it could be played


def test_what_is_put_back_again_and_again_costs_no_more_than_it_is() -> None:
    tasks: list[Task] = [()] * 30_000
    queue = Queue(iter(tasks), max_batch=2)
    taken = 0
    while batch := queue.take():
        queue.put_back(batch[1:])
        taken += 1
    assert taken == len(tasks)


def test_a_pool_that_breaks_while_it_is_given_a_batch_has_lost_it() -> None:
    executor = Pool(1, LIMITS).start()
    executor.shutdown()
    assert isinstance(submitted(executor, ()).exception(), BrokenProcessPool)


# ---- early verdicts --------------------------------------------------------------


@pytest.mark.usefixtures("local")
def test_a_pairing_ends_where_its_question_is_answered(tmp_path: Path) -> None:
    what = schedule("perfect", "random", games=KNOT, pairs=60)
    here, two = tmp_path / "here.jsonl", tmp_path / "two.jsonl"
    tournament = run(what, here, Sprt(0, 100))
    (needed,) = (pairing.needed for pairing in tournament.pairings)
    assert list(tournament.verdicts.values()) == ["closer to +100 than to +0 Elo"]
    assert needed < 60
    assert [result.pair for result in read_results(here)] == [
        n for n in range(1, needed + 1) for _ in "ab"
    ]
    run(what, two, Sprt(0, 100), LocalPool())
    assert lines(two) == lines(here)


@pytest.mark.usefixtures("local")
def test_what_is_known_is_not_played_for(tmp_path: Path) -> None:
    what = schedule("perfect", "random", games=KNOT, pairs=60)
    tournament, played = Tournament(what, ResultsFile(tmp_path / "a"), Sprt(0, 100)), list[str]()
    tournament.run(LocalPool(max_batch=1), lambda result: played.append(result.fixture))
    # A few pairs are on their way when the answer comes.
    assert len(played) <= 2 * (tournament.pairings[0].needed + 4) < tournament.total


def test_calls_after_a_torn_line_are_kept(tmp_path: Path) -> None:
    result, *_ = results_of(schedule("random", "perfect", games=KNOT, pairs=1))
    path = tmp_path / "results.jsonl"
    path.with_suffix(".calls.jsonl").write_bytes(b'{"fixture": "cut')
    file = ResultsFile(path)
    file.add(replace(result, calls=({"fixture": result.fixture, "turn": 1},)))
    file.close()
    _, kept = path.with_suffix(".calls.jsonl").read_text().splitlines()
    assert json.loads(kept) == {"fixture": result.fixture, "turn": 1}
