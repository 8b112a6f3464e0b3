"""Lost connections, reloads, second tabs, the back button."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.test_computer import short
from tests.web.browser.visitor import play_out
from tests.web.serving import Server


def test_the_game_goes_on_after_the_server_was_killed(
    own_server: Callable[..., Server], visit: Visit
) -> None:
    rng, server = Random(5), own_server()
    ann, bo = visit(server.url), visit(server.url)
    game = nd.games()[-1]
    bo.join(ann.sit_down(game, "friend", settings=short(game)), "Bo")
    while not ann.press_any(rng) or ann.page.locator(".log li").count() < 2:
        bo.press_any(rng)
    told = ann.page.locator(".log").inner_text()
    server.kill()
    for someone in (ann, bo):
        someone.page.locator(".connection", has_text="Reconnecting").wait_for()
    server.start()
    for someone in (ann, bo):
        someone.page.locator(".connection:empty").wait_for(state="attached")
    assert told in ann.page.locator(".log").inner_text()
    play_out([ann, bo], rng)
    # A browser reports every connection that failed; nothing else may have.
    for someone in (ann, bo):
        assert all("Failed to load" in error or "ERR_" in error for error in someone.errors)
        someone.context.close()
        someone.errors.clear()


def test_reload_second_tab_and_back(visit: Visit) -> None:
    rng = Random(1)
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(nd.games()[-1], "friend"), "Bo")
    tab = ann.context.new_page()
    tab.goto(ann.page.url)
    tab.locator(".side .you").wait_for()
    before = tab.locator(".board").inner_text()
    while not ann.press_any(rng) or tab.locator(".board").inner_text() == before:
        bo.press_any(rng)
    # The second tab followed; a reload shows the same.
    ann.page.bring_to_front()
    shown = ann.page.locator(".log").inner_text()
    assert tab.locator(".log").inner_text() == shown
    ann.page.reload()
    ann.page.locator(".side .you").wait_for()
    assert ann.page.locator(".log").inner_text() == shown
    ann.page.goto("/rules/" + nd.games()[-1])
    ann.page.get_by_role("heading", name="Rulings").wait_for()
    ann.page.go_back()
    ann.page.locator(".side .you").wait_for()
    while ann.page.locator(".log").inner_text() == shown:
        ann.press_any(rng)
        bo.press_any(rng)
    assert tab.locator(".log").inner_text() != shown
