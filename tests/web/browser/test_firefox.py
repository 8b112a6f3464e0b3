"""Two people at one table, in Firefox."""

from __future__ import annotations

from random import Random

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.test_computer import short
from tests.web.browser.visitor import SOME_GAMES, play_out

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("game", SOME_GAMES)
def test_two_people_play_to_the_end_in_firefox(game: str, visit_firefox: Visit) -> None:
    ann, bo = visit_firefox(), visit_firefox(viewport=PHONE, has_touch=True)
    link = ann.start(game, "Ann", "friend", **short(game))
    bo.join(link, "Bo")
    assert bo.page.evaluate("innerWidth") == PHONE["width"]
    play_out([ann, bo], Random(7))
    assert (ann.headline, bo.headline) in {
        ("You win", "Ann wins"),
        ("Bo wins", "You win"),
        ("A draw", "A draw"),
    }
    ann.page.locator(".review .chart").wait_for()
