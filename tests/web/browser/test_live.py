"""Streams of a browser: one for all its tabs, noticed when it is dead, none for what is gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.some_games import SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.hung_proxy import Proxy
from tests.web.browser.visitor import AT_REST, POLLING
from tests.web.people import GAME, Guest, join, pair, start
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Route

#: More tabs than a browser opens connections to one server.
TABS = 8
#: Somebody turns to another window, or back.
TURN = """state => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
TOLD_MORE = "before => document.querySelector('.log').innerText.length > before.length"


def test_many_tabs_are_all_live_over_one_stream(visit: Visit, server: Server) -> None:
    with server.client() as http:
        first, other = start(http, GAME), start(http, GAME)
        players = [(host, join(host)) for host in (first, other)]
        ann = visit()
        tabs = [ann.page, *(ann.context.new_page() for _ in range(TABS - 1))]
        for tab in tabs[:-2]:
            tab.goto(ann.sit(first))
        for tab in tabs[-2:]:
            tab.goto(f"/play/{other.id}")
        for tab in tabs:
            tab.locator(".board").wait_for()
        told = [tab.locator(".log").inner_text() for tab in tabs]
        for pair in players:
            for guest in pair:
                assert guest.move(1, "1").status_code == 200
        for tab, before in zip(tabs, told, strict=True):
            tab.wait_for_function(TOLD_MORE, arg=before, polling=POLLING)
        # They also still load: the connections of the browser are not used up.
        tabs[0].reload()
        tabs[0].locator(".side .you").wait_for()
        assert first.view()["watching"] == 0
        stream = other.listen()
        # Two tabs of one browser are one spectator.
        stream.until(lambda found: found and found[-1]["watching"] == 1)
        for tab in tabs[-2:]:
            tab.close()
        stream.until(lambda found: found and found[-1]["watching"] == 0)
        stream.close()


def test_a_tab_that_says_no_goodbye_is_gone(visit: Visit, server: Server) -> None:
    with server.client() as http:
        host, other = start(http, GAME), start(http, GAME)
        for each in (host, other):
            join(each)
        ann = visit()
        # Another tab keeps the shared stream.
        ann.page.goto(f"/play/{other.id}")
        ann.page.locator(".board").wait_for()
        tab = ann.context.new_page()
        tab.add_init_script("addEventListener('pagehide', (e) => e.stopImmediatePropagation())")
        tab.goto(f"/play/{host.id}")
        stream = host.listen()
        stream.until(lambda found: found and found[-1]["watching"] == 1)
        tab.close()
        stream.until(lambda found: found and found[-1]["watching"] == 0)
        stream.close()


def test_a_dead_connection_is_noticed_and_replaced(
    visit: Visit, own_server: Callable[..., Server]
) -> None:
    server = own_server(heartbeat="0.5")
    proxy = Proxy(server.port)
    with server.client() as http:
        host = start(http, GAME)
        ann = visit(proxy.url)
        ann.page.goto(ann.sit(host))
        ann.page.locator(".invitation").wait_for()
        spectator = Guest(http, host.id).listen()
        spectator.until(lambda found: found and found[-1]["players"][0]["present"])
        spectator.close()
        proxy.hang()
        ann.page.locator(".connection", has_text="Reconnecting").wait_for()
        join(host)
        proxy.go_on()
        ann.page.locator(".connection:empty").wait_for(state="attached")
        ann.page.locator(".headline", has_text="Your turn").wait_for()
    # A browser reports every connection that failed; nothing else may have.
    ann.context.close()
    assert all("Failed to load" in error or "ERR_" in error for error in ann.errors)
    ann.errors.clear()
    proxy.close()


def test_a_game_that_is_gone_says_so(visit: Visit, server: Server) -> None:
    with server.client() as http:
        host = start(http, GAME)
        ann = visit()
        ann.page.goto(ann.sit(host))
        ann.page.locator(".invitation").wait_for()
        host.post("resign")
        ann.page.get_by_role("heading", name="This game is gone").wait_for()
        ann.page.get_by_role("link", name="All games").click()
        ann.page.wait_for_url("**/")


def test_a_game_that_went_during_an_outage_says_so(
    visit: Visit,
    own_server: Callable[..., Server],
    new_database: Callable[[Path], str],
    tmp_path: Path,
) -> None:
    server = own_server()
    with server.client() as http:
        host = start(http, GAME)
        ann = visit(server.url)
        ann.page.goto(ann.sit(host))
        ann.page.locator(".invitation").wait_for()
        server.kill()
        ann.page.locator(".connection", has_text="Reconnecting").wait_for()
        server.database = new_database(tmp_path)
        server.start()
        ann.page.get_by_role("heading", name="This game is gone").wait_for()
    ann.errors.clear()


def test_a_browser_without_shared_workers_streams_while_it_is_looked_at(
    visit: Visit, server: Server
) -> None:
    with server.client() as http:
        host = start(http, GAME)
        ann = visit()
        ann.context.add_init_script("delete globalThis.SharedWorker")
        ann.page.goto(ann.sit(host))
        ann.page.locator(".invitation").wait_for()
        guest = join(host)
        ann.page.locator(".headline", has_text="Your turn").wait_for()
        stream = guest.listen()
        stream.until(lambda found: found and found[-1]["players"][0]["present"])
        ann.page.evaluate(TURN, "hidden")
        stream.until(lambda found: not found[-1]["players"][0]["present"])
        assert guest.move(1, "1").status_code == 200
        ann.page.evaluate(TURN, "visible")
        stream.until(lambda found: found[-1]["players"][0]["present"])
        ann.page.get_by_text("Bo has chosen").wait_for()
        stream.close()


def test_a_page_from_before_an_upgrade_is_loaded_again(visit: Visit, server: Server) -> None:
    def from_before(route: Route) -> None:
        page = route.fetch()
        release = page.text().partition('name="release" content="')[2].partition('"')[0]
        old = page.text().replace(f'content="{release}"', 'content="before"')
        route.fulfill(response=page, body=old)

    with server.client() as http:
        host = start(http, GAME)
        ann = visit()
        ann.page.route("**/play/*", from_before)
        loaded: list[str] = []
        ann.page.on("framenavigated", lambda frame: loaded.append(frame.url))
        ann.page.goto(ann.sit(host))
        ann.page.locator(".upgrade").wait_for()
        # Nothing happens by itself while somebody looks; then once, and not again and again.
        with ann.page.expect_navigation():
            ann.page.evaluate(TURN, "hidden")
        ann.page.locator(".upgrade").wait_for()
        ann.page.evaluate(TURN, "hidden")
        ann.page.unroute("**/play/*")
        with ann.page.expect_navigation():
            ann.page.get_by_role("button", name="Reload").click()
        ann.page.locator(".invitation").wait_for()
        join(host)
        ann.page.locator(".headline", has_text="Your turn").wait_for()
        assert ann.page.locator(".upgrade").count() == 0
        assert len(loaded) == 3


def test_a_click_is_not_lost_when_the_opponent_chooses_meanwhile(
    visit: Visit, http: httpx.Client
) -> None:
    button = ".menu .few summary"
    first, second = pair(http, SECRET)
    ann = visit()
    page = ann.page
    page.goto(ann.sit(first))
    page.locator(button).hover()
    page.evaluate("() => addEventListener('click', ({ target }) => { window.clicked = target })")
    before = ann.version
    page.mouse.down()
    assert second.move(1, "5").status_code == 200
    page.wait_for_function(AT_REST, arg=before + 1, polling=POLLING)
    page.mouse.up()
    assert page.evaluate("button => window.clicked?.matches(button)", button)
