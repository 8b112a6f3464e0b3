"""The analysis board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, ONE_GAME, POLLING, short

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: Another position, or the next step of a move.
TOUCHED = """([url, shown]) => document.querySelector(".board-place:not([aria-busy])")
  && (location.href !== url || document.querySelector(".board-place").dataset.shown !== shown)"""


def moved_on(page: Page, before: str) -> None:
    """Wait for the next position, which has an address of its own, as half a turn has."""
    arrived = "before => location.href !== before && !location.search.includes('%3F')"
    page.wait_for_function(arrived, arg=before, polling=POLLING)


def here(page: Page) -> str:
    """The address, as the page has it: `page.url` follows a little later."""
    address: str = page.evaluate("location.href")
    return address


def open_analysis(visit: Visit, game: str) -> Page:
    page = visit().page
    settings = "&".join(f"{name}={value}" for name, value in short(game).items())
    page.goto(f"/analysis/{game}?{settings}")
    page.locator(".chances h2").wait_for()
    return page


@pytest.mark.parametrize("game", ONE_GAME)
def test_any_position_by_clicking(game: str, visit: Visit) -> None:
    page = open_analysis(visit, game)
    for _ in range(2):
        cards = page.locator(".chances .answer")
        if cards.count():
            before = here(page)
            cards.first.click()
            moved_on(page, before)
        before = here(page)
        for seat in page.locator(".options").all():
            seat.locator("button").first.click()
        moved_on(page, before)
    assert "moves=" in here(page)
    board = page.locator(".board").inner_html()
    steps = page.locator(".moves li").count()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "n => !document.querySelectorAll('.moves li')[n - 1].querySelector('[aria-current]')",
        arg=steps,
    )
    page.get_by_role("button", name="Forward").click()
    page.wait_for_function(
        "shown => document.querySelector('.board').innerHTML === shown", arg=board
    )
    # The address is the position.
    page.reload()
    page.locator(".chances h2").wait_for()
    assert page.locator(".board").inner_html() == board


@pytest.mark.parametrize("game", ONE_GAME)
def test_the_board_is_touched_like_a_table(game: str, visit: Visit) -> None:
    page = open_analysis(visit, game)
    before = here(page)
    cards = page.locator(".chances .answer")
    if cards.count():
        cards.first.click()
        moved_on(page, before)
        before = here(page)
    while (now := here(page)) == before or "%3F" in now:
        shown = now, page.locator(".board-place").get_attribute("data-shown")
        page.locator(BUTTONS).first.click()
        page.wait_for_function(TOUCHED, arg=shown, polling=POLLING)
    assert "moves=" in now
