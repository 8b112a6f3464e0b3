"""What somebody who has never seen the screen meets: ways back, cut words, what to press next."""

from __future__ import annotations

import asyncio

import pytest
from textual.events import Key
from textual.widgets import Input, Static

from number_duels import solvers
from number_duels.core.game import SomeGame
from number_duels.games import find, load
from number_duels.terminal.app.analysis_page import AnalysisScreen
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.config import remember
from tests.terminal.app.page_driver import ListeningApp, opened, press, settle, text_of
from tests.terminal.app.tables import Driver, at, new_table
from tests.terminal.app.tables import text_of as picture_of

AGAINST_RANDOM = ("human", "random")


def keys_at_the_foot(app: ListeningApp) -> list[str]:
    """Of two keys that do the same, only the first is shown."""
    shown = {
        one.binding.action: f"{app.get_key_display(one.binding)} {one.binding.description}"
        for one in reversed(list(app.screen.active_bindings.values()))
        if one.binding.show and one.enabled
    }
    return list(shown.values())


def test_escape_on_the_first_screen_does_nothing() -> None:
    async def play() -> None:
        async with opened(["escape", "escape"]) as (app, _):
            assert app.is_running
            assert isinstance(app.screen, HomeScreen)

    asyncio.run(play())


def test_on_a_narrow_screen_the_marked_line_is_told_in_full() -> None:
    async def play() -> None:
        async with opened(["down"], size=(60, 20)) as (app, pilot):
            note = app.screen.query_one("#marked-note", Static)
            assert note.region.height == 1
            assert text_of(app, "#marked-note") == find("number-bid").summary
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert not note.display

    asyncio.run(play())


def test_while_a_name_is_typed_escape_is_the_key_that_goes_back() -> None:
    remember(opponent="random")  # who needs no solution

    async def play() -> None:
        async with opened(["4"]) as (app, pilot):
            assert "q Back" in keys_at_the_foot(app)
            assert "Esc Back" not in keys_at_the_foot(app)
            await press(pilot, "down")
            assert isinstance(app.focused, Input)
            assert "Esc Back" in keys_at_the_foot(app)
            assert "q Back" not in keys_at_the_foot(app)

    asyncio.run(play())


@pytest.mark.parametrize(("opponent", "solves"), [("human", False), ("level:1", True)])
def test_two_people_start_without_a_solution(
    opponent: str, solves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(opponent=opponent)
    solve, solved = solvers.solve, set[str]()

    def noted(game: SomeGame, **_: object) -> object:
        solved.add(game.name)
        return solve(game)

    monkeypatch.setattr(solvers, "solve", noted)

    async def play() -> None:
        async with opened(["4", "@", "enter", "@"]) as (app, _):
            assert isinstance(app.screen, TableScreen)

    asyncio.run(play())
    assert bool(solved) is solves


def test_what_is_typed_fast_in_the_analysis_keeps_its_first_letter() -> None:
    game: SomeGame = load("number-knot", numbers=5, life=6)

    async def play() -> None:
        async with opened() as (app, pilot):
            await app.push_screen(AnalysisScreen(game, None, ""))
            await settle(pilot)
            for letter in "s4":  # both before the screen has dealt with the first
                app.post_message(Key(letter, letter))
            await pilot.pause()
            assert app.screen.query_one("#typed", Input).value == "s4"

    asyncio.run(play())


# ---- at the table --------------------------------------------------------------


def test_at_the_second_step_the_way_back_is_said() -> None:
    async def doing(driver: Driver) -> None:
        assert "one step back" not in picture_of(driver)
        await driver.press("5")
        assert "Esc goes one step back." in picture_of(driver)

    at(new_table(load("number-knot"), AGAINST_RANDOM), doing)


def test_what_is_typed_says_how_to_go_on_and_escape_clears_a_refusal_before_it_leaves() -> None:
    async def doing(driver: Driver) -> None:
        await driver.press("9")
        assert "Enter when done, Esc clears it." in picture_of(driver)
        await driver.press("enter")
        assert driver.choices.reason
        await driver.press("escape")
        assert not driver.choices.reason
        assert driver.is_at_table()
        await driver.press("escape")
        assert not driver.is_at_table()

    at(new_table(load("number-bid", numbers=3), AGAINST_RANDOM), doing)


def test_after_a_game_a_digit_too_many_is_not_in_the_way() -> None:
    async def doing(driver: Driver) -> None:
        await driver.press("1", "enter", "2", "v")
        assert isinstance(driver.screen, ReviewScreen)

    at(new_table(load("number-knot", numbers=1, life=6), AGAINST_RANDOM), doing)


def test_a_hint_fits_beside_its_scroll_bar_and_explains_its_columns() -> None:
    async def doing(driver: Driver) -> None:
        await driver.press("h")
        text = driver.screen.query_one("#hint-lines", Static)
        lines = str(text.content).splitlines()
        assert max(map(len, lines)) <= text.region.width
        said = " ".join(" ".join(lines).split())
        for heading in ("worth: +1 is a sure win", "often: how often", "if expected: your share"):
            assert heading in said

    game = load("high-low-battle", cards=5, rounds=3)
    at(new_table(game, AGAINST_RANDOM, hints=True), doing, (80, 20))


def test_a_hand_of_nine_stands_in_one_row_beside_the_list_of_a_review() -> None:
    from number_duels.terminal.app.board_view import BoardView, length

    game = load("high-low-battle")
    view = BoardView(("Ann", "Bo"))
    view.show(game.board(game.start()))
    lines = view.lines(36)
    assert max(map(length, lines)) <= 36
    assert sum(any("9" in text for text, _ in line) for line in lines) == 1
