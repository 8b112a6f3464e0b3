"""What somebody who has never seen the screen meets: ways back, cut words, what to press next."""

from __future__ import annotations

import re
import sys
from functools import partial
from io import StringIO

import pytest
from textual.widgets import Input, Static
from textual.widgets._toast import Toast

from number_duels import solvers
from number_duels.core.game import SomeGame
from number_duels.games import find, load
from number_duels.terminal.app import application
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.commands import menu
from number_duels.terminal.config import remember
from number_duels.terminal.line.console import full_screen
from number_duels.terminal.main import run
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import KNOT_KEY, ListeningApp, opened, press, settle, text_of
from tests.terminal.app.tables import new_table, sit_down, sitting_at
from tests.terminal.app.tables import text_of as picture_of

AGAINST_RANDOM = ("human", "random")


class Terminal(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "size", "term", "opens"),
    [
        ([], (60, 20), "xterm", "screen"),
        ([], (59, 24), "xterm", "menu"),
        ([], (80, 19), "xterm", "menu"),
        ([], (80, 24), "dumb", "menu"),
        (["--plain"], (80, 24), "xterm", "menu"),
    ],
)
def test_the_full_screen_opens_where_there_is_room_for_it(
    arguments: list[str],
    size: tuple[int, int],
    term: str,
    opens: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = list[str]()
    for place, name in ((application, "run"), (menu, "menu")):
        note = partial(opened.append, "screen" if name == "run" else name)
        monkeypatch.setattr(place, name, lambda *_, note=note, **__: note() or 0)
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal())
    for variable, value in (("COLUMNS", size[0]), ("LINES", size[1]), ("TERM", term)):
        monkeypatch.setenv(variable, str(value))
    assert run(arguments) == 0
    assert opened == [opens]


def test_without_box_characters_it_is_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("COLUMNS", "80"), ("LINES", "24"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal())
    assert full_screen()
    monkeypatch.setattr(sys.stdout, "encoding", "iso8859-1")
    assert not full_screen()


def test_without_a_terminal_it_is_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", StringIO())
    assert not full_screen()


def keys_at_the_foot(app: ListeningApp) -> list[str]:
    """Of two keys that do the same, only the first is shown."""
    shown = {
        one.binding.action: f"{app.get_key_display(one.binding)} {one.binding.description}"
        for one in reversed(list(app.screen.active_bindings.values()))
        if one.binding.show and one.enabled
    }
    return list(shown.values())


@awaited
async def test_escape_on_the_first_screen_does_nothing() -> None:
    async with opened(["escape", "escape"]) as (app, _):
        assert app.is_running
        assert isinstance(app.screen, HomeScreen)


@awaited
async def test_on_a_narrow_screen_the_marked_line_is_told_in_full() -> None:
    async with opened(["down", "down", "down"], size=(60, 20)) as (app, pilot):
        note = app.screen.query_one("#marked-note", Static)
        assert note.region.height == 1
        assert text_of(app, "#marked-note") == find("number-bid").summary
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert not note.display


@awaited
async def test_while_a_name_is_typed_escape_is_the_key_that_goes_back() -> None:
    remember(opponent="random")  # who needs no solution
    async with opened([KNOT_KEY]) as (app, pilot):
        assert "q Back" in keys_at_the_foot(app)
        assert "Esc Back" not in keys_at_the_foot(app)
        await press(pilot, "down")
        assert isinstance(app.focused, Input)
        assert "Esc Back" in keys_at_the_foot(app)
        assert "q Back" not in keys_at_the_foot(app)


