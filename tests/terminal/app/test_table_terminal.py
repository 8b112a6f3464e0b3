"""The application in a real pseudo-terminal: how it opens and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.patience import PATIENCE_S
from tests.terminal.app.emulator import Screen
from tests.terminal.app.unfinished import keep_unfinished
from tests.terminal.desk import Desk, hear_out
from tests.terminal.session import Session

pytestmark = pytest.mark.system


def opened(desk: Desk, *arguments: str, columns: int = 80, **environment: str) -> Session:
    return Session(arguments, desk.folder, {**desk.surroundings, **environment}, columns)


def test_the_full_screen_opens_and_ends_well(desk: Desk) -> None:
    with opened(desk, "--calm") as session:
        screen = Screen(session)
        screen.wait_for("Number Knot")
        screen.press("q")
        assert session.status() == 0
        assert session.echoes


def test_a_signal_to_end_is_obeyed(desk: Desk) -> None:
    with opened(desk, "--calm") as session:
        Screen(session).wait_for("Number Knot")
        os.kill(session.pid, signal.SIGTERM)
        assert session.status() == 130
        assert session.echoes


def test_a_program_without_a_shell_ends_with_its_terminal(desk: Desk) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "number_duels", "--calm"]
    with subprocess.Popen(
        command, cwd=desk.folder, env=desk.surroundings, stdin=theirs, stdout=theirs, stderr=theirs
    ) as program:
        os.close(theirs)
        shown = b""
        while b"Number Knot" not in shown:
            shown += os.read(ours, 4096)
        os.close(ours)
        assert program.wait(PATIENCE_S) == 130


def test_quitting_says_where_the_game_is_kept(desk: Desk) -> None:
    path = keep_unfinished(desk, "number-knot", "S1")
    with opened(desk, "--calm") as session:
        screen = Screen(session)
        screen.wait_for("Continue")
        screen.press("c")
        screen.wait_for("Select a number")
        screen.press("\x11")  # Ctrl-Q, from the middle of a game
        heard = hear_out(session)
        assert session.status() == 0
        assert "go on with: duels resume" in heard
        assert path.name in heard.replace("\n", "")
