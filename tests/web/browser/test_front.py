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


def test_only_what_the_server_solves_is_offered(visit: Visit) -> None:
    page = visit().page
    page.goto("/#number-bid")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The computer", exact=True).click()
    strength = dialog.get_by_label("Strength")
    assert strength.input_value() == "level:2"
    dialog.get_by_text("Settings", exact=True).click()
    numbers = dialog.locator("[name=set-numbers]")
    numbers.fill("20")
    dialog.get_by_text("does not solve the game").wait_for()
    offered = "option:not(:disabled)"
    assert strength.locator(offered).evaluate_all("all => all.map((each) => each.value)") == [
        "random"
    ]
    assert strength.input_value() == "random"
    numbers.fill("6")
    dialog.get_by_text("does not solve the game").wait_for(state="hidden")
    assert strength.locator(offered).count() > 1
    page.goto("/analysis/number-bid")
    page.get_by_text("Settings and deal").click()
    page.locator("[name=set-numbers]").fill("20")
    page.get_by_role("button", name="Set up").click()
    page.get_by_text("does not solve the game").wait_for()
