"""Arenas that are killed at any moment: nothing is left, and the same command finishes them."""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import sys
import uuid
from contextlib import suppress
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.arena.results import read_results
from tests.conftest import require
from tests.players.bots import MARK, nobody_is_left
from tests.terminal.desk import Desk
from tests.terminal.session import wait_until

KNOT = ("--games", "knot", "--set", "numbers=4", "--set", "life=6", "--workers", "2")
#: Plays by its seed; now and then one of them thinks for longer than anybody waits.
BOT = """
import json, random, sys, time
def is_slow():
    try:
        return random.Random().random() < 0.01 and open("slow", "x")
    except FileExistsError:  # were both slow, no game would ever be kept
        return False
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "protocol": 1}', flush=True)
    elif message["type"] == "start":
        random.seed(message["seed"])
    elif message["type"] == "turn":
        time.sleep(600 if SLOWLY and is_slow() else 0)
        print(json.dumps({"type": "move", "move": random.choice(message["options"])}), flush=True)
"""
pytestmark = pytest.mark.system
FIFTY = pytest.param(50, marks=pytest.mark.slow)


def games(path: Path) -> list[dict[str, object]]:
    return [{**json.loads(line), "started": ""} for line in path.read_text().splitlines()]


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def until_it_grows(path: Path, before: int, running: subprocess.Popen[str]) -> None:
    """Wait until another game is kept, unless all are."""
    wait_until(lambda: size(path) > before or running.poll() is not None, "another game is kept")


def kill_often(desk: Desk, words: tuple[str, ...], path: Path, count: int) -> None:
    """Begin or go on, and kill it: as it starts, as its bots start, or between two games."""
    require(Path("/proc/self/environ").exists(), "/proc, to look for processes", "run it on Linux")
    rng = random.Random(count)
    for number in range(count):
        mark = uuid.uuid4().hex
        before = size(path)
        (desk.folder / "slow").unlink(missing_ok=True)
        running = desk.process("arena", *words, "--out", str(path), **{MARK: mark})
        try:
            if number % 5:
                until_it_grows(path, before, running)
            with suppress(subprocess.TimeoutExpired):
                running.communicate(timeout=rng.uniform(0, 0.05 if number % 5 else 1.5))
        finally:
            running.kill()
            running.communicate()
        assert nobody_is_left(mark)


@pytest.mark.parametrize("count", [3, FIFTY])
def test_a_killed_arena_with_bots_leaves_nothing_and_can_be_finished(
    desk: Desk, count: int
) -> None:
    bot, path = desk.folder / "bot.py", desk.folder / "a.jsonl"
    who = f"mine=bot:{shlex.quote(sys.executable)} -S bot.py"
    pairs = 40 + 20 * count
    words = ("--players", who, "random", *KNOT, "--pairs", str(pairs), "--seconds", "600")
    bot.write_text(BOT.replace("SLOWLY", "True"))
    kill_often(desk, words, path, count)
    bot.write_text(BOT.replace("SLOWLY", "False"))
    assert desk.run("arena", *words, "--out", "a.jsonl").status == 0
    results = read_results(path)
    assert len(results) == 2 * pairs
    for result in results:
        game = nd.load(result.record.game, **result.record.settings)
        assert nd.Match.from_record(game, result.record).result == result.record.result
    origin = results[-1].origin
    assert origin
    again = desk.run("arena", *words, "--out", "b.jsonl", "--salt", origin.salt)
    assert again.status == 0
    assert games(desk.folder / "b.jsonl") == games(path)


@pytest.mark.parametrize("count", [2, FIFTY])
def test_a_killed_arena_of_built_in_players_has_the_same_file_in_the_end(
    desk: Desk, count: int
) -> None:
    pairs = str(200 + 20 * count)
    words = ("--players", "random", "level:1", *KNOT, "--pairs", pairs)
    whole, path = desk.folder / "whole.jsonl", desk.folder / "a.jsonl"
    assert desk.run("arena", *words, "--out", "whole.jsonl").status == 0
    kill_often(desk, words, path, count)
    assert desk.run("arena", *words, "--out", "a.jsonl").status == 0
    assert games(path) == games(whole)
