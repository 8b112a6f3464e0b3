"""`duels play` and `duels resume` at a terminal open the full screen, with all their options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from textual.screen import Screen

from number_duels.core.game import AnyGame, Seat
from number_duels.core.match import Match
from number_duels.core.player import Outage
from number_duels.core.record import Person
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.registry import player
from number_duels.terminal.app import application
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.commands import play
from number_duels.terminal.config import remember
from number_duels.terminal.line import console
from number_duels.terminal.main import run
from number_duels.terminal.saves import new_save, saved_games
from tests.terminal.app import emulator
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import ListeningApp, press, settle
from tests.terminal.app.unfinished import keep_unfinished
from tests.terminal.desk import Desk, hear_out
from tests.terminal.session import Session
from tests.terminal.training import KNOT, loaded


@dataclass
class FullScreen:
    """What would be opened, instead of the application."""

    opened: list[TableScreen] = field(default_factory=list)
    notice: str = ""
    flags: Sequence[str] = ()

    def run(
        self,
        *,
        opens: Callable[[], Iterable[Screen[None]]],
        notice: str = "",
        resume_flags: dict[Path, Sequence[str]] | None = None,
        **_: object,
    ) -> int:
        self.opened = [screen for screen in opens() if isinstance(screen, TableScreen)]
        self.notice = notice
        self.flags = next(iter((resume_flags or {}).values()), ())
        return 0


@pytest.fixture
def full_screen(monkeypatch: pytest.MonkeyPatch) -> FullScreen:
    found = FullScreen()
    monkeypatch.setattr(application, "run", found.run)
    monkeypatch.setattr(play, "run_session", lambda *_: pytest.fail("it is in lines"))
    monkeypatch.setattr(console, "full_screen", lambda: True)
    return found


def test_every_option_is_played_on_the_full_screen(full_screen: FullScreen, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    options = [
        "--two",
        "random",
        "--names",
        "Ann,Bo",
        "--first",
        "2",
        "--set",
        "life=12",
        "--seed",
        "6",
        "--hints",
        "--save",
    ]
    assert run(["play", "knot", *options, str(file)]) == 0
    (table,) = full_screen.opened
    record = table.match.record
    assert [(one.name, one.who) for one in record.players] == [("Ann", "human"), ("Bo", "random")]
    assert (record.seed, record.hints) == (6, True)
    assert (record.settings["first"], record.settings["life"]) == (2, 12)
    assert table.save_file
    assert table.save_file.path == file
    table.save_file.release()


def test_a_deal_is_laid_out_on_the_full_screen(full_screen: FullScreen) -> None:
    deal = "294753618 672159834"
    assert run(["play", "drop", "--deal", deal]) == 0
    (table,) = full_screen.opened
    assert table.match.record.deal == deal
    assert table.save_file
    table.save_file.release()


@pytest.mark.parametrize("wanted", [True, False])
def test_hints_are_offered_as_in_every_game_of_the_full_screen(
    wanted: bool, full_screen: FullScreen
) -> None:
    remember(hints=wanted)
    assert run(["play", "knot"]) == 0
    (table,) = full_screen.opened
    assert table.match.hints is wanted
    assert table.save_file
    table.save_file.release()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "There is no game"),
        (["knot", "--two", "nobody"], "There is no player 'nobody'; choose human, random"),
        (["knot", "--set", "life=999"], "life must be 1 to 99"),
        (["knot", "--deal", "1 2 3"], "Number Knot"),
        (["knot", "--names", "Ann,Ann"], "names must be different"),
        (["knot", "--seconds", "0"], "--seconds must be more than 0"),
        (["knot", "--save", "."], "exists"),
    ],
)
def test_a_wrong_option_is_refused_before_the_screen_opens(
    words: list[str],
    sentence: str,
    full_screen: FullScreen,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["play", *words]) == 2
    assert not full_screen.opened
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("duels: ")
    assert sentence in line
    assert not list(saved_games())


def test_where_nothing_can_be_saved_the_screen_says_so(
    full_screen: FullScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null")
    assert run(["play", "knot"]) == 0
    assert full_screen.notice.endswith("This game will not be saved.")


def test_plain_is_in_lines(full_screen: FullScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "run_session", lambda *_: 0)
    assert run(["play", "knot", "--plain"]) == 0
    assert run(["--plain", "play", "knot"]) == 0
    assert not full_screen.opened


def test_a_game_is_resumed_on_the_full_screen(
    desk: Desk, full_screen: FullScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", desk.surroundings["XDG_DATA_HOME"])
    path = keep_unfinished(desk, "number-knot", "S1")
    assert run(["resume"]) == 0
    (table,) = full_screen.opened
    assert table.match.record.moves == "S1"
    assert table.save_file
    assert table.save_file.path == path
    table.save_file.release()


# ---- bots ------------------------------------------------------------------------


BOT = "def choose(view, options, history):\n    return options[0]\n"


def test_a_bot_is_named_again_to_resume_its_game(
    full_screen: FullScreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "first.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    assert run(["play", "knot", "--two", "py:first:choose", "--seconds", "3"]) == 0
    (table,) = full_screen.opened
    assert [*full_screen.flags] == ["--two", "py:first:choose", "--seconds", "3.0"]
    assert table.save_file
    table.save_file.release()
    for _, bot in table.session.external_players:
        bot.close()


class Unreachable(ExternalPlayer):
    """A player that cannot be reached."""

    closed = False

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        raise Outage("the endpoint gives no answer")

    def close(self) -> None:
        self.closed = True


@awaited
async def test_a_player_that_cannot_be_reached_ends_the_game_in_a_sentence() -> None:
    match = Match(KNOT, 7, players=(Person("Ann"), Person("Bo", "llm:x")))
    model, app = Unreachable(Limits()), ListeningApp()
    app.stays = False  # but what failed must be read
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(TableScreen(match, None, (None, model)))
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert app.notices == ["The endpoint gives no answer."]
        assert model.closed


@awaited
async def test_two_computers_are_watched() -> None:
    game = loaded("number-knot", numbers=5, life=6)
    match = Match(game, 7, players=(Person("Ann", "random"), Person("Bo", "random")))
    app, computer = ListeningApp(), player("random", game)
    async with app.run_test(size=(80, 24)) as pilot:
        table = TableScreen(match, None, (computer, computer))
        app.push_screen(table)
        await settle(pilot)
        assert match.outcome
        await press(pilot, "q")
        assert isinstance(app.screen, HomeScreen)


@awaited
async def test_a_file_that_the_user_named_is_kept_without_moves(tmp_path: Path) -> None:
    match, named = Match(KNOT, 7), tmp_path / "game.json"
    for save, stays in ((new_save(match, named), True), (new_save(match), False)):
        app = ListeningApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.push_screen(TableScreen(match, save))
            await settle(pilot)
            await press(pilot, "q", "y")
        assert save.path.exists() is stays


# ---- at a real terminal ------------------------------------------------------------


@pytest.mark.system
def test_a_game_is_played_and_left_to_the_shell(desk: Desk) -> None:
    words = ["--calm", "play", "knot", "--two", "random", "--seed", "6"]
    with Session(words, desk.folder, desk.surroundings) as session:
        screen = emulator.Screen(session)
        screen.wait_for("Select a number")
        screen.press("q")
        screen.wait_for("Leave this game?")
        screen.press("y")
        hear_out(session)
        assert session.status() == 0
    assert not desk.saved
