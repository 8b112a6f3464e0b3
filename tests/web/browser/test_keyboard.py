"""Without a mouse, and without looking."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import httpx
import pytest

import number_duels as nd
from tests.some_games import SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import (
    BUTTONS,
    CHANGED,
    ONE_GAME,
    POLLING,
    Visitor,
    play_until,
    short,
)
from tests.web.people import pair

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: A move in two steps: a number, then what to do with it.
IN_STEPS = "number-knot"
#: Something has changed, and there is something to choose again or nothing any more.
GOES_ON = """before => document.querySelector(".board-place").dataset.shown !== before
  && document.querySelector(".board-place:not([aria-busy]) .offer:not(.chosen), .ending")"""


#: More presses of Enter than any of the short games takes.
KEYS = 100
IN_BOARD = "() => document.querySelector('.board-place').contains(document.activeElement)"


def tab_to(visitor: Visitor, wanted: str) -> None:
    """Press Tab until something with a name has the focus, which must be visible."""
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if focused(visitor.page).strip() == wanted:
            outline = visitor.page.evaluate(
                "() => getComputedStyle(document.activeElement).outlineStyle"
            )
            assert outline != "none"
            return
    raise AssertionError(f"Tab does not lead to {wanted!r}.")


def focused(page: Page) -> str:
    """What has the focus, as it is read out."""
    found = page.evaluate(
        """() => document.activeElement.getAttribute("aria-label")
          ?? document.activeElement.innerText"""
    )
    return str(found)


def shown(page: Page) -> str:
    return str(page.locator(".board-place").get_attribute("data-shown"))


def test_enter_plays_what_was_found_before_the_opponent_chose(
    visit: Visit, http: httpx.Client
) -> None:
    from playwright.sync_api import expect

    for motion in ("reduce", "no-preference"):
        first, second = pair(http, SECRET)
        ann = visit(reduced_motion=motion)
        page = ann.page
        page.goto(ann.sit(first))
        page.locator(BUTTONS).first.wait_for()
        page.keyboard.press("3")
        found = focused(page)
        assert found.startswith("Play 3")
        assert second.move(1, "5").status_code == 200
        # The choice has arrived and been drawn, and nothing moves any more.
        chosen = page.locator(".far .doing", has_text="chosen")
        page.locator('.board-place[data-shown$=" 0"]').filter(has=chosen).wait_for()
        assert focused(page) == found
        page.keyboard.press("Enter")
        page.locator(".log .turn", has_text="1").wait_for()
        expect(page.locator(".slot.own .face")).to_have_text("3")
        assert first.view()["last"]["moves"] == {"1": "3", "2": "5"}


def test_enter_plays_nothing_that_was_not_found_in_this_turn(
    visit: Visit, http: httpx.Client
) -> None:
    from playwright.sync_api import expect

    first, second = pair(http, IN_STEPS)
    ann = visit()
    page = ann.page
    page.clock.install()
    page.goto(ann.sit(first))
    page.locator(BUTTONS).first.wait_for()
    moves = ann.posted_moves()
    # No time passes between the two presses of a double Enter.
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + 60)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    # A number is taken; what to do with it is another question.
    expect(page.locator(".board .chosen")).to_have_text("3")
    page.keyboard.press("Enter")
    assert shown(page).endswith(" 1/3")
    # A key that finds the answer that has the focus makes the next Enter a press of its own.
    found = focused(page)
    page.keyboard.press("+")
    assert focused(page) == found
    page.keyboard.press("Enter")
    page.clock.resume()
    expect(page.locator(".headline")).to_have_text("Bo's turn")
    assert second.move(2, "S4").status_code == 200
    expect(page.locator(".headline")).to_have_text("Your turn")
    # The next turn: Enter still has nothing to play.
    page.keyboard.press("Enter")
    assert shown(page).endswith(" 0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board .offer:focus")).to_have_count(1)
    # What was found for a turn that is then played in another tab is not found for the next.
    first, second = pair(http, SECRET)
    page.goto(ann.sit(first))
    page.locator(BUTTONS).first.wait_for()
    page.keyboard.press("3")
    for player, card in ((second, "5"), (first, "7")):
        assert player.move(1, card).status_code == 200
    page.locator(".log .turn", has_text="1").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator(".headline")).to_have_text("You chose 4")
    assert moves == ["A3", "4"]


@pytest.mark.parametrize("game", ONE_GAME)
def test_a_game_with_the_keyboard_alone(game: str, visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    page = ann.page
    page.goto("/")
    page.get_by_role("link", name=f"Play {nd.load(game).title}").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    dialog.get_by_label("A friend").focus()
    page.keyboard.press("ArrowRight")
    dialog.locator("[name=level][value=random]").check(force=True)
    dialog.get_by_text("Settings", exact=True).click()
    for setting, value in short(game).items():
        dialog.locator(f"[name=set-{setting}]").fill(str(value))
    tab_to(ann, "Start the game")
    page.keyboard.press("Enter")
    # The front page has a board too: that of the daily puzzle.
    page.wait_for_url("**/play/*")
    page.wait_for_selector(BUTTONS)
    spoken = set()
    for _ in range(KEYS):
        before = shown(page)
        # The focus stays on the board from step to step and from turn to turn.
        if page.locator(".offer:focus").count():
            ann.pass_double_click()
        else:
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_function(GOES_ON, arg=before, polling=POLLING)
        assert page.evaluate(IN_BOARD)
        spoken.update(page.locator("#speak p").all_inner_texts())
        if ann.ended:
            break
    assert ann.ended
    assert len(spoken) > 2
    expect(page.locator("[data-key=rematch]")).to_be_focused()


def test_a_finger_at_the_end_does_not_lead_to_a_rematch(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    ann.sit_down(SECRET, settings=short(SECRET))
    while not ann.ended:
        before = shown(ann.page)
        ann.page.locator(BUTTONS).first.click()
        ann.page.wait_for_function(GOES_ON, arg=before, polling=POLLING)
    expect(ann.page.locator("[data-key=rematch]")).not_to_be_focused()


def test_a_held_enter_does_not_accept_a_rematch(visit: Visit) -> None:
    ann = visit(reduced_motion="reduce")
    page = ann.page
    ann.sit_down(SECRET, settings=short(SECRET))
    page.locator(BUTTONS).first.wait_for()
    while not ann.ended:
        before = shown(page)
        page.keyboard.up("Enter")
        page.keyboard.press("ArrowRight")
        page.keyboard.down("Enter")
        page.wait_for_function(GOES_ON, arg=before, polling=POLLING)
    address = page.url
    page.locator("[data-key=rematch]:focus").wait_for()
    page.evaluate(
        """() => addEventListener("keydown", (event) => {
          window.pressed = [event.repeat, event.defaultPrevented];
        })"""
    )
    page.keyboard.down("Enter")
    assert page.evaluate("() => window.pressed") == [True, True]
    assert page.url == address


def test_a_key_finds_and_enter_plays(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    for game in (SECRET, IN_STEPS):
        ann.sit_down(game)
        page.locator(BUTTONS).first.wait_for()
        tile = page.locator(".board .offer[data-tile]", has_text="3").first
        prompt, before = page.locator(".prompt").inner_text(), shown(page)
        # A stray digit plays nothing: it only finds the number.
        page.keyboard.press("3")
        assert focused(page) == tile.get_attribute("aria-label")
        # Arrows go over the board, as far as there is something to touch.
        seen = set()
        for arrow in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "ArrowRight"):
            page.keyboard.press(arrow)
            seen.add(focused(page))
        assert len(seen) > 1
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before, polling=POLLING)
    assert page.get_by_role("button", name="Change 3").count() == 1
    # Where no number is asked for, a digit is the place of an answer.
    for digit in ("2", "1"):
        page.keyboard.press(digit)
        assert (
            page.locator(".answer")
            .nth(int(digit) - 1)
            .evaluate("answer => answer === document.activeElement")
        )
    page.keyboard.press("Escape")
    assert page.locator(".prompt").inner_text() == prompt
    assert page.locator(".chosen").count() == 0
    assert focused(page) == tile.get_attribute("aria-label")


@pytest.mark.parametrize("game", ONE_GAME)
def test_a_turn_is_announced_once(game: str, visit: Visit) -> None:
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(game, "friend", settings=short(game)), "Bo")
    page = ann.page
    page.locator(".headline", has_text="Your turn").wait_for()
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver((changes) => window.said.push(...changes.flatMap(
            (change) => [...change.addedNodes].map((node) => node.textContent))
          )).observe(document.getElementById("speak"), { childList: true });
        }"""
    )
    play_until([ann, bo], Random(1), lambda: page.locator(".log .turn").count() > 0)
    about = page.evaluate("() => window.said.filter((text) => /Your turn|Bo's turn/.test(text))")
    assert len(about) == 1, about


