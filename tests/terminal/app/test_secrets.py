"""Secrets in real terminals: stopped, resized, left or ended, nothing tells what was chosen."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

import pytest

from number_duels.core.game import Chance, Seat
from number_duels.games import load, names
from tests.conftest import SLOW, require
from tests.terminal.app.emulator import Screen
from tests.terminal.app.tmux import Tmux
from tests.terminal.app.unfinished import keep_unfinished
from tests.terminal.desk import Desk
from tests.terminal.session import Session

pytestmark = pytest.mark.system
SHELL = ("bash", "--norc", "--noprofile", "-i")
PROGRAM = f"{sys.executable} -m number_duels --calm"
CTRL_Q, CTRL_Z = "\x11", "\x1a"
HOME, CURTAIN = "What would you like to do?", "Pass the keyboard to Bo"
#: It is in the list of all keys alone.
ALL_KEYS = "begins with it"
FOOTER = "? Keys"
STACK = "number-stack-showdown"
SECRET_CHOICES = [
    game
    for game in map(load, names())
    if not isinstance(game.turn(game.start()), Chance)
    and game.question(game.start(), Seat.ONE).secret
]
FIRST, *OTHERS = (game.name for game in SECRET_CHOICES)


@dataclass
class Watcher:
    """Looks at a terminal, and at the player's files."""

    desk: Desk
    screen: Screen
    seen: list[tuple[object, dict[Path, bytes]]] = field(default_factory=list)

    def look(self) -> None:
        """Every cell, and every file."""
        found = (path for path in self.desk.folder.rglob("*") if path.is_file())
        files = {path: path.read_bytes() for path in sorted(found)}
        self.seen.append((self.screen.cells, files))

    def look_at(self, shown: str) -> None:
        """Look at the frame that follows the list of all keys: all that came before is over.

        A page that was resized is laid out once more, in several frames, when the list leaves it.
        So it leaves a second time, and the page's last row is back, too.
        """
        self.screen.wait_for(shown)
        for _ in range(2):
            self.screen.press("?")
            self.screen.wait_for(ALL_KEYS)
            self.screen.press("\r")
            self.screen.wait_until(
                lambda now: shown in now and ALL_KEYS not in now and FOOTER in now.splitlines()[-1]
            )
        self.look()

    def look_at_shell(self, prompt: str) -> None:
        """Look at what a shell answers: the program is stopped, or has ended."""
        self.screen.wait_until(lambda now: prompt in now and now.rstrip().endswith("\n$"))
        self.screen.session.type("printf 'The %s' end")
        self.screen.wait_for("The end$")  # with the next prompt
        self.look()

    def open(self) -> None:
        """Go on with the game that is kept."""
        self.screen.session.type(PROGRAM)
        self.screen.wait_for(HOME)
        self.screen.press("c")

    def stop_and_resize(self) -> None:
        """The curtain, however its terminal is treated."""
        self.look_at(CURTAIN)
        self.screen.press(CTRL_Z)
        self.look_at_shell("Stopped")
        self.screen.session.type("fg")
        self.look_at(CURTAIN)
        self.screen.resize(100, 30)
        self.look_at(CURTAIN)

    def leave(self) -> None:
        """What is left on the terminal."""
        self.screen.press(CTRL_Q)
        self.look_at_shell("go on with")


def surroundings(desk: Desk) -> dict[str, str]:
    """A shell that adds nothing of its own."""
    return {**desk.surroundings, "PS1": "$ ", "PROMPT_COMMAND": "", "HISTFILE": ""}


def in_shell(desk: Desk) -> Session:
    return Session((), desk.folder, surroundings(desk), program=SHELL)


# ---- a secret choice ------------------------------------------------------------


def type_answer(screen: Screen, number: str) -> None:
    screen.enter(number)


def click_answer(screen: Screen, number: str) -> None:
    """The mouse comes from the row above, and clicks; the answers are below the board."""
    rows = screen.screen.display
    row = max(row for row, line in enumerate(rows) if f" {number} " in line)
    column = rows[row].index(f" {number} ") + 1
    screen.point(column, row - 1)
    screen.click(column, row)


def after_a_choice(
    desk: Desk, name: str, choose: Callable[[Screen, str], None], number: str
) -> object:
    """All that is seen between a secret choice and the reveal, and after the game is left."""
    keep_unfinished(desk, name, "1/2")
    with in_shell(desk) as session:
        watcher = Watcher(desk, Screen(session))
        watcher.open()
        watcher.screen.wait_for("Pass the keyboard to Ann")
        watcher.screen.enter()
        watcher.screen.wait_for("It stays hidden.")
        choose(watcher.screen, number)
        watcher.stop_and_resize()
        watcher.screen.enter()
        watcher.look_at("It stays hidden.")
        watcher.leave()
        return watcher.seen


@pytest.mark.parametrize(
    "name", [FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def test_no_cell_and_no_file_tells_a_secret_choice(desk: Desk, name: str) -> None:
    expected = after_a_choice(desk, name, type_answer, "9")
    for number in ("4", "8") if SLOW else ("4",):
        assert after_a_choice(desk, name, click_answer, number) == expected


# ---- a drawn card ---------------------------------------------------------------


def left_in_tmux(desk: Desk, card: str) -> list[str]:
    """The shell's screen and scrollback after a card lay open: stopped, and after the end."""
    keep_unfinished(desk, STACK, "5k", f"5 {card}")
    with tempfile.TemporaryDirectory() as short:
        socket = Path(short) / "socket"
        with Tmux(socket, desk.folder, surroundings(desk)) as tmux:
            tmux.wait_for_prompt()
            tmux.press(PROGRAM, "Enter")
            tmux.wait_for(HOME)
            tmux.press("c")
            tmux.wait_for("Draw a card")
            tmux.enter()
            tmux.wait_for(f"+ {card} =")
            tmux.press("C-z")
            tmux.wait_for("Stopped")
            stopped = tmux.wait_for_prompt()
            tmux.press("fg", "Enter")
            assert f"+ {card} =" not in tmux.wait_for(CURTAIN)
            tmux.enter()
            tmux.wait_for(f"+ {card} =")
            tmux.press("C-q")
            tmux.wait_for("go on with")
            tmux.wait_for_prompt()
            tmux.press("printf 'The %s' end", "Enter")
            return [stopped, tmux.wait_for("The end$")]


def test_the_scrollback_of_the_shell_tells_no_card(desk: Desk) -> None:
    require(which("tmux"), "tmux", "apt-get install tmux")
    expected = left_in_tmux(desk, "3")
    assert left_in_tmux(desk, "9") == expected
    assert "+ 3 =" not in "".join(expected)
