"""What a bot gets of the environment, what it may use, and that whoever watches it hears."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from number_duels.players.bot.player import BotPlayer
from number_duels.players.bot.process import BotProcess
from number_duels.players.external import Limits, Resources
from tests.clock import ManualClock
from tests.players.bots import (
    MARK,
    PATIENT,
    duel,
    marked,
    nobody_is_left,
    wait_until,
    write_bot,
)
from tests.players.in_process_bot import Program, answering

TOP = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("mark")


def told(folder: Path, what: str, limits: Limits):  # type: ignore[no-untyped-def]  # JSON
    """What a bot finds when it looks, in JSON."""
    note = folder / "note.json"
    body = f"import resource\nopen({str(note)!r}, 'w').write(json.dumps({what}))\nhello(); play()"
    bot = BotPlayer(write_bot(folder, body), limits)
    assert duel(bot).kind is None
    bot.close()
    return json.loads(note.read_text())


def test_a_bot_gets_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "DUELS_DATABASE", "AWS_SECRET_ACCESS_KEY", "LC_TIME", "MY_BOT"):
        monkeypatch.setenv(name, "C")
    limits = Limits(seconds=60, starting=60, pass_env=("MY_BOT",))
    found = told(tmp_path, "dict(os.environ)", limits)
    assert {"PATH", "LC_TIME", "MY_BOT"} <= found.keys()
    assert not {"OPENAI_API_KEY", "DUELS_DATABASE", "AWS_SECRET_ACCESS_KEY"} & found.keys()


def test_a_bot_has_limits(tmp_path: Path) -> None:
    names = "RLIMIT_DATA", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_NPROC"
    what = f"[resource.getrlimit(getattr(resource, name))[0] for name in {names}]"
    some = Limits(seconds=60, starting=60, resources=Resources(512, 50, 64))
    memory, files, core, processes = told(tmp_path, what, some)
    assert (memory, files, core) == (512 * 1024 * 1024, 64, 0)
    assert processes > 50  # those that the user has already count
    none = Limits(seconds=60, starting=60, resources=Resources(0, 0, 0))
    memory, files, core, processes = told(tmp_path, what, none)
    assert files > 64


@pytest.mark.parametrize(
    ("greed", "reason"),
    [
        ("x = bytearray(1024 ** 3)", "MemoryError"),
        ("x = [open('/dev/null') for _ in range(500)]", "Too many open files"),
    ],
)
def test_a_bot_that_wants_more_crashes(tmp_path: Path, greed: str, reason: str) -> None:
    limits = Limits(seconds=60, starting=60, resources=Resources(memory_mib=256))
    bot = BotPlayer(write_bot(tmp_path, f"{greed}\nhello(); play()"), limits)
    ending = duel(bot)
    bot.close()
    assert ending.kind == "crashed"
    assert reason in ending.reason


# ---- whoever watches it ----------------------------------------------------------


def test_no_wait_is_so_long_that_a_signal_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal that comes just before poll() does not end it."""
    waited: list[int] = []

    class Poll:
        def register(self, *_: object) -> None: ...

        def poll(self, milliseconds: int) -> list[tuple[int, int]]:
            waited.append(milliseconds)
            return []

    program = Program(answering()(), ManualClock())
    monkeypatch.setattr(select, "poll", Poll)
    for seconds in (0.0, 0.2, 600.0):
        BotProcess.poll(program, seconds)
    program.stop()
    assert waited == [0, 201, 501]


#: A program with a worker that hears no signal, and a bot.
ORPHAN = """
import multiprocessing, os, signal
from tests.players.bots import *
from number_duels.core.processes import exit_with_parent

def work():
    exit_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    duel(BotPlayer({command!r}, Limits(seconds=600, starting=600)))

multiprocessing.get_context("fork").Process(target=work).start()
"""


@pytest.mark.system
def test_a_deaf_worker_ends_with_its_parent(tmp_path: Path, mark: str) -> None:
    up = tmp_path / "up"
    command = write_bot(tmp_path, f"open({str(up)!r}, 'w')\nhello(); hang()")
    with subprocess.Popen([sys.executable, "-c", ORPHAN.format(command=command)], cwd=TOP) as one:
        assert wait_until(up.exists)
        os.kill(one.pid, signal.SIGKILL)
    assert nobody_is_left(mark)


def test_marks_are_passed_on_to_bots(tmp_path: Path, mark: str) -> None:
    """Or the tests of what is left behind would see nothing."""
    bot = BotPlayer(write_bot(tmp_path, "hello(); play()"), PATIENT)
    duel(bot)
    assert MARK in os.environ
    assert len(marked(mark)) >= 2
    bot.close()
