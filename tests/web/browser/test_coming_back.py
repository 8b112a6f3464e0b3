"""Lost connections, reloads, second tabs, the back button."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.some_games import CARDS, SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import POLLING, play_out, play_until, short
from tests.web.serving import Server

TELLS = "told => document.querySelector('.log')?.innerText === told"


def test_the_game_goes_on_after_the_server_was_killed(
    own_server: Callable[..., Server], visit: Visit
) -> None:
    rng, server = Random(5), own_server()
    ann, bo = visit(server.url), visit(server.url)
    bo.join(ann.sit_down(SECRET, "friend", settings=short(SECRET)), "Bo")
    log = ann.page.locator(".log li")
    play_until([ann, bo], rng, lambda: log.count() > 1)
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
        someone.context.close()
        assert all("Failed to load" in error or "ERR_" in error for error in someone.errors)
        someone.errors.clear()


def test_reload_second_tab_and_back(visit: Visit) -> None:
    rng = Random(1)
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(CARDS, "friend"), "Bo")
    tab = ann.context.new_page()
    tab.goto(ann.page.url)
    tab.locator(".side .you").wait_for()
    ann.page.bring_to_front()
    log = ann.page.locator(".log")

    def play_on() -> str:
        before = log.inner_text()
        play_until([ann, bo], rng, lambda: log.inner_text() != before)
        return log.inner_text()

    told = play_on()
    # The second tab followed; a reload shows the same.
    tab.wait_for_function(TELLS, arg=told, polling=POLLING)
    ann.page.reload()
    ann.page.wait_for_function(TELLS, arg=told, polling=POLLING)
    ann.page.goto(f"/rules/{CARDS}")
    ann.page.get_by_role("heading", name="Rulings").wait_for()
    ann.page.go_back()
    ann.page.locator(".side .you").wait_for()
    tab.wait_for_function(TELLS, arg=play_on(), polling=POLLING)
