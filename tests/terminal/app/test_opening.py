"""Keys that are pressed while a page opens: they are for that page, and break nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

import pytest
from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from number_duels.sessions.train import TrainSession
from number_duels.terminal.app.analysis_page import AnalysisScreen
from number_duels.terminal.app.book_page import BookScreen
from number_duels.terminal.app.dialogs import Confirm
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.home import HomeScreen, MeasureScreen, MoreScreen
from number_duels.terminal.app.new_game import NewGameScreen
from number_duels.terminal.app.page import Page
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.rules_page import RulesScreen
from number_duels.terminal.app.saved_games_page import SavedGamesScreen
from number_duels.terminal.app.settings_page import SettingsScreen
from number_duels.terminal.app.statistics_page import StatisticsScreen
from number_duels.terminal.app.table import ReplayScreen, TableScreen
from number_duels.terminal.app.train_page import TrainScreen, TrainSetupScreen
from number_duels.trainer.book import BookFile
from tests.terminal.app.idle import awaited, wait_for_idle
from tests.terminal.app.page_driver import ListeningApp, opened, press, settle
from tests.terminal.app.samples import GAMES, sample_record, save_samples
from tests.terminal.app.tables import new_table
from tests.terminal.training import KNOT, drill_plan


def every_screen() -> Iterator[Screen[None]]:
    """Each screen that can lie over the first one."""
    record = sample_record(*GAMES[0])
    yield NewGameScreen("number-knot")
    yield SavedGamesScreen()
    yield StatisticsScreen()
    yield SettingsScreen()
    yield RulesScreen(KNOT)
    yield AnalysisScreen(KNOT, None, "")
    yield ReviewScreen(record)
    yield ReplayScreen.of(record)
    yield new_table(KNOT)
    yield new_table(KNOT, ("human", "random"))
    yield MoreScreen()
    yield MeasureScreen()
    yield BookScreen()
    yield TrainScreen()
    yield TrainSetupScreen("drill")
    yield DrillScreen(TrainSession(drill_plan(KNOT, 3, 1), BookFile()))


def press_at_once(app: ListeningApp, *keys: str) -> None:
    """Press keys before the application has dealt with the first of them."""
    for key in keys:
        app.post_message(Key(key, key if len(key) == 1 else None))


@awaited
async def test_a_page_is_left_while_it_opens() -> None:
    async with opened() as (app, pilot):
        for key in "14satreimy":
            press_at_once(app, key, "q")
            await settle(pilot)
            assert app.is_running
            assert isinstance(app.screen, HomeScreen)


@pytest.mark.slow
@awaited
async def test_every_screen_is_left_while_it_opens() -> None:
    async with opened() as (app, pilot):
        for screen in every_screen():
            press_at_once(app, "ctrl+c")
            app.push_screen(screen)  # before the key has been dealt with
            await settle(pilot)
            if isinstance(app.screen, Confirm):  # a game is not left without asking
                await press(pilot, "y", "@")
            assert isinstance(app.screen, HomeScreen)


@awaited
async def test_the_program_ends_well_while_screens_open() -> None:
    app = ListeningApp()

    async def end(_: Pilot[object]) -> None:
        await wait_for_idle()
        for screen in every_screen():
            app.push_screen(screen)
        app.exit(5)

    assert await app.run_async(headless=True, size=(80, 24), auto_pilot=end) == 5
    assert app.failure is None


@awaited
async def test_what_is_typed_while_a_page_opens_is_for_that_page() -> None:
    async with opened() as (app, pilot):
        press_at_once(app, "a", "s", "4")
        await settle(pilot)
        assert isinstance(app.screen, AnalysisScreen)
        assert app.screen.query_one("#typed", Input).value == "s4"


@awaited
async def test_one_page_is_opened_however_often_enter_is_pressed() -> None:
    async with opened() as (app, pilot):
        press_at_once(app, "down", "up", "enter", "enter", "enter")
        await settle(pilot)
        assert sum(isinstance(screen, DrillScreen) for screen in app.screen_stack) == 1


class Closing(Page):
    """A page whose work is done just when its widgets are gone."""

    def __init__(self) -> None:
        super().__init__("Closing")
        self.left, self.shown = Event(), False

    def on_mount(self) -> None:
        self.work(self.left.wait, self.show)

    def content(self) -> ComposeResult:
        yield LastWidget(id="last")

    def show(self, _: bool) -> None:
        self.shown = True


class LastWidget(Static):
    async def on_unmount(self) -> None:
        assert isinstance(self.parent, Closing)
        self.parent.left.set()
        (worker,) = (each for each in self.workers if each.node is self.parent)
        await worker.wait()


@awaited
async def test_what_is_worked_out_for_a_page_that_is_gone_is_not_shown() -> None:
    async with opened() as (app, pilot):
        await settle(pilot)
        page = Closing()
        await app.push_screen(page)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert page.left.is_set()
        assert not page.shown


# ---- one rule for Esc, and a footer that fits --------------------------------------


@pytest.mark.slow
@awaited
async def test_escape_goes_one_step_back_on_every_screen_and_asks_before_it_leaves_a_game() -> None:
    async with opened() as (app, pilot):
        for screen in every_screen():
            app.push_screen(screen)
            await settle(pilot)
            await press(pilot, "question_mark", "escape", "@")
            assert app.screen is screen
            await press(pilot, "escape", "@")
            if isinstance(screen, TableScreen):
                asked: Screen[object] = app.screen
                assert isinstance(asked, Confirm)
                await press(pilot, "escape", "@")
                assert app.screen is screen
                await press(pilot, "escape", "y", "@")
            assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (["s", "slash", "x"], lambda screen: screen.query_one(Input).value),
        (["a", "@", "7"], lambda screen: screen.query_one(Input).value),
        (["s", "w", "2"], lambda screen: screen.typed),
    ],
    ids=["search", "analysis", "replay"],
)
@awaited
async def test_escape_clears_what_is_typed_before_it_leaves(
    keys: list[str], typed: Callable[[Screen[object]], str]
) -> None:
    save_samples()
    async with opened([*keys, "@"]) as (app, pilot):
        screen = app.screen
        assert typed(screen)
        await press(pilot, "escape", "@")
        assert app.screen is screen
        assert not typed(screen)
        await press(pilot, "escape", "@")
        assert app.screen is not screen


@pytest.mark.slow
@awaited
async def test_no_footer_is_cut_at_80_columns() -> None:
    cut = []
    async with opened() as (app, pilot):
        for screen in (HomeScreen(), *every_screen()):
            app.push_screen(screen)
            await settle(pilot)
            width = screen.query_one(Footer).virtual_size.width
            cut += [(type(screen).__name__, width)] if width > 80 else []
            screen.dismiss()
            await settle(pilot)
    assert cut == []


@pytest.mark.parametrize("screen", [NewGameScreen, AnalysisScreen, ReviewScreen, DrillScreen])
def test_footers_write_the_names_of_function_keys_in_capitals(screen: type[Screen[None]]) -> None:
    shown = [
        one
        for kind in screen.__mro__
        for one in kind.__dict__.get("BINDINGS", ())
        if isinstance(one, Binding) and one.key in ("f1", "f2", "f3", "f5")
    ]
    assert shown
    assert all(one.key_display == one.key.upper() for one in shown)