@pytest.mark.parametrize("finger", [False, True])
def test_keys_are_offered_where_there_are_keys(finger: bool, visit: Visit) -> None:
    ann = visit(has_touch=finger, is_mobile=finger)
    ann.sit_down(SECRET)
    ann.page.locator(".menu summary").click()
    ann.page.get_by_label("Sound when you win").wait_for()
    assert ann.page.get_by_label("Keyboard shortcuts").is_visible() is not finger


def test_the_menu_closes_by_escape_by_a_click_beside_it_and_by_a_choice(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    ann.sit_down(IN_STEPS)
    page = ann.page
    dots, menu = page.locator(".menu summary"), page.locator(".menu .few > div")
    dots.click()
    page.get_by_label("Sound when you win").check()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(dots).to_be_focused()
    dots.click()
    page.locator(".far .name").click()
    expect(menu).to_be_hidden()
    dots.click()
    menu.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(menu).to_be_hidden()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".afterwards .few summary").click()
    below = page.locator(".afterwards .few > div").bounding_box()
    above = page.locator(".afterwards .few summary").bounding_box()
    assert below
    assert above
    assert below["y"] + below["height"] <= above["y"]


def test_the_focus_is_seen_on_a_number_that_a_hint_names(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = (ann := visit()).page
    ann.sit_down(SECRET, "level:2", seed=3)
    page.locator("[data-key=hint]").click()
    page.get_by_role("button", name="Show the move").click()
    best = page.locator(".near .best").first
    best.wait_for()
    page.keyboard.press("Tab")
    best.focus()
    expect(best).to_have_css("box-shadow", re.compile("0px 0px 0px 5px"))
