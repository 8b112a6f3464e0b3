"""Two people at one table, in Firefox."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.firefox_page import FirefoxPage
from tests.web.browser.test_computer import short
from tests.web.browser.test_pages import BESIDE
from tests.web.browser.visitor import play_out

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


FIRST, *OTHERS = nd.games()


@pytest.mark.parametrize(
    "game", [FIRST, *(pytest.param(game, marks=pytest.mark.slow) for game in OTHERS)]
)
def test_two_people_play_to_the_end_in_firefox(game: str, visit_firefox: Visit) -> None:
    """One has everything twice as large, as Ctrl and plus make it; the other a phone."""
    ann, bo = visit_firefox(viewport=DESK), visit_firefox(viewport=PHONE, has_touch=True)
    ann.page.goto("/")
    cast("FirefoxPage", ann.page).zoom(2)
    link = ann.start(game, "Ann", "friend", **short(game))
    bo.join(link, "Bo")
    assert bo.page.evaluate("innerWidth") == PHONE["width"]
    assert ann.page.evaluate("innerWidth") == DESK["width"] / 2
    ann.page.locator(".board").wait_for()
    assert ann.page.evaluate(BESIDE) == [], "at the table"
    play_out([ann, bo], Random(7))
    assert (ann.headline, bo.headline) in {
        ("You win", "Ann wins"),
        ("Bo wins", "You win"),
        ("A draw", "A draw"),
    }
    ann.page.locator(".review .chart").wait_for()
    assert ann.page.evaluate("innerWidth") == DESK["width"] / 2
    assert ann.page.evaluate(BESIDE) == [], "after the game"
