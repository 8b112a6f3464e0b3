"""The application in a real pseudo-terminal: when it opens, and how it ends."""

from __future__ import annotations

import os
import signal

import pytest

from tests.terminal.app.emulator import Screen
from tests.terminal.app.unfinished import keep_unfinished
from tests.terminal.desk import Desk, hear_out, hear_until
from tests.terminal.session import Session

ALTERNATE_SCREEN = "\x1b[?1049h"


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


@pytest.mark.parametrize(
    ("arguments", "columns", "term"),
    [(["--plain"], 80, "xterm"), ([], 59, "xterm"), ([], 80, "dumb")],
    ids=["plain", "narrow", "dumb"],
)
def test_elsewhere_it_is_the_menu(
    desk: Desk, arguments: list[str], columns: int, term: str
) -> None:
    with opened(desk, *arguments, columns=columns, TERM=term) as session:
        heard = hear_until(session, "What would you like to do?")
        assert "Welcome to Number Duels!" in heard
        assert ALTERNATE_SCREEN not in heard


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
