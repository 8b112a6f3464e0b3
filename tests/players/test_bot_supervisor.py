"""Nothing that a bot starts outlives it, however it hides, and however its starter ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from number_duels.players.bot import supervisor
from number_duels.players.bot.player import BotPlayer
from tests.players.bots import (
    CHILD,
    HOPPER,
    MARK,
    PATIENT,
    STRAY,
    duel,
    marked,
    nobody_is_left,
    wait_until,
    write_bot,
)

# Every process that a test starts has a mark, and none may be left.
pytestmark = pytest.mark.usefixtures("mark")


def test_children_of_a_good_bot_end_with_it(tmp_path: Path, mark: str) -> None:
    bot = BotPlayer(write_bot(tmp_path, f"{CHILD}{STRAY}{HOPPER}hello(); play()"), PATIENT)
    duel(bot)
    assert marked(mark)
    bot.close()
    assert not marked(mark)


def test_a_child_without_environment_or_parents_ends_too(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    hide = f"os.execve('/bin/sh', ['sh', '-c', 'echo $$ > {note}; kill -STOP $$'], {{}})"
    stray = STRAY.replace("hang()", hide)
    bot = BotPlayer(write_bot(tmp_path, f"{stray}hello(); play()"), PATIENT)
    duel(bot)
    assert wait_until(lambda: note.exists() and note.read_text())
    pid = note.read_text()
    os.kill(int(pid), 0)
    bot.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def test_a_bot_nobody_closed_ends_with_its_player(tmp_path: Path, mark: str) -> None:
    bot = BotPlayer(write_bot(tmp_path, f"{STRAY}hello(); play()"), PATIENT)
    duel(bot)
    assert marked(mark)
    del bot
    assert not marked(mark)


@pytest.mark.system
@pytest.mark.parametrize("how", ["killed", "ended"])
def test_a_bot_does_not_outlive_its_starter(how: str, tmp_path: Path, mark: str) -> None:
    command = write_bot(tmp_path, f"{STRAY}hello(); play()")
    script = (
        "from tests.players.bots import *\n"
        f"bot = BotPlayer({command!r}, PATIENT); duel(bot)\n"
        "print('played', flush=True); input()"
    )
    top = Path(__file__).parents[2]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, cwd=top) as one:
        assert one.stdin
        assert one.stdout
        assert one.stdout.readline() == b"played\n"
        assert len(marked(mark)) >= 4  # the starter, the keeper, the bot, its child
        if how == "killed":
            one.send_signal(signal.SIGKILL)
        else:
            one.stdin.write(b"\n")
    assert nobody_is_left(mark)


def test_children_are_found_with_and_without_the_short_way() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        assert child.pid in supervisor.children()
        assert child.pid in supervisor.processes()
        assert supervisor.parent(child.pid) == os.getpid()
        child.kill()
    assert child.pid not in supervisor.children()
    assert supervisor.parent(child.pid) is None


def put_on(mark: str) -> None:
    """Mark what a worker starts."""
    os.environ[MARK] = mark


def duel_once(command: str) -> str | None:
    """A game in a worker, which never closes its bot."""
    global kept  # noqa: PLW0603  # as a worker keeps its players from one game to the next
    kept = BotPlayer(command, PATIENT)
    return duel(kept).kind


kept: BotPlayer | None = None


@pytest.mark.system
def test_a_bot_in_a_pool_ends_with_its_worker(
    tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(MARK)  # the pool has a helper of its own, which may stay
    command = write_bot(tmp_path, f"{STRAY}hello(); play()")
    with ProcessPoolExecutor(1, get_context("spawn"), put_on, (mark,)) as pool:
        assert pool.submit(duel_once, command).result() is None
        assert marked(mark)
    assert nobody_is_left(mark)
