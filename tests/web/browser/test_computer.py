"""A person and the computer."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import SOME_GAMES, play_out

#: Small settings that make any game short, and quick to solve, where it has them.
SHORT = {"numbers": 5, "cards": 5, "rounds": 3, "side": 2, "target": 12, "highest": 5, "copies": 2}


def short(game: str) -> dict[str, int | str]:
    """Settings with which a game is over, and solved, in a moment."""
    known = nd.load(game).settings
    return {name: value for name, value in SHORT.items() if name in known}


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_person_plays_the_computer(game: str, visit: Visit) -> None:
    ann = visit()
    ann.start(game, "Ann", "level:2", **short(game))
    draw = ann.page.locator("[data-key=draw]")
    if draw.count():
        draw.click()
    ann.page.locator("[data-key=hint]").click()
    ann.page.locator(".hint .options tbody tr").first.wait_for()
    play_out([ann], Random(3))
    ann.page.locator(".review .chart").wait_for()
    assert ann.page.locator(".chart polyline").count() == 2
    told = ann.page.locator(".mistakes p[class]")
    assert ann.page.locator(".chart .mistake title").count() == told.count()
    assert all("Right was " in one for one in told.all_inner_texts())
    assert ann.page.locator(".figures tbody tr").count() == 2
    # The replay goes back with the arrow keys, to the start and no further.
    ann.page.keyboard.press("Home")
    assert ann.page.locator(".count").inner_text().startswith("0 /")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("ArrowRight")
    assert ann.page.locator(".count").inner_text().startswith("1 /")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download record").click()
    assert download.value.suggested_filename.startswith(game)
    ann.page.get_by_role("button", name="Analyse").click()
    ann.page.wait_for_url("**/analysis/**")
    ann.page.locator(".worth h2").wait_for()
