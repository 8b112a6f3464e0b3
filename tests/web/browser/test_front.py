"""The front page: every game with its rules a click away; what is remembered."""

from __future__ import annotations

import number_duels as nd
from tests.web.browser.conftest import Visit


def test_every_game_and_its_rules(visit: Visit) -> None:
    page = visit().page
    for game in nd.games():
        title = nd.load(game).title
        page.goto("/")
        page.get_by_role("link", name=f"Rules of {title}").click()
        page.get_by_role("heading", name=title, exact=True).wait_for()
        assert page.get_by_role("listitem").count() > 3
        assert "--set" not in page.locator("main").inner_text()


def test_the_theme_and_the_name_are_remembered(visit: Visit) -> None:
    ann = visit(color_scheme="light")
    ann.page.goto("/")
    ann.page.get_by_role("button", name="Dark theme").click()
    link = ann.start(nd.games()[0], "Ann")
    assert ann.page.locator("html").get_attribute("data-theme") == "dark"
    ann.page.goto("/")
    ann.page.get_by_label("Have you been sent a link?").fill(link)
    ann.page.get_by_role("button", name="Open").click()
    ann.page.wait_for_url(link)
    ann.page.goto(f"/#{nd.games()[1]}")
    assert ann.page.get_by_role("dialog").get_by_label("Your name").input_value() == "Ann"


def test_back_closes_the_dialog(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.get_by_role("link", name="Play", exact=False).first.click()
    page.get_by_role("dialog").wait_for()
    page.go_back()
    page.get_by_role("dialog").wait_for(state="detached")
