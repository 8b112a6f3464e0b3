"""What a bot gets of the environment, what it may use, and that whoever watches it hears."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from number_duels.players.bot.player import BotPlayer
from number_duels.players.external import Limits, Resources
from tests.players.bots import MARK, PATIENT, duel, marked, nobody_is_left, write_bot

TOP = Path(__file__).parents[2]


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
    limits = Limits(seconds=20, pass_env=("MY_BOT",))
    found = told(tmp_path, "dict(os.environ)", limits)
    assert {"PATH", "LC_TIME", "MY_BOT"} <= found.keys()
    assert not {"OPENAI_API_KEY", "DUELS_DATABASE", "AWS_SECRET_ACCESS_KEY"} & found.keys()


def test_a_bot_has_limits(tmp_path: Path) -> None:
    names = "RLIMIT_DATA", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_NPROC"
    what = f"[resource.getrlimit(getattr(resource, name))[0] for name in {names}]"
    some = Limits(seconds=20, resources=Resources(512, 50, 64))
    memory, files, core, processes = told(tmp_path, what, some)
    assert (memory, files, core) == (512 * 1024 * 1024, 64, 0)
    assert processes > 50  # those that the user has already count
    none = Limits(seconds=20, resources=Resources(0, 0, 0))
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
    limits = Limits(seconds=20, resources=Resources(memory_mib=256))
    bot = BotPlayer(write_bot(tmp_path, f"{greed}\nhello(); play()"), limits)
    ending = duel(bot)
    bot.close()
    assert ending.kind == "crashed"
    assert reason in ending.reason


# ---- whoever watches it ----------------------------------------------------------

#: A worker that waits for its bot, and is told to end in a moment when poll() does not hear it.
DEAF = """
import os, signal, threading, time
from tests.players.bots import *
bot = BotPlayer({command!r}, Limits(seconds=600))
signal.signal(signal.SIGTERM, lambda *_: os._exit(7))

def tell():
    while not bot.asked: time.sleep(0.01)
    time.sleep(0.1)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

threading.Thread(target=tell, daemon=True).start()
duel(bot)
"""


def test_a_signal_that_did_not_wake_the_wait_is_heard(tmp_path: Path, mark: str) -> None:
    command = write_bot(tmp_path, "hello(); time.sleep(600)")
    one = subprocess.run(
        [sys.executable, "-c", DEAF.format(command=command)], cwd=TOP, timeout=60, check=False
    )
    assert one.returncode == 7
    assert nobody_is_left(mark)


#: A program with a worker that hears no signal, and a bot.
ORPHAN = """
import multiprocessing, os, signal
from tests.players.bots import *
from number_duels.core.processes import exit_with_parent

def work():
    exit_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    duel(BotPlayer({command!r}, Limits(seconds=600)))

multiprocessing.get_context("fork").Process(target=work).start()
"""


def test_a_deaf_worker_ends_with_its_parent(tmp_path: Path, mark: str) -> None:
    command = write_bot(tmp_path, f"open({str(tmp_path / 'up')!r}, 'w')\nhello(); time.sleep(600)")
    with subprocess.Popen([sys.executable, "-c", ORPHAN.format(command=command)], cwd=TOP) as one:
        while not (tmp_path / "up").exists():
            assert one.poll() is None
            time.sleep(0.01)
        os.kill(one.pid, signal.SIGKILL)
    assert nobody_is_left(mark)


def test_marks_are_passed_on_to_bots(tmp_path: Path, mark: str) -> None:
    """Or the tests of what is left behind would see nothing."""
    bot = BotPlayer(write_bot(tmp_path, "hello(); play()"), PATIENT)
    duel(bot)
    assert MARK in os.environ
    assert len(marked(mark)) >= 2
    bot.close()
