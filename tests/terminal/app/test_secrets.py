"""Secrets in real terminals: stopped, resized, left or ended, nothing tells what was chosen."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

import pytest

from number_duels.core.game import Chance, Seat
from number_duels.games import load, names
from number_duels.terminal.app.review_page import ReviewScreen
from tests.conftest import SLOW, require
from tests.terminal.app.emulator import Screen
from tests.terminal.app.page_driver import opened, settle
from tests.terminal.app.samples import ANN, sample_record
from tests.terminal.app.tmux import Tmux
from tests.terminal.app.unfinished import keep_unfinished
from tests.terminal.desk import Desk
from tests.terminal.session import Session

SHELL = ("bash", "--norc", "--noprofile", "-i")
PROGRAM = f"{sys.executable} -m number_duels --calm"
CTRL_Q, CTRL_Z = "\x11", "\x1a"
HOME, CURTAIN = "What would you like to do?", "Pass the keyboard to Bo"
STACK = "number-stack-showdown"
SMALL_DECK = {"target": 6, "highest": 4, "copies": 2}
SECRET_CHOICES = [
    game
    for game in map(load, names())
    if not isinstance(game.turn(game.start()), Chance)
    and game.question(game.start(), Seat.ONE).secret
]
FIRST, *OTHERS = (game.name for game in SECRET_CHOICES)
#: Below this row stand the answers.
ACTIONS_ROW = 14


@dataclass
class Watcher:
    """Looks at a terminal, and at the player's files."""

    desk: Desk
    screen: Screen
    #: A file that may tell a secret.
    keeper: Path | None = None
    seen: list[tuple[object, dict[Path, bytes]]] = field(default_factory=list)

    def look(self) -> None:
        """Every cell, and every file."""
        found = (path for path in self.desk.folder.rglob("*") if path.is_file())
        files = {path: path.read_bytes() for path in sorted(found) if path != self.keeper}
        self.seen.append((self.screen.settled(), files))

    def open(self) -> None:
        """Go on with the game that is kept."""
        self.screen.session.type(PROGRAM)
        self.screen.wait_for(HOME)
        self.screen.press("c")

    def stop_and_resize(self) -> None:
        """The curtain, however its terminal is treated."""
        self.screen.wait_for(CURTAIN)
        self.look()
        self.screen.press(CTRL_Z)
        self.screen.wait_for("Stopped")
        self.look()
        self.screen.session.type("fg")
        self.screen.wait_for(CURTAIN)
        self.look()
        self.screen.resize(100, 30)
        self.screen.wait_for(CURTAIN)
        self.look()

    def leave(self) -> None:
        """What is left on the terminal."""
        self.screen.press(CTRL_Q)
        self.screen.wait_for("go on with")
        self.screen.settled()  # what is typed before the prompt is there is shown twice
        self.screen.session.type("printf 'The %s' end")
        self.screen.wait_for("The end")
        self.look()


def surroundings(desk: Desk) -> dict[str, str]:
    """A shell that adds nothing of its own."""
    return {**desk.surroundings, "PS1": "$ ", "PROMPT_COMMAND": "", "HISTFILE": ""}


def in_shell(desk: Desk) -> Session:
    return Session((), desk.folder, surroundings(desk), program=SHELL)


# ---- a secret choice ------------------------------------------------------------


def type_answer(screen: Screen, number: str) -> None:
    screen.press(f"{number}\r")


def click_answer(screen: Screen, number: str) -> None:
    """The mouse comes from the row above, and clicks."""
    screen.settled()
    rows = screen.screen.display
    row, column = next(
        (row, line.index(f" {number} ") + 1)
        for row, line in enumerate(rows)
        if row > ACTIONS_ROW and f" {number} " in line
    )
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
        watcher.screen.press("\r")
        watcher.screen.wait_for("nothing is shown.")
        choose(watcher.screen, number)
        watcher.stop_and_resize()
        watcher.screen.press("\r")
        watcher.screen.wait_for("nothing is shown.")
        watcher.look()
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


def after_a_draw(desk: Desk, card: str) -> object:
    """All that is seen between a draw and its card's place, and after the game is left."""
    path = keep_unfinished(desk, STACK, "5k", f"5 {card}")
    with in_shell(desk) as session:
        watcher = Watcher(desk, Screen(session), path)
        watcher.open()
        watcher.screen.wait_for("Draw a card")
        watcher.screen.press("\r")
        watcher.stop_and_resize()
        watcher.leave()
        return watcher.seen


def test_no_cell_tells_a_drawn_card(desk: Desk) -> None:
    expected = after_a_draw(desk, "2")
    for card in ("9", "10") if SLOW else ("10",):
        assert after_a_draw(desk, card) == expected


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
            tmux.press("Enter")
            tmux.wait_for(CURTAIN)
            tmux.press("Enter")
            tmux.wait_for(f"[{card}]")
            tmux.press("C-z")
            tmux.wait_for("Stopped")
            stopped = tmux.wait_for_prompt()
            tmux.press("fg", "Enter")
            tmux.wait_for(f"[{card}]")
            tmux.press("C-q")
            tmux.wait_for("go on with")
            tmux.wait_for_prompt()
            tmux.press("printf 'The %s' end", "Enter")
            return [stopped, tmux.wait_for("The end")]


def test_the_scrollback_of_the_shell_tells_no_card(desk: Desk) -> None:
    require(which("tmux"), "tmux", "apt-get install tmux")
    expected = left_in_tmux(desk, "3")
    assert left_in_tmux(desk, "9") == expected
    assert "[3]" not in "".join(expected)


def test_a_review_of_an_unfinished_game_shows_no_drawn_card() -> None:
    async def shown(card: str) -> str:
        record = sample_record(STACK, None, f"1k {card}", (ANN, ANN), **SMALL_DECK)
        async with opened() as (app, pilot):
            await app.push_screen(ReviewScreen(record))
            await settle(pilot)
            return app.export_screenshot()

    assert len({asyncio.run(shown(card)) for card in ("2", "3", "4")}) == 1
