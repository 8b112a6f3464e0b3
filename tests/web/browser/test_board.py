"""The board is what one plays on: touched, dragged, and never by accident."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Literal

import pytest

import number_duels as nd
from tests.some_games import SECRET, SOME_GAMES
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, POLLING, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Locator

PHONE = {"width": 390, "height": 844}
NEAR_SIDE_TOP = "() => document.querySelector('.side.near').getBoundingClientRect().top"
#: Where each side begins and how high it is.
SIDES = """() => [...document.querySelectorAll(".side")].map((side) => {
  const { top, height } = side.getBoundingClientRect();
  return `${top} ${height}`;
}).join()"""
STILL = """() => document.getAnimations().every((each) => each.playState !== "running"
  || each.effect.getComputedTiming().iterations === Infinity)"""
#: The fonts are loaded and the last frame is on the screen, so nothing moves any more.
ON_SCREEN = """() => document.fonts.ready.then(() =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""


def test_what_a_choice_would_do_stands_on_the_board(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down("number-knot")
    page.locator(BUTTONS, has_text="9").click()
    assert page.locator(".far .target").inner_text().endswith("10 → 1")
    assert page.locator(".near .target").inner_text().endswith("10 → 19")
    answers = page.locator(".middle .answer")
    assert answers.all_inner_texts() == [
        "Add 9\nyour life 10 → 19",
        "Subtract 9\ntheir life 10 → 1",
    ]
    ann.sit_down("number-drop", deal="123456789 123456789")
    page.locator(BUTTONS, has_text="8").click()
    page.locator(BUTTONS, has_text="3").click()
    # One result is on their grid; the other is a miss, and says so before it is made.
    assert page.locator(".far .target").inner_text() == "5"
    assert answers.all_inner_texts() == [
        "Add: 8 + 3 = 11\nstrikes nothing, uses up 8 and 3",
        "Subtract: 8 \N{MINUS SIGN} 3 = 5\nstrikes 5, uses up 8 and 3",
    ]
    ann.sit_down("number-stack-showdown", deal="7")
    page.locator("[data-key=draw]").click()
    page.locator(".held .card", has_text="7").wait_for()
    assert "0 + 7 = 7" in page.locator(".far .target").inner_text()
    assert "0 + 7 = 7" in page.locator(".near .target").inner_text()
    assert answers.all_inner_texts() == [
        "Keep\nyour total 0 + 7 = 7",
        "Give\ntheir total 0 + 7 = 7",
    ]


def test_a_forced_move_says_why(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down("number-stack-showdown", deal="7", settings={"target": 5})
    page.locator("[data-key=draw]").click()
    page.get_by_text("it would take either stack over 5").first.wait_for()
    assert page.locator(".answer").all_inner_texts() == ["Keep\nyour total 0 + 7 = 7: loses"]


def centre(place: Locator) -> tuple[float, float]:
    x, y, width, height = place.evaluate(
        "each => { const b = each.getBoundingClientRect(); return [b.x, b.y, b.width, b.height] }"
    )
    return x + width / 2, y + height / 2


@pytest.mark.parametrize("pointer", ["mouse", "finger"])
def test_a_number_is_dropped_where_it_should_go(pointer: str, visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit(viewport=PHONE, has_touch=True)
    page = ann.page
    ann.sit_down("number-knot", "friend")
    page.evaluate(JOIN)
    # What is dropped beside everything goes back to where it was.
    drag(ann, pointer, page.locator(BUTTONS, has_text="7"), page.locator(".heading h1"))
    expect(page.locator(".chosen, .target")).to_have_count(0)
    drag(ann, pointer, page.locator(BUTTONS, has_text="7"), page.locator(".far .name"))
    page.locator(".far .meter strong", has_text="3").wait_for()
    ann.sit_down(SECRET)
    page.locator(".far .doing", has_text="chosen").wait_for()
    drag(ann, pointer, page.locator(BUTTONS, has_text="7"), page.locator(".asked"))
    page.locator(".log .turn", has_text="1").wait_for()


JOIN = """async () => { await fetch(location.pathname.replace("/play/", "/api/games/") + "/seats", {
  method: "POST", credentials: "omit",
  headers: {"Content-Type": "application/json"}, body: JSON.stringify({name: "Bo"}),
}) }"""


def drag(visitor: Visitor, pointer: str, what: Locator, where: Locator) -> None:
    """Take something, carry it and let go, with a mouse or with a finger."""
    what.wait_for()
    # A press while something moves only ends that.
    visitor.page.wait_for_function(STILL, polling=POLLING)
    visitor.page.evaluate(ON_SCREEN)
    start, end = centre(what), centre(where)
    between = [((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
    if pointer == "mouse":
        visitor.page.mouse.move(*start)
        visitor.page.mouse.down()
        for point in between:
            visitor.page.mouse.move(*point)
        visitor.page.mouse.up()
        return
    session = visitor.context.new_cdp_session(visitor.page)
    touches = [("touchStart", start), *(("touchMove", point) for point in between)]
    for kind, (x, y) in touches:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


#: The second click of two, as soon as another question can be answered there: a tenth of a second
#: after that was asked, however long the page takes to draw it.
CLICK_AGAIN = """() => {
  const now = performance.now.bind(performance);
  let asked = 0;
  performance.now = () => (asked = now());
  new MutationObserver((changes, seen) => {
    const offer = document.querySelector(".board .offer");
    if (!offer || document.querySelectorAll(".log .turn").length === 0) return;
    seen.disconnect();
    const timeStamp = { value: asked + 100 };
    for (const event of [
      new PointerEvent("pointerdown", { bubbles: true }),
      new PointerEvent("pointerup", { bubbles: true }),
      new MouseEvent("click", { bubbles: true, detail: 2 }),
    ]) offer.dispatchEvent(Object.defineProperties(event, { timeStamp }));
  }).observe(document.querySelector(".table"), { childList: true, subtree: true });
}"""


def test_a_double_click_plays_once(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down(SECRET)
    moves = ann.posted_moves()
    page.locator(BUTTONS).first.wait_for()
    page.evaluate(CLICK_AGAIN)
    page.locator(BUTTONS).nth(4).click()
    page.locator(".log .turn", has_text="1").wait_for()
    page.locator(BUTTONS).nth(1).click()
    page.locator(".log .turn", has_text="2").wait_for()
    assert moves == ["5", "2"]


def test_a_second_tap_at_the_same_place_counts(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down("number-knot")
    place = centre(page.locator(BUTTONS, has_text="9"))
    page.mouse.click(*place)
    page.locator(".chosen").wait_for()
    ann.pass_double_click()
    # A browser counts it as the second of two as long as half a second has not passed.
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert page.locator(".chosen").count() == 0


@pytest.mark.parametrize("game", SOME_GAMES)
def test_the_board_does_not_jump(game: str, visit: Visit) -> None:
    ann = visit(viewport=PHONE, has_touch=True)
    page = ann.page
    ann.sit_down(game, seed=3)
    places = set()
    for _ in range(3):  # a fourth touch may end the game
        page.locator(BUTTONS).first.wait_for()
        places.add(page.evaluate(SIDES))
        assert ann.press_any(Random(2))
        places.add(page.evaluate(SIDES))
    assert len(places) == 1


def test_forced_colours_show_what_is_chosen(visit: Visit) -> None:
    forced: Literal["active"] = "active"
    ann = visit(forced_colors=forced)
    page = ann.page
    style = (
        "each => { const s = getComputedStyle(each); return [s.backgroundColor, s.borderColor] }"
    )
    ann.sit_down("number-knot")
    page.locator(BUTTONS, has_text="9").click()
    chosen = page.locator(".chosen").evaluate(style)
    other = page.locator(".chip", has_text="8").evaluate(style)
    assert chosen[0] != other[0]
    assert page.locator(".far .target").evaluate(style)[1] != other[1]
    assert (
        page.locator(".far .bar i").evaluate(style)[0]
        != page.locator(".far .bar").evaluate(style)[0]
    )


def test_a_refusal_goes_with_its_cause(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down(SECRET)
    page.locator(BUTTONS).first.wait_for()
    refusal = {"status": 409, "json": {"error": "Not now."}}
    page.route("**/moves", lambda route: route.fulfill(**refusal), times=1)
    page.locator(BUTTONS).first.click()
    page.locator(".problem", has_text="Not now.").wait_for()
    page.locator(BUTTONS).first.click()
    page.locator(".log .turn", has_text="1").wait_for()
    assert page.locator(".problem").inner_text() == ""
    ann.errors.clear()  # the browser reports the refusal


def test_leaving_a_game_that_nobody_joined_closes_it(visit: Visit) -> None:
    ann = visit()
    link = ann.sit_down(nd.games()[0], "friend")
    ann.page.get_by_role("button", name="Cancel invitation").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_text("nobody wins or loses").wait_for()
    dialog.get_by_role("button", name="Cancel invitation").click()
    ann.page.wait_for_url(ann.base + "/")
    assert ann.page.request.get(link.replace("/play/", "/api/games/")).status == 404
