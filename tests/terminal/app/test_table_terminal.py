"""The application in a real pseudo-terminal: when it opens, how it ends, what a kill leaves."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from number_duels.core.record import Person, Record
from number_duels.games import load
from number_duels.terminal.saves import read_records
from tests.terminal.app.emulator import Screen
from tests.terminal.desk import Desk
from tests.terminal.session import Session

ALTERNATE_SCREEN = "\x1b[?1049h"
KNOT = load("number-knot")


def opened(desk: Desk, *arguments: str, columns: int = 80, **environment: str) -> Session:
    return Session(arguments, desk.folder, {**desk.surroundings, **environment}, columns)


def unfinished_game(desk: Desk) -> Path:
    players = (Person("Ann"), Person("Bo"))
    record = Record("number-knot", KNOT.settings, None, 7, players, "S1", started="2026-03-01")
    desk.games.mkdir(parents=True)
    path = desk.games / "20260301-120000-000000-number-knot.json"
    path.write_text(record.to_json() + "\n", encoding="utf-8")
    return path


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
        heard = session.hear_until_quiet()
        assert "Welcome to Number Duels!" in heard
        assert ALTERNATE_SCREEN not in heard


def test_quitting_says_where_the_game_is_kept(desk: Desk) -> None:
    path = unfinished_game(desk)
    with opened(desk, "--calm") as session:
        screen = Screen(session)
        screen.wait_for("Continue")
        screen.press("c")
        screen.wait_for("Select a number")
        screen.press("\x11")  # Ctrl-Q, from the middle of a game
        heard = session.hear_until_quiet()
        assert session.status() == 0
        assert "go on with: duels resume" in heard
        assert path.name in heard.replace("\r\n", "")


def kill_after_a_move(desk: Desk, path: Path, move: str, delay: float | None) -> str:
    """Continue the game, make a move, kill; without a delay once the move can be seen."""
    before = read_records(path)[0].record.moves
    with opened(desk, "--calm") as session:
        screen = Screen(session)
        screen.wait_for("Continue")
        screen.press("c")
        screen.wait_for("Select a number")
        screen.press(move.lower())
        if delay is None:
            screen.wait_for(f"turn {len(before.split()) + 2}")
        else:
            time.sleep(delay)
        os.kill(session.pid, signal.SIGKILL)
    return read_records(path)[0].record.moves


def test_what_was_seen_is_on_disk_after_a_kill(desk: Desk) -> None:
    path = unfinished_game(desk)
    assert kill_after_a_move(desk, path, "A2", None) == "S1 A2"
    assert kill_after_a_move(desk, path, "A3", None) == "S1 A2 A3"


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_whole_turns(desk: Desk) -> None:
    rng, path, moves = random.Random(7), unfinished_game(desk), "S1"
    for number in (2, 3, 4, 5, 6):
        for _ in range(4):
            after = kill_after_a_move(desk, path, f"A{number}", rng.uniform(0, 0.1))
            assert after in (moves, f"{moves} A{number}")
            if after != moves:
                break
        moves = after