@pytest.mark.parametrize(("opponent", "solves"), [("human", False), ("level:1", True)])
@awaited
async def test_two_people_start_without_a_solution(
    opponent: str, solves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(opponent=opponent)
    solve, solved = solvers.solve, set[str]()

    def noted(game: SomeGame, **_: object) -> object:
        solved.add(game.name)
        return solve(game)

    monkeypatch.setattr(solvers, "solve", noted)
    async with opened([KNOT_KEY, "@", "enter", "@"]) as (app, _):
        assert isinstance(app.screen, TableScreen)
    assert bool(solved) is solves


# ---- at the table --------------------------------------------------------------


@awaited
async def test_at_the_second_step_the_way_back_is_said() -> None:
    async with sitting_at(new_table(load("number-knot"), AGAINST_RANDOM), (120, 40)) as driver:
        assert "Esc goes back" not in picture_of(driver)
        await driver.press("5")
        assert "Esc goes back." in picture_of(driver)


@awaited
async def test_a_question_says_how_it_is_answered() -> None:
    table = new_table(load("number-bid", numbers=3), AGAINST_RANDOM)
    async with sitting_at(table, (100, 40)) as driver:
        assert "Type a number or use arrows." in picture_of(driver)
        assert "Enter plays it" not in picture_of(driver)
        await driver.press("2")
        assert "Enter plays it, Esc clears it." in picture_of(driver)
        await driver.press("enter", "q", "n", "x", "y")
        assert "v shows what each move cost, m plays again." in picture_of(driver)


@awaited
async def test_enter_is_said_to_play_only_what_it_plays() -> None:
    async with sitting_at(new_table(load("number-knot"), AGAINST_RANDOM), (120, 40)) as driver:
        said = []
        for keys in ([], ["right"], ["enter"], ["right"]):
            await driver.press(*keys)
            assert driver.choices.offer
            said.append(driver.choices.how_to_answer(driver.choices.offer))
        assert said == [
            "Type a number, then a to add or s to subtract, or use arrows.",
            "Enter confirms it, Esc clears it.",
            "Type one or use arrows. Esc goes back.",
            "Enter plays it, Esc clears it.",
        ]


@awaited
async def test_with_one_number_left_the_question_asks_for_what_is_still_to_choose() -> None:
    table = new_table(load("number-knot", numbers=1, life=6), AGAINST_RANDOM)
    async with sitting_at(table, (120, 40)) as driver:
        assert "Type a or s, or use arrows." in picture_of(driver)
        assert "Keep typing" not in picture_of(driver)


@awaited
async def test_the_rules_stay_below_the_title_and_the_last_move_above_the_question() -> None:
    game = load("number-knot")
    async with sitting_at(new_table(game, AGAINST_RANDOM)) as driver:
        assert game.short_rules in picture_of(driver)
        await driver.press("1", "s", "enter")
        told = driver.table.scene.log[-1].short.replace("Player 2", "Bo")
        assert told.startswith("Bo ")
        assert driver.choices.offer
        assert told.replace("Player 1", "you") in "".join(map(str, driver.choices.lines(200)[0]))
        assert game.short_rules in picture_of(driver)


@awaited
async def test_a_short_screen_drops_the_rules_after_the_first_turn() -> None:
    game = load("number-knot")
    async with sitting_at(new_table(game, AGAINST_RANDOM), (80, 20)) as driver:
        assert game.short_rules in picture_of(driver)
        await driver.press("1", "s", "enter")
        assert game.short_rules not in picture_of(driver)


@awaited
async def test_a_notice_covers_neither_the_title_nor_the_board_and_does_not_pile_up() -> None:
    app, table = application.DuelsApp(calm=True), new_table(load("number-knot"), AGAINST_RANDOM)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        driver = await sit_down(pilot, table)
        await driver.press("u", "u")
        (toast,) = driver.screen.query(Toast)
        rules = driver.screen.query_one("#table-rules")
        assert toast.region.y == rules.region.y
        assert toast.region.bottom == rules.region.bottom


@awaited
async def test_after_a_game_a_digit_too_many_is_not_in_the_way() -> None:
    async with sitting_at(
        new_table(load("number-knot", numbers=1, life=6), AGAINST_RANDOM)
    ) as driver:
        await driver.press("1", "a", "enter")
        assert "u  Take back" in picture_of(driver)
        assert not driver.table.check_action("take_back", ())  # it is in the menu
        await driver.press("u", "1", "a", "enter", "2", "v")
        assert isinstance(driver.screen, ReviewScreen)
        assert driver.table.match.takebacks == 1


@awaited
async def test_a_hint_fits_beside_its_scroll_bar_and_explains_its_columns() -> None:
    game = load("high-low-battle", cards=5, rounds=3)
    async with sitting_at(new_table(game, AGAINST_RANDOM, hints=True), (80, 20)) as driver:
        for _ in ("a nudge", "the move", "why"):
            await driver.press("h")
        text = driver.screen.query_one("#hint-said", Static)
        lines = str(text.content).splitlines()
        assert max(map(len, lines)) <= text.region.width
        said = " ".join(" ".join(lines).split())
        assert "winning chance 50% play 3, 4 or 5" in said
        assert "How often perfect play makes each choice: " in said


def test_a_hand_of_nine_stands_in_one_row_beside_the_list_of_a_review() -> None:
    from number_duels.terminal.app.board_view import BoardView, length

    game = load("high-low-battle")
    view = BoardView(("Ann", "Bo"))
    view.show(game.board(game.start()))
    lines = view.lines(36)
    assert max(map(length, lines)) <= 36
    rows = ["".join(text for text, _ in line) for line in lines]
    assert [re.findall(r"\d", row) for row in rows].count([*"123456789"]) == 2
