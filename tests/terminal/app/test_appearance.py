"""What can be read and seen on every page, in every size and theme."""

from __future__ import annotations

import re

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.theme import Theme
from textual.widgets import Footer

from number_duels.games import load
from number_duels.terminal.app.application import THEMES
from number_duels.terminal.app.board_view import CROSS
from number_duels.terminal.config import remember
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, press, seen, settle
from tests.terminal.app.samples import save_samples
from tests.terminal.app.tables import by_notation, new_table, sitting_at, text_of

SMALLEST, SMALL, LARGE = (60, 20), (80, 24), (120, 40)
#: A picture is framed like a window.
FRAME_COLOURS = {"#C5C8C6", "#FF5F57", "#FEBC2E", "#28C840"}
#: The keys that lead from the first screen to a page, and what is read there.
PAGES = {
    ("4", "@"): ("Number Knot", "Opponent", "Moves first", "Settings", "Start"),
    ("s",): ("Saved games", "7 games", "Computer", "3 turns"),
    ("s", "v", "@", "m"): ("Review", "Before turn 2", "winning chance", "A blunder."),
    ("a", "@"): ("Analysis", "at the start", "chance", "often"),
    ("i", "@"): ("Statistics", "3 games: 2 won", "By game"),
    ("e",): ("Settings", "Colors", "high-contrast", "Your name"),
    ("r", "right"): ("Rules", "Number Stack"),
    ("t", "@"): ("Train", "Lesson", "Daily puzzle", "1 mistake"),
    ("t", "@", "p"): ("Train", "Puzzles", "Difficulty"),
}


@pytest.mark.parametrize(
    "size", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)], ids=lambda size: size[0]
)
@awaited
async def test_every_page_has_its_words_and_its_keys(size: tuple[int, int]) -> None:
    save_samples()
    async with opened(size=size) as (app, pilot):
        home = seen(app)
        assert "What would you like to do?" in home
        for keys, words in PAGES.items():
            await press(pilot, *keys)
            shown = seen(app)
            assert [word for word in words if word not in shown] == []
            footer = app.screen.query_one(Footer)
            assert (footer.region.bottom, footer.region.height) == (size[1], 1)
            while len(app.screen_stack) > 2:
                await press(pilot, "q")
            await settle(pilot)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_panel_is_gray_on_a_terminal_with_256_colors(theme: Theme) -> None:
    gray = range(232, 256)
    for color in filter(None, (theme.panel, theme.background)):
        shown = RichColor.parse(color).downgrade(ColorSystem.EIGHT_BIT).number
        assert shown in gray or shown in (16, 231), color


@awaited
async def test_a_newcomer_is_told_what_to_do() -> None:
    async with opened(["i", "@"]) as (app, pilot):
        assert "There is no game to count yet." in seen(app)
        await press(pilot, "q", "s")
        assert "No game is saved yet." in seen(app)


def colours(picture: str) -> set[str]:
    return {Color.parse(found).hex for found in re.findall(r"#[0-9a-fA-F]{6}", picture)}


def seat_colours(theme: Theme) -> set[str]:
    return {Color.parse(theme.variables[f"seat-{seat}"]).hex for seat in ("one", "two")}


@awaited
async def test_every_theme_has_its_colours() -> None:
    for theme in THEMES:
        remember(theme=theme.name)
        async with sitting_at(new_table(load("number-knot"))) as driver:
            shown = colours(driver.screen_picture)
            assert seat_colours(theme) < shown
            assert Color.parse(theme.background or "").hex in shown


@awaited
async def test_without_colour_everything_is_grey(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting_at(new_table(load("number-knot"))) as driver:
        shades = map(Color.parse, colours(driver.screen_picture) - FRAME_COLOURS)
        spread = [max(shade.rgb) - min(shade.rgb) for shade in shades]
        assert len(spread) > 2
        assert max(spread) <= 1


@awaited
async def test_the_last_move_is_marked_on_the_board() -> None:
    async with sitting_at(new_table(load("number-knot"), ("human", "random"))) as driver:
        assert CROSS not in text_of(driver)
        await by_notation(driver)
        assert CROSS in text_of(driver)


@pytest.mark.parametrize("size", [SMALLEST, SMALL], ids=lambda size: size[0])
@awaited
async def test_a_table_shows_the_board_the_words_and_the_answers(size: tuple[int, int]) -> None:
    deal = "294753618 672159834"
    table = new_table(load("number-drop"), ("human", "random"), deal=deal)
    async with sitting_at(table, size) as driver:
        shown = text_of(driver)
        for words in ("Number Drop", "turn 1", "You", "Bo", "Random", "Take back", "Back"):
            assert words in shown
        assert len(driver.choices.places) == 9
