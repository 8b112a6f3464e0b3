"""What nobody foresaw: a sentence, a kept game, and no word of what was chosen."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Event
from typing import NoReturn

import pytest

from number_duels.core.bug_reports import unforeseen
from number_duels.core.game import Seat
from number_duels.core.player import Forfeit, Situation
from number_duels.core.scene import Scene
from number_duels.games import load
from number_duels.terminal.app.board_view import WordsPanel
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.saves import read_records
from tests.terminal.app.emulator import Screen
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, press, settle
from tests.terminal.app.tables import new_table, sit_down
from tests.terminal.desk import Desk, hear_out
from tests.terminal.session import Session

#: What is said of it, with the line that raised it.
WHAT, _, REPORT = unforeseen(ZeroDivisionError("no luck")).partition(")")
NO_LUCK = re.compile(rf"{re.escape(WHAT)}, in [a-z_]+\.py, line \d+\){re.escape(REPORT)}")

#: A game whose author made a mistake: what both choose in the test cannot be resolved. No game that
#: is sampled for the size of the board begins so.
BROKEN_GAME = """
from dataclasses import dataclass
from typing import ClassVar
from number_duels.games.number_bid import NumberBid

@dataclass(frozen=True)
class Broken(NumberBid):
    name: ClassVar[str] = "broken"
    title: ClassVar[str] = "Broken"

    def resolve(self, state, moves):
        if state == self.start() and list(map(str, moves.values())) == ["8", "4"]:
            raise ZeroDivisionError("no luck")
        return super().resolve(state, moves)
"""


def install_broken_game(desk: Desk) -> str:
    """Put the game where Python looks for packages; that folder."""
    folder = desk.folder / "site"
    info = folder / "broken-1.dist-info"
    info.mkdir(parents=True)
    (folder / "broken.py").write_text(BROKEN_GAME)
    (info / "entry_points.txt").write_text("[number_duels.games]\nbroken = broken:Broken\n")
    return str(folder)


@pytest.mark.system
def test_a_failure_ends_in_a_sentence_that_tells_no_choice(desk: Desk) -> None:
    desk.configure('opponent = "human"\n')
    broken = {"PYTHONPATH": install_broken_game(desk), "DUELS_TRACEBACK": ""}
    program = (sys.executable, "-m", "number_duels")  # a new Python, which reads its path
    surroundings = {**desk.surroundings, **broken}
    with Session(["--calm"], desk.folder, surroundings, program=program) as session:
        screen = Screen(session)
        screen.wait_for("What would you like to do?")
        screen.press("1")
        screen.wait_for("Two people")
        screen.enter()
        for seat, choice in (("1", "8"), ("2", "4")):
            screen.wait_for(f"Pass the keyboard to Player {seat}")
            screen.enter()
            screen.wait_for("It stays hidden.")
            screen.enter(choice)
        heard = hear_out(session)
        assert session.status() == 1
        assert session.echoes
    said = heard.rpartition("\x1b")[2].partition("l")[2]
    assert said.startswith("duels: t")
    assert said.rstrip().endswith(
        "(ZeroDivisionError: no luck, in broken.py, line 13); "
        "please report it to the authors of Broken."
    )


@dataclass(frozen=True)
class Failing:
    """A computer player with a mistake in it, or one that gives up."""

    error: Exception

    def choose(self, situation: Situation) -> Hashable:
        raise self.error


@awaited
async def test_a_player_that_cannot_go_on_loses_at_the_table() -> None:
    async with opened() as (_, pilot):
        table = new_table(load("number-knot"), ("human", "random"))
        driver = await sit_down(pilot, table)
        table.session.players = (None, Failing(Forfeit("late", "no answer in time")))
        await driver.press("s", "5", "enter")
        await settle(pilot)
        assert driver.is_at_table()
        assert table.match.record.reason == "Player 2 forfeits: no answer in time"
        assert table.save_file
        assert read_records(table.save_file.path)[0].record == table.match.record


@awaited
async def test_a_computer_that_fails_is_a_sentence_and_the_game_is_kept() -> None:
    async with opened() as (app, pilot):
        table = new_table(load("number-knot"), ("human", "random"))
        driver = await sit_down(pilot, table)
        table.session.players = (None, Failing(ZeroDivisionError("no luck")))
        await driver.press("s", "5", "enter")
        await settle(pilot)
        assert not driver.is_at_table()
        assert NO_LUCK.fullmatch(app.notices[0])
        assert table.save_file
        path = table.save_file.path
        assert read_records(path)[0].record.moves == "S5"
        app.continue_game(path)
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
        assert str(app.screen.match.history).startswith("S5 ")


@pytest.mark.parametrize(
    ("keys", "function"),
    [
        (("i",), "number_duels.review.player_stats.player_stats"),
        (("a",), "number_duels.sessions.analyze.examine_with_chances"),
    ],
    ids=["statistics", "analysis"],
)
@awaited
async def test_a_page_that_fails_is_a_sentence_and_the_program_goes_on(
    keys: tuple[str, ...], function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise ZeroDivisionError("no luck")

    monkeypatch.setattr(function, fail)
    async with opened([*keys, "@"]) as (app, pilot):
        (notice,) = app.notices
        assert NO_LUCK.fullmatch(notice)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


@awaited
async def test_a_hint_that_comes_late_is_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out = Event()

    def slow_hint(*_: object) -> tuple[Scene, ...]:
        worked_out.wait(60)
        return (Scene("told", "Hint", detail="Choose well."),)

    monkeypatch.setattr("number_duels.terminal.app.table.hint_for", slow_hint)
    async with opened() as (_, pilot):
        table = new_table(load("number-bid"), ("human", "human"), hints=True)
        driver = await sit_down(pilot, table)
        await press(pilot, "enter", "h", "7", "enter", "enter")
        assert driver.is_asked(Seat.TWO)
        worked_out.set()
        await settle(pilot)
        assert driver.is_asked(Seat.TWO)
        assert not table.query_one(WordsPanel).display
