"""A person and the computer."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, ONE_GAME, play_out, short

#: A winning chance, a cost, or what luck did.
IN_PERCENT = re.compile(r"none|((added|cost) )?[<>]?[\d.]+%( or more)?")


@pytest.mark.parametrize("game", ONE_GAME)
def test_a_person_plays_the_computer(game: str, visit: Visit) -> None:
    ann = visit()
    ann.start(game, "Ann", "level:2", **short(game))
    ann.page.locator(BUTTONS).first.wait_for()
    draw = ann.page.locator("[data-key=draw]")
    if draw.count():
        draw.click()
    ann.page.locator("[data-key=hint]").click()
    ann.page.locator(".hint .close").wait_for()
    nudge = ann.page.locator(".hint").inner_text()
    for label in ("Show the move", "Show why"):
        if (more := ann.page.get_by_role("button", name=label)).count():
            more.click()
    if not re.search("Every move|Whatever you play", nudge):
        ann.page.locator(".hint .options tbody tr").first.wait_for()
    chances = ann.page.locator(".hint .value span").all_inner_texts()
    assert all(IN_PERCENT.fullmatch(chance) for chance in chances), chances
    play_out([ann], Random(3))
    ann.page.locator(".review .chart").wait_for()
    assert ann.page.locator(".chart polyline").count() == 1
    ann.page.evaluate("document.querySelectorAll('.review > details').forEach(d => d.open = true)")
    mistakes = ann.page.locator(".mistakes button")
    assert ann.page.locator(".chart .mistake title").count() == mistakes.count()
    for mistake in mistakes.all():
        mistake.click()
        if (menu := ann.page.locator(".finding .few:has([data-key^=better]) summary")).count():
            menu.click()
        ann.page.get_by_role("button", name="Show the better move").click()
        ann.page.locator(".finding", has_text="would have ").wait_for()
    # The replay goes back with the arrow keys, to the start and no further.
    ann.page.keyboard.press("Home")
    assert ann.page.locator(".count").inner_text().startswith("0 /")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("ArrowRight")
    assert ann.page.locator(".count").inner_text().startswith("1 /")
    with ann.page.expect_download() as download:
        ann.page.locator(".afterwards .few summary").click()
        ann.page.get_by_role("link", name="Download record").click()
    assert download.value.suggested_filename.startswith(game)
    ann.page.get_by_role("button", name="Analyze", exact=True).click()
    ann.page.wait_for_url("**/analysis/**")
    ann.page.locator(".chances h2").wait_for()
