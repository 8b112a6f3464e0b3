"""In a real terminal no cell tells a secret choice: after Ctrl-Z, resized, or at the end."""

from __future__ import annotations

import sys

import pytest

from tests.terminal.app.emulator import Screen
from tests.terminal.desk import Desk
from tests.terminal.session import Session

SHELL = ("bash", "--norc", "--noprofile", "-i")
CURTAIN = "Pass the keyboard to Player 2"
#: The key of a game at home, what opens its first secret question, and two choices.
GAMES = {
    "number-bid": ("2", "enter your bid", ("7", "10")),
    "high-low-battle": ("1", "enter the number", ("2", "9")),
}


def cells_after(desk: Desk, key: str, asked: str, choice: str) -> list[list[list[object]]]:
    """Every screen between a choice and the reveal, and what is left when the game is left."""
    quiet = {**desk.surroundings, "PS1": "$ ", "PROMPT_COMMAND": ""}
    with Session((), desk.folder, quiet, program=SHELL) as session:
        screen = Screen(session)
        session.type(f"{sys.executable} -m number_duels --calm")
        screen.wait_for("What would you like to do?")
        screen.press(key)
        screen.wait_for("Two people")
        screen.press("\r")
        screen.wait_for("Pass the keyboard to Player 1")
        screen.press("\r")
        screen.wait_for(asked)
        screen.press(choice)
        seen = [screen.settled()]
        screen.press("\r")
        screen.wait_for(CURTAIN)
        seen.append(screen.settled())
        screen.press("\x1a")
        screen.wait_for("Stopped")
        seen.append(screen.settled())
        session.type("fg")
        screen.wait_for(CURTAIN)
        seen.append(screen.settled())
        screen.resize(100, 30)
        seen.append(screen.settled(0.5))
        screen.press("\x11")
        screen.wait_for("$ ")
        seen.append(screen.settled())
        return seen


@pytest.mark.parametrize(
    "game", ["number-bid", pytest.param("high-low-battle", marks=pytest.mark.slow)]
)
def test_no_cell_tells_a_secret_choice(desk: Desk, game: str) -> None:
    desk.configure('opponent = "human"\n')
    key, asked, choices = GAMES[game]
    one, two = (cells_after(desk, key, asked, choice) for choice in choices)
    assert one == two
