"""The front page: every game as a small board, one touch to play; what is remembered."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import number_duels as nd
from number_duels.trainer.puzzles import daily
from tests.patience import PATIENCE_S
from tests.some_games import SECRET
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM, Visit
from tests.web.browser.test_fit import sent
from tests.web.browser.test_train import on_this_day
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BOARDS = "() => [...document.querySelectorAll('.preview')].map((board) => board.innerHTML).join()"


def open_front(page: Page) -> None:
    """The front page as its script has drawn it, which replaces what stood there before."""
    page.goto("/")
    page.locator("[data-key=play]").wait_for()


def test_a_game_and_its_rules(visit: Visit) -> None:
    page = visit().page
    title = nd.load(SECRET).title
    page.goto("/")
    page.get_by_role("link", name=f"Rules of {title}").click()
    page.wait_for_url("**/rules/*")  # the front page has such a heading, and a list
    page.get_by_role("heading", name=title, exact=True).wait_for()
    assert page.get_by_role("listitem").count() > 3
    assert "--set" not in page.locator("main").inner_text()


def test_a_setting_has_one_name(visit: Visit) -> None:
    page = visit().page
    page.goto(f"/#{LABELLED}")
    page.get_by_role("dialog").get_by_text("Settings").click()
    names = page.locator("dialog details label").all_inner_texts()
    page.goto(f"/rules/{LABELLED}")
    page.locator(".settings dt").first.wait_for()
    assert page.locator(".settings dt").all_inner_texts() == names


def test_every_game_is_a_small_board_that_plays(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = visit(reduced_motion="no-preference").page
    page.clock.install()
    open_front(page)
    expect(page.locator(".game .preview")).to_have_count(len(nd.games()))

    def moves() -> bool:
        """Whether any board plays within three seconds."""
        shown = page.evaluate(BOARDS)
        page.clock.run_for(3000)
        return bool(page.evaluate(BOARDS) != shown)

    # Only a board with the mouse on it plays.
    board = page.locator(".game .preview").first
    board.scroll_into_view_if_needed()
    assert not moves()
    board.hover()
    assert moves()
    page.locator(".game h3").first.hover()
    assert not moves()


def test_one_touch_plays_the_computer_and_the_level_is_remembered(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    page = ann.page
    page.goto("/")
    page.get_by_role("radio", name="Random").check(force=True)
    page.get_by_text("plays a random legal move").wait_for()
    # A double click makes one game.
    made: list[str] = []
    page.on("request", lambda asked: made.append(asked.method + asked.url.removeprefix(ann.base)))
    page.get_by_role("button", name="Play the computer").dblclick()
    page.wait_for_url("**/play/*")
    page.wait_for_selector(".board")
    assert made.count("POST/api/games") == 1
    page.goto("/")
    expect(page.get_by_role("radio", name="Random")).to_be_checked()
    last = nd.load(nd.games()[-1]).title
    page.get_by_role("button", name=f"Play now: {last}").click()
    page.wait_for_url("**/play/*")
    page.get_by_role("heading", name=last).wait_for()
    # The next time the same game is at hand, and a dialog offers the same level.
    page.goto("/")
    page.locator(".featured", has_text=last).wait_for()
    page.get_by_role("link", name="Play a friend").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The computer", exact=True).click()
    expect(dialog.locator("[name=level][value=random]")).to_be_checked()


def test_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit().page
    open_front(page)
    page.get_by_role("link", name="Play a friend").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    # The dialog begins on its first field, not on what closes it.
    assert page.evaluate("() => document.activeElement.name") == "against"
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.get_by_role("radio", name="Level 2").focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
        if page.get_by_role("radio", name="Random").is_checked():
            break
    # The one thing to press comes before the levels.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")
    page.get_by_text("Computer").first.wait_for()


def test_the_theme_and_the_name_are_remembered(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit(color_scheme="light")
    ann.page.goto("/")
    ann.page.get_by_role("button", name="Dark theme").click()
    ann.start(nd.games()[0], "Ann")
    expect(ann.page.locator("html")).to_have_attribute("data-theme", "dark")
    ann.page.goto(f"/#{nd.games()[1]}")
    expect(ann.page.get_by_role("dialog").get_by_label("Your name")).to_have_value("Ann")


def test_a_page_that_may_remember_nothing_works_and_says_so(visit: Visit) -> None:
    ann = visit()
    # As a browser does that refuses storage and allows cookies.
    ann.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})"
    )
    ann.page.goto("/")
    ann.page.get_by_text("doesn't store anything").wait_for()
    ann.page.get_by_role("button", name="Dark theme").click()
    ann.page.get_by_role("button", name="Play the computer").click()
    ann.page.wait_for_url("**/play/*")
    ann.page.locator(".board").wait_for()


def test_a_browser_without_cookies_says_what_is_missing(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    preferences = tmp_path / "Default" / "Preferences"
    preferences.parent.mkdir()
    preferences.write_text('{"profile": {"default_content_setting_values": {"cookies": 2}}}')
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE_S
    )
    context.set_default_timeout(1000 * PATIENCE_S)
    try:
        page = context.pages[0]
        page.goto(server.url)
        page.locator(".hero").get_by_text("refuses cookies").wait_for()
        page.get_by_role("button", name="Play the computer").click()
        page.get_by_role("alert").get_by_text("refuses cookies").wait_for()
    finally:
        context.close()


def test_back_closes_the_dialog(visit: Visit) -> None:
    page = visit().page
    open_front(page)
    page.get_by_role("link", name="With a friend").first.click()
    page.get_by_role("dialog").wait_for()
    page.go_back()
    page.get_by_role("dialog").wait_for(state="detached")


def test_only_what_the_server_solves_is_offered(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = visit().page
    page.goto("/#number-bid")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The computer", exact=True).click()
    levels = dialog.locator("[name=level]")
    expect(dialog.locator("[value='level:2']")).to_be_checked()
    # There is nothing to ask: both choose at once here.
    expect(dialog.locator("[name=first], [name=seat]")).to_have_count(0)
    dialog.get_by_text("Settings", exact=True).click()
    numbers = dialog.locator("[name=set-numbers]")
    numbers.fill("20")
    dialog.get_by_text("can't be solved here").wait_for()
    offered = "all => all.filter(({ disabled }) => !disabled).map(({ value }) => value)"
    assert levels.evaluate_all(offered) == ["random"]
    expect(dialog.locator("[value=random]")).to_be_checked()
    numbers.fill("6")
    dialog.get_by_text("can't be solved here").wait_for(state="hidden")
    expect(dialog.locator("[value='level:2']")).to_be_checked()
    assert len(levels.evaluate_all(offered)) == 7
    # A game that only Random can play leaves the level as it was.
    numbers.fill("20")
    dialog.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/play/*")
    page.goto("/")
    expect(page.get_by_role("radio", name="Level 2")).to_be_checked()


def test_who_goes_first_is_asked_where_turns_are_taken(visit: Visit) -> None:
    ann = visit()
    for first, seat in (("You", 1), ("Opponent", 2)):
        ann.page.goto("/rules")  # the same address with another hash is the same page
        ann.page.goto("/#number-knot")
        dialog = ann.page.get_by_role("dialog")
        dialog.get_by_text("The computer", exact=True).click()
        dialog.get_by_role("group", name="Who goes first").get_by_text(first, exact=True).click()
        dialog.get_by_role("button", name="Start the game").click()
        ann.page.wait_for_url("**/play/*")
        game = ann.context.request.get(ann.page.url.replace("/play/", "/api/games/")).json()
        assert (game["you"], game["settings"]["first"]) == (1, seat)


def test_a_refusal_of_settings_stays_when_the_analysis_arrives(visit: Visit) -> None:
    from playwright.sync_api import Route, expect

    page = visit().page
    asked: list[Route] = []
    page.route("**/api/analysis?*", lambda route: asked.append(route))  # noqa: PLW0108  # it writes on a function
    page.goto("/analysis/number-bid?numbers=5")
    page.get_by_text("Settings and deal").click()
    page.locator("[name=set-numbers]").fill("20")
    page.get_by_role("button", name="Set up").click()
    page.get_by_text("can't be solved here").wait_for()
    sent(page, asked).continue_()
    page.get_by_role("button", name="Forward").wait_for()
    expect(page.get_by_text("can't be solved here")).to_be_visible()


PLACES = """() => [".hero h1", ".first", ".levels", ".daily-card"].map((place) => {
  const { left, top } = document.querySelector(place).getBoundingClientRect();
  return [left, top].map(Math.round);
})"""
#: A game with a setting that has a label, and without "first", which is asked elsewhere.
LABELLED = "high-low-battle"
TOPS = "all => all.map((each) => each.getBoundingClientRect().top + scrollY)"
#: Something at the left edge of each page, by its address.
EDGES = {
    "/": ".hero h1",
    "/train": "main h1",
    f"/train?game={SECRET}#lesson": ".session .steps",
    f"/train?game={SECRET}#drills": ".session .steps",
    f"/rules/{SECRET}": ".prose h1",
    f"/analysis/{SECRET}": ".play h1",
    "/record": "main h1",
}
SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


def test_the_front_page_stands_before_its_script_and_loses_no_touch(visit: Visit) -> None:
    from playwright.sync_api import Route, expect

    page = visit().page
    held: list[Route] = []
    page.route("**/start_page.bundle.js", lambda route: held.append(route))  # noqa: PLW0108  # it writes on a function
    page.goto("/", wait_until="commit")
    page.get_by_role("link", name="Play the computer").click()
    expect(page.locator(".game h3")).to_have_text([nd.load(game).title for game in nd.games()])
    sent(page, held).continue_()
    page.wait_for_url("**/play/*")


def places(page: Page) -> list[list[list[int]]]:
    """Where the heading, the buttons, the levels and the puzzle are, on a desktop and a phone."""
    found = []
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type] # a width and a height
        found.append(page.evaluate(PLACES))
    return found


def test_the_levels_are_below_the_button_and_nothing_jumps(visit: Visit) -> None:
    from playwright.sync_api import Route, expect

    page = visit().page
    held: list[Route] = []
    page.route("**/start_page.bundle.js", lambda route: held.append(route))  # noqa: PLW0108  # it writes on a function
    page.goto("/", wait_until="commit")
    page.locator(".daily-card").wait_for()
    wide, narrow = before = places(page)
    # The puzzle is beside the buttons and the levels on a desktop, below them on a phone.
    assert [left for left, _ in wide] == [*[wide[0][0]] * 3, wide[3][0]]
    assert wide[0][0] < wide[3][0]
    assert sorted(narrow, key=lambda place: place[1]) == narrow
    sent(page, held).continue_()
    page.locator(".daily-card .offer").first.wait_for(state="attached")
    assert places(page) == before
    # On a phone it begins on the first screen, as a board.
    assert before[1][3][1] < SIZES[1]["height"] - 200
    expect(page.locator(".daily-card .board")).to_be_visible()
    # Somebody who comes back finds the same order.
    page.unroute("**/start_page.bundle.js")
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/play/*")
    page.goto("/")
    page.locator("[data-key=play]").wait_for()
    assert sorted(again := places(page)[1], key=lambda place: place[1]) == again


@pytest.mark.parametrize("game", nd.games())
@pytest.mark.parametrize("size", [SIZES[0], {"width": 1440, "height": 900}])
def test_the_puzzle_fits_into_the_window_of_a_desktop(
    size: dict[str, int], game: str, visit: Visit
) -> None:
    ann = visit(viewport=size)
    day = on_this_day(ann)
    while daily(day).game != game:
        day -= timedelta(days=1)
    ann.page.clock.set_fixed_time(datetime(day.year, day.month, day.day, 12))
    ann.page.goto("/")
    ann.page.locator(".daily-card .offer").first.wait_for()
    board = ann.page.locator(".daily-card .board").bounding_box()
    assert board
    assert board["y"] + board["height"] < size["height"]


def test_an_error_at_a_game_moves_no_button(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    open_front(page)
    refusal = {"error": "This game can't be played now. " * 3}
    page.route("**/api/games", lambda route: route.fulfill(status=422, json=refusal))
    buttons = page.locator(".game .row > *")
    before = buttons.evaluate_all(TOPS)
    page.get_by_role("button", name="Play now").first.click()
    page.locator(".game .problem").wait_for()
    assert buttons.evaluate_all(TOPS) == before
    ann.errors.clear()


def test_all_pages_have_the_same_left_edge(visit: Visit) -> None:
    page = visit().page
    found = {}
    for address, ready in EDGES.items():
        page.goto("about:blank")  # an address with another hash is the same page
        page.goto(address)
        edge = page.locator(ready).first
        edge.wait_for()
        box = edge.bounding_box()
        assert box
        found[address] = round(box["x"])
    assert len(set(found.values())) == 1, found


def test_every_page_has_the_same_header(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = visit().page
    for address, current in (("/", "Play"), ("/train", "Train"), ("/rules", "Rules")):
        page.goto(address)
        expect(page.locator(".top nav a")).to_have_text(["Play", "Train", "Rules", "Record"])
        expect(page.locator(".top [aria-current]")).to_have_text(current)
        page.get_by_role("button", name="Dark theme").wait_for()
